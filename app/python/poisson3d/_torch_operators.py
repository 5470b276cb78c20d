"""The operators of poisson3d.torch, poisson3d::solve and poisson3d::adjoint, and their derivatives: each is the backward
of the other, and forward its own; by λ both are one more of themselves."""

from __future__ import annotations

from collections import OrderedDict
from typing import List, Optional

import torch

from . import _solver
from ._errors import usage


class Problem:
    """What the operators look up: the arguments of a problem, and its plans by λ, batch, elements and place."""

    most_plans = 4

    def __init__(self, shape, arguments):
        self.shape, self.arguments = tuple(shape), arguments
        self._plans: "OrderedDict[tuple, _solver.Solver]" = OrderedDict()

    def forget(self):
        """Its plans and their memory; what still wants to differentiate plans again."""
        self._plans.clear()

    def plan(self, field, helmholtz):
        value = float(self.arguments["helmholtz"] if helmholtz is None else helmholtz)
        batch = field.shape[0] if field.dim() == 4 else 1
        key = (value, field.dtype, field.device)
        plan = self._plans.pop(key, None)
        if plan is None or plan.batch < batch:
            place = {"device": field.device.index} if field.is_cuda else {"engine": "host"}
            plan = _solver.Solver(self.shape, field.dtype, **{**self.arguments, **place, "helmholtz": value,
                                                              "batch": batch})
        self._plans[key] = plan  # the one used last at the end
        if len(self._plans) > self.most_plans:
            self._plans.popitem(last=False)
        return plan


problems: List[Problem] = []


def _names(faces: str) -> List[str]:
    return faces.split(",") if faces else []


def _readable(field):
    """The field without its history; where its rows are not contiguous or its planes overlap, a copy."""
    field = field.detach()
    apart, extent = field.stride(-1) == 1 or field.shape[-1] == 1, 1
    for size, stride in zip(field.shape[::-1], field.stride()[::-1]):
        apart = apart and (size == 1 or stride >= extent)
        extent = size * max(stride, extent)
    return field if apart else field.contiguous()


def _face_shape(field, name):
    axis = "xyz".index(name[0])
    *lead, n0, n1, n2 = field.shape
    return [*lead, *(n for a, n in enumerate((n0, n1, n2)) if a != axis)]


@torch.library.custom_op("poisson3d::solve", mutates_args=())
def solve(f: torch.Tensor, values: List[torch.Tensor], helmholtz: Optional[torch.Tensor], problem: int, faces: str,
           scale: float) -> torch.Tensor:
    data = {name: one.detach().contiguous() for name, one in zip(_names(faces), values)}
    plan = problems[problem].plan(f, helmholtz)
    return plan.solve(_readable(f), scale=scale, boundary_values=data or None)


@torch.library.custom_op("poisson3d::adjoint", mutates_args=())
def _adjoint(v: torch.Tensor, helmholtz: Optional[torch.Tensor], problem: int, faces: str,
             scale: float) -> List[torch.Tensor]:
    plan = problems[problem].plan(v, helmholtz)
    if not faces:
        return [plan.adjoint(_readable(v), scale=scale)]
    back, data = plan.adjoint(_readable(v), scale=scale, faces=_names(faces))
    return [back, *(one.contiguous() for one in data.values())]


@solve.register_fake
def _(f, values, helmholtz, problem, faces, scale):
    return f.new_empty(f.shape)


@_adjoint.register_fake
def _(v, helmholtz, problem, faces, scale):
    return [v.new_empty(v.shape), *(v.new_empty(_face_shape(v, name)) for name in _names(faces))]


class _Mapped:
    """The mapped axis as a batch, and with a batch that the field has already as one larger batch."""

    def __init__(self, info, field, field_dim, helmholtz_dim):
        if helmholtz_dim is not None:
            raise usage("helmholtz: found one value for each mapped solve, wanted one for all: each has its own plan")
        self.size = info.batch_size
        self.batched = field.dim() - (field_dim is not None) == 4

    def fold(self, one, dim):
        one = one.expand(self.size, *one.shape) if dim is None else one.movedim(dim, 0)
        return one.reshape(-1, *one.shape[2:]) if self.batched else one

    def unfold(self, one):
        return one.reshape(self.size, -1, *one.shape[1:]) if self.batched else one


@solve.register_vmap
def _(info, dims, f, values, helmholtz, *which):
    mapped = _Mapped(info, f, dims[0], dims[2])
    values = [mapped.fold(one, dim) for one, dim in zip(values, dims[1] or [None] * len(values))]
    return mapped.unfold(solve(mapped.fold(f, dims[0]), values, helmholtz, *which)), 0


