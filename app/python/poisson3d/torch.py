"""Solves that PyTorch differentiates, maps and compiles.

    import torch, poisson3d.torch
    solver = poisson3d.torch.Solver((64, 64, 64), spacing=0.1, boundary="dirichlet")
    u = solver(f)                      # f may require its gradient: one solve forward, one backward

A solve is linear, so its derivative is its transpose, one more solve with weights (poisson3d/adjoint.hpp), and the
derivative of that is the solve. The two are operators of PyTorch, poisson3d::solve and poisson3d::adjoint, which
torch.compile takes without a graph break, and each is the backward of the other; hence gradients of any order,
torch.func, and vmap, in which all mapped solves are one batch.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Mapping, Optional, Tuple

import torch

from . import _torch_operators
from ._errors import usage
from ._solve import freeze
from ._torch_operators import Problem, problems, solve_class

__all__ = ["Solver", "solve"]


def _differentiated(*tensors):
    return torch.is_grad_enabled() and any(one is not None and one.requires_grad for one in tensors)


class Solver(torch.nn.Module):
    """u = solver(f): (∇² − helmholtz) u = scale · f on a box of `shape` points, differentiable.

    The arguments are those of poisson3d.Solver except dtype, device and batch, which f decides; plans for what comes
    are made when it comes, and the last four kept. On a GPU engine "automatic" is the fastest there; a tensor of the
    host is solved on the host.
    """

    def __init__(self, shape: Tuple[int, int, int], **problem: Any):
        super().__init__()
        for name in ("dtype", "device", "batch"):
            if name in problem:
                raise usage(f"{name}: found {problem[name]!r}, wanted nothing: f decides")
        problem.setdefault("helmholtz", 0.0)
        self._problem = Problem(shape, problem)
        self._number = len(problems)
        problems.append(self._problem)
        weakref.finalize(self, self._problem.forget)

    if TYPE_CHECKING:  # of Module it is known to return anything

        def __call__(self, f: torch.Tensor, *, boundary_values: Optional[Mapping[str, Any]] = None, scale: Any = 1.0,
                     helmholtz: Optional[torch.Tensor] = None) -> torch.Tensor: ...

    def forward(self, f: torch.Tensor, *, boundary_values: Optional[Mapping[str, Any]] = None, scale: Any = 1.0,
                helmholtz: Optional[torch.Tensor] = None) -> torch.Tensor:
        """The solution for scale · f.

        f                (…, n0, n1, n2): what stands before the last three axes is a batch
        boundary_values  {"x_lower": …}: a number or a tensor that broadcasts to the points of the two other axes of
                         that face, batch before them; differentiable
        scale            a number, or a tensor, differentiable
        helmholtz        None: what the solver was made with; or a tensor of one element, differentiable: λ is read
                         on the host, and each value has its own plan
        Raises what poisson3d.Solver does."""
        if tuple(f.shape[-3:]) != self._problem.shape:
            raise usage(f"f: found {tuple(f.shape)}, wanted (…, {', '.join(map(str, self._problem.shape))})")
        if isinstance(scale, torch.Tensor):
            f, scale = f * scale, 1.0
        batch = f.shape[:-3]
        if len(batch) != 1:
            f = f.reshape(-1, *f.shape[-3:]) if batch else f
        values = []
        for name, one in (boundary_values or {}).items():
            face = [n for a, n in enumerate(self._problem.shape) if a != "xyz".find(name[:1])]
            one = torch.as_tensor(one, dtype=f.dtype, device=f.device).expand(*batch, *face)
            values.append(one.reshape(-1, *face) if batch else one)
        names = ",".join(boundary_values or ())
        if torch.compiler.is_compiling() and not _differentiated(f, helmholtz, *values):
            # Some versions trace nothing else.
            u = _torch_operators.solve(f, values, helmholtz, self._number, names, float(scale))
        else:
            u = solve_class().apply(self._number, names, float(scale), helmholtz, f, *values)
        return u.reshape(*batch, *f.shape[-3:])

    def extra_repr(self) -> str:
        return ", ".join([" × ".join(map(str, self._problem.shape)),
                          *(f"{name}={value!r}" for name, value in self._problem.arguments.items())])


def solve(f: torch.Tensor, *, boundary_values: Optional[Mapping[str, Any]] = None, scale: Any = 1.0,
          helmholtz: Any = 0.0, **problem: Any) -> torch.Tensor:
    """The solution of (∇² − helmholtz) u = scale · f in one call, differentiable: Solver(shape, **problem)(f, …), the
    last eight of which are kept. In a loop, or to compile, a Solver is better."""
    tensor = isinstance(helmholtz, torch.Tensor)
    problem["helmholtz"] = 0.0 if tensor else helmholtz
    key = (tuple(f.shape[-3:]), *freeze(**problem).items())
    solver = _kept.pop(key, None) or Solver(f.shape[-3:], **problem)
    _kept[key] = solver  # the one used last at the end
    if len(_kept) > 8:
        _kept.popitem(last=False)
    return solver(f, boundary_values=boundary_values, scale=scale, helmholtz=helmholtz if tensor else None)


_kept: "OrderedDict[tuple, Solver]" = OrderedDict()
