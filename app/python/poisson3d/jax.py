"""Solves inside jax.jit, with jvp, grad and vmap.

    import jax, poisson3d.jax
    solver = poisson3d.jax.Solver((64, 64, 64), spacing=0.1, boundary="dirichlet")
    u = jax.jit(solver)(f)

A solve is one primitive, linear in f and in the values on the faces, which becomes a call of XLA: on the host, or on
XLA's stream of the GPU; nothing is copied. Its derivative is itself, its transpose the same primitive with weights
(poisson3d/adjoint.hpp), so derivatives of any order follow. vmap makes one call of all mapped solves.
"""

from __future__ import annotations

import functools
import weakref
from typing import Any, Mapping, Optional, Tuple

import jax
import numpy as np
from jax.extend import core
from jax.interpreters import ad, batching, mlir

from . import _core
from ._adjoint import Transpose
from ._arguments import arguments, with_default_gauge
from ._errors import usage

__all__ = ["Solver"]


class _Traced(Transpose):
    """Its lines are constants of the program."""

    def _line(self, field, line, axis):
        return line.reshape([-1] + [1] * (2 - axis)).astype(field.dtype)


class _Problem:
    """A problem as calls name it, and the one with the default gauge, for transposes."""

    def __init__(self, found):
        self.number = _core.register_xla_problem(found)
        self.transpose = _Traced(found)
        self.default = _Problem(with_default_gauge(found)) if self.transpose.other_gauge else self

    def forget(self):
        """Frees the plans; a compiled program that calls all the same plans again."""
        _core.forget_xla_plans(self.number)
        if self.default is not self:
            self.default.forget()


# solve_p.bind(f, *values, problem=…, faces=("x_lower", …), scale=…): u of the shape of f.
solve_p = core.Primitive("poisson3d_solve")


@solve_p.def_abstract_eval
def _(f, *values, problem, faces, scale):
    return f


@functools.lru_cache(maxsize=256)
def _compiled(problem, faces, scale):
    return jax.jit(functools.partial(solve_p.bind, problem=problem, faces=faces, scale=scale))


@solve_p.def_impl
def _(*operands, problem, faces, scale):
    return _compiled(problem, faces, scale)(*operands)


def _lower(ctx, *operands, problem, faces, scale):
    rule = jax.ffi.ffi_lowering("poisson3d_solve")
    return rule(ctx, *operands, problem=np.int64(problem.number), faces=",".join(faces), scale=np.float64(scale))


def _transpose(v, f, *values, problem, faces, scale):
    if type(v) is ad.Zero:
        return [None] * (1 + len(values))
    by = 1.0 if faces else scale
    back = problem.transpose(v, lambda x: solve_p.bind(x, problem=problem.default, faces=(), scale=by))
    data = [problem.transpose.face(name, v, back) for name in faces]
    return [back * scale if faces else back, *data]


def _batch(operands, dims, *, problem, faces, scale):
    size = next(one.shape[dim] for one, dim in zip(operands, dims) if dim is not None)

    def front(one, dim):
        if dim is None:
            return jax.numpy.broadcast_to(one, (size, *one.shape))
        return jax.numpy.moveaxis(one, dim, 0)

    operands = [front(one, dim) for one, dim in zip(operands, dims)]
    whole = operands[0].shape
    if len(whole) == 5:  # with a batch that the field had already one larger batch
        operands = [one.reshape(-1, *one.shape[2:]) for one in operands]
    u = solve_p.bind(*operands, problem=problem, faces=faces, scale=scale)
    return u.reshape(whole), 0


ad.deflinear2(solve_p, _transpose)
batching.primitive_batchers[solve_p] = _batch
for _platform, _gpu in (("cpu", False), ("CUDA", True)):
    _handler = _core.xla_handler(_gpu)
    if _handler is not None:
        jax.ffi.register_ffi_target("poisson3d_solve", _handler, platform=_platform)
        mlir.register_lowering(solve_p, _lower, platform=_platform.lower())


class Solver:
    """u = solver(f): (∇² − helmholtz) u = scale · f on a box of `shape` points, inside or outside of jax.jit.

    The arguments are those of poisson3d.Solver except dtype and device, which f decides, and `mixed`. The first call
    on a device, with elements of a type, plans. `batch` says how many fields of a batch are solved together; larger
    batches take several turns within one call.
    """

    def __init__(self, shape: Tuple[int, int, int], *, spacing, boundary, centering="cell", widths=None,
                 coefficients=None, discretization="second-order", helmholtz=0.0, gauge=None, batch=1,
                 engine="automatic", memory="automatic", middle="automatic", threads=0):
        found = arguments(shape, spacing=spacing, widths=widths, coefficients=coefficients, boundary=boundary,
                          centering=centering, origin=0.0, discretization=discretization, helmholtz=helmholtz,
                          gauge=gauge, batch=batch, engine=engine, memory=memory, middle=middle, threads=threads,
                          device=0)
        self._problem = _Problem(found)
        self.shape = tuple(found.shape)
        weakref.finalize(self, self._problem.forget)

    def __call__(self, f: Any, *, boundary_values: Optional[Mapping[str, Any]] = None, scale: Any = 1.0) -> Any:
        """The solution for scale · f.

        f                (…, n0, n1, n2), float32 or float64: what stands before the last three axes is a batch
        boundary_values  {"x_lower": …}: what broadcasts to the points of the two other axes of that face, batch
                         before them
        scale            a number, or what jax differentiates

        Raises UsageError; what is wrong only when the call runs becomes XLA's error with the library's sentence."""
        f = jax.numpy.asarray(f)
        if f.shape[-3:] != self.shape:
            raise usage(f"f: found {f.shape}, wanted (…, {', '.join(map(str, self.shape))})")
        if f.dtype not in (np.float32, np.float64):
            raise usage(f"f: found {f.dtype}, wanted float32 or float64")
        if not isinstance(scale, (int, float)):
            f, scale = f * scale, 1.0
        batch = f.shape[:-3]
        values = []
        for name, one in (boundary_values or {}).items():
            face = [n for a, n in enumerate(self.shape) if a != "xyz".find(name[:1])]
            one = jax.numpy.broadcast_to(jax.numpy.asarray(one, f.dtype), (*batch, *face))
            values.append(one.reshape(-1, *face) if batch else one)
            self._problem.transpose.require_face(name)
        fields = f.reshape(-1, *self.shape) if batch else f
        u = solve_p.bind(fields, *values, problem=self._problem, faces=tuple(boundary_values or ()),
                         scale=float(scale))
        return u.reshape(*batch, *self.shape)