@_adjoint.register_vmap
def _(info, dims, v, helmholtz, *which):
    mapped = _Mapped(info, v, dims[0], dims[1])
    found = [mapped.unfold(one) for one in _adjoint(mapped.fold(v, dims[0]), helmholtz, *which)]
    return found, [0] * len(found)


def _by_helmholtz(ctx, u, v, helmholtz):
    """∂⟨v, u⟩/∂λ = ⟨Sᵀ v, u⟩, if anybody asks for it."""
    if not ctx.needs_input_grad[3]:
        return None
    return (u * _adjoint_class().apply(ctx.which[0], "", 1.0, helmholtz, v)[0]).sum().to(helmholtz)


class _Reverse:
    """u = scale · S f + E values, with ∂u/∂λ = S u; its derivative backwards."""

    generate_vmap_rule = True

    @staticmethod
    def forward(problem, faces, scale, helmholtz, f, *values):
        return solve(f, list(values), helmholtz, problem, faces, scale)

    @staticmethod
    def setup_context(ctx, inputs, output):
        *ctx.which, helmholtz, _ = inputs[:5]
        saved = (None, None) if helmholtz is None else (output, helmholtz)
        ctx.save_for_backward(*saved)
        ctx.save_for_forward(*saved)

    @staticmethod
    def backward(ctx, v):
        u, helmholtz = ctx.saved_tensors
        return (None, None, None, _by_helmholtz(ctx, u, v, helmholtz),
                *_adjoint_class().apply(*ctx.which, helmholtz, v))


class _ReverseAdjoint:
    """(scale · Sᵀ v, Eᵀ v), with ∂(Sᵀ v)/∂λ = Sᵀ Sᵀ v and ∂(Eᵀ v)/∂λ = Eᵀ Sᵀ v; its derivative backwards."""

    generate_vmap_rule = True

    @staticmethod
    def forward(problem, faces, scale, helmholtz, v):
        return tuple(_adjoint(v, helmholtz, problem, faces, scale))

    @staticmethod
    def setup_context(ctx, inputs, output):
        *ctx.which, helmholtz, v = inputs
        saved = (None, None) if helmholtz is None else (v, helmholtz)
        ctx.save_for_backward(*saved)
        ctx.save_for_forward(*saved)

    @staticmethod
    def backward(ctx, w, *faces):
        v, helmholtz = ctx.saved_tensors
        u = solve_class().apply(*ctx.which, helmholtz, w, *faces)
        return None, None, None, _by_helmholtz(ctx, u, v, helmholtz), u


class _SolveTraced(_Reverse, torch.autograd.Function):
    """Without a derivative forwards, which torch.compile does not take."""


class _AdjointTraced(_ReverseAdjoint, torch.autograd.Function):
    pass


class _Solve(_Reverse, torch.autograd.Function):
    @staticmethod
    def jvp(ctx, _problem, _faces, _scale, by_helmholtz, by_f, *by_values):
        """What a change of each argument changes; None, or zeros, where one does not change."""
        u, helmholtz = ctx.saved_tensors
        found = None
        if by_f is not None or any(one is not None for one in by_values):
            found = _Solve.apply(*ctx.which, helmholtz, *_whole_change(ctx.which[0], ctx.which[1], by_f, by_values))
        if by_helmholtz is not None:
            more = by_helmholtz.reshape(()).to(u) * _Solve.apply(ctx.which[0], "", 1.0, helmholtz, u)
            found = more if found is None else found + more
        return found


class _Adjoint(_ReverseAdjoint, torch.autograd.Function):
    @staticmethod
    def jvp(ctx, _problem, _faces, _scale, by_helmholtz, by_v):
        v, helmholtz = ctx.saved_tensors
        found = None if by_v is None else _Adjoint.apply(*ctx.which, helmholtz, by_v)
        if by_helmholtz is not None:
            once = _Adjoint.apply(ctx.which[0], "", 1.0, helmholtz, v)[0]
            change = by_helmholtz.reshape(())
            more = tuple(change.to(one) * one for one in _Adjoint.apply(*ctx.which, helmholtz, once))
            found = more if found is None else tuple(a + b for a, b in zip(found, more))
        return found


def solve_class():
    return _SolveTraced if torch.compiler.is_compiling() else _Solve


def _adjoint_class():
    return _AdjointTraced if torch.compiler.is_compiling() else _Adjoint


def _whole_change(problem, faces, by_f, by_values):
    """Of f and all values, zeros for what does not change."""
    known = by_f if by_f is not None else next(one for one in by_values if one is not None)
    batch = known.shape[:-3] if by_f is not None else known.shape[:-2]
    if by_f is None:
        by_f = known.new_zeros((*batch, *problems[problem].shape))
    return by_f, *(known.new_zeros(_face_shape(by_f, name)) if one is None else one
                   for name, one in zip(_names(faces), by_values))
