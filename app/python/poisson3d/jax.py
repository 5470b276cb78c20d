"""Solves inside jax.jit, with jvp, grad and vmap.

    import jax, poisson3d.jax
    solver = poisson3d.jax.Solver((64, 64, 64), spacing=0.1, boundary="dirichlet")
    u = jax.jit(solver)(f)

A solve is one primitive, linear in f and in the values on the faces, which becomes a call of XLA: on the host, or on
XLA's stream of the GPU; nothing is copied. Its derivative is itself, its transpose the same primitive with weights
(poisson3d/adjoint.hpp), and its derivative by λ is a solve for u, so derivatives of any order follow. vmap makes one
call of all mapped solves.
"""

from __future__ import annotations

import functools
import weakref
from typing import Any, Mapping, Optional, Sequence, Tuple

import jax
import numpy as np
from jax.extend import core
from jax.interpreters import ad, batching, mlir

from . import _core
from ._adjoint import Transpose
from ._arguments import (Boundaries, Centerings, Coefficients, Discretization, Engine, Gauge, Memory, Middle, Spacing,
                         Widths, arguments, with_default_gauge)
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


# solve_p.bind(f, *values, problem=…, faces=("x_lower", …), scale=…, damped=…): u of the shape of f. If damped λ is one
# more operand, the last one. u is linear in all others.
solve_p: Any = core.Primitive("poisson3d_solve")


@solve_p.def_abstract_eval
def _(f, *others, problem, faces, scale, damped):
    return f


@functools.lru_cache(maxsize=256)
def _compiled(**which):
    return jax.jit(functools.partial(solve_p.bind, **which))


@solve_p.def_impl
def _(*operands: Any, **which: Any) -> Any:
    return _compiled(**which)(*operands)


def _lower(ctx, *operands, problem, faces, scale, damped):
    rule = jax.ffi.ffi_lowering("poisson3d_solve")
    return rule(ctx, *operands, problem=np.int64(problem.number), faces=",".join(faces), scale=np.float64(scale),
                damped=np.bool_(damped))


def _jvp(operands, changes, *, problem, faces, scale, damped):
    """∂u = scale · S ∂f + E ∂values + ∂λ S u."""
    which = dict(problem=problem, faces=faces, scale=scale, damped=damped)
    u, count = solve_p.bind(*operands, **which), 1 + len(faces)
    found = None
    if any(type(one) is not ad.Zero for one in changes[:count]):
        found = solve_p.bind(*map(ad.instantiate_zeros, changes[:count]), *operands[count:], **which)
    if damped and type(changes[-1]) is not ad.Zero:
        more = changes[-1] * solve_p.bind(u, operands[-1], problem=problem, faces=(), scale=1.0, damped=True)
        found = more if found is None else found + more
    return u, jax.numpy.zeros_like(u) if found is None else found


def _transpose(v, *operands, problem, faces, scale, damped):
    damping = operands[1 + len(faces):]
    if type(v) is ad.Zero:
        return [None] * len(operands)
    by = 1.0 if faces else scale
    back = problem.transpose(v, lambda x: solve_p.bind(x, *damping, problem=problem.default, faces=(), scale=by,
                                                        damped=damped))
    data = [problem.transpose.face(name, v, back) for name in faces]
    return [back * scale if faces else back, *data, *[None] * len(damping)]


def _batch(operands, dims, *, problem, faces, scale, damped):
    size = next(one.shape[dim] for one, dim in zip(operands, dims) if dim is not None)
    which = dict(problem=problem, faces=faces, scale=scale, damped=damped)
    *linear, damping = operands if damped else (*operands, None)

    def front(one, dim):
        if dim is None:
            return jax.numpy.broadcast_to(one, (size, *one.shape))
        return jax.numpy.moveaxis(one, dim, 0)

    linear = [front(one, dim) for one, dim in zip(linear, dims)]
    if damped and dims[-1] is not None:  # each has its own plan: one after the other
        return jax.lax.map(lambda each: solve_p.bind(*each, **which), (*linear, front(damping, dims[-1]))), 0
    whole = linear[0].shape
    if len(whole) == 5:  # with a batch that the field had already one larger batch
        linear = [one.reshape(-1, *one.shape[2:]) for one in linear]
    u = solve_p.bind(*linear, *[damping] * damped, **which)
    return u.reshape(whole), 0


ad.primitive_jvps[solve_p] = _jvp
ad.primitive_transposes[solve_p] = _transpose
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

    def __init__(self, shape: Sequence[int], *, spacing: Spacing, boundary: Boundaries, centering: Centerings = "cell",
                 widths: Optional[Widths] = None, coefficients: Optional[Coefficients] = None,
                 discretization: Discretization = "second-order", helmholtz: float = 0.0, gauge: Gauge = None,
                 batch: int = 1, engine: Engine = "automatic", memory: Memory = "automatic",
                 middle: Middle = "automatic", threads: int = 0):
        found = arguments(shape, spacing=spacing, widths=widths, coefficients=coefficients, boundary=boundary,
                          centering=centering, origin=0.0, discretization=discretization, helmholtz=helmholtz,
                          gauge=gauge, batch=batch, engine=engine, memory=memory, middle=middle, threads=threads,
                          device=0)
        self._problem = _Problem(found)
        self.shape: Tuple[int, ...] = tuple(found.shape)
        weakref.finalize(self, self._problem.forget)

    def __call__(self, f: Any, *, boundary_values: Optional[Mapping[str, Any]] = None, scale: Any = 1.0,
                 helmholtz: Any = None) -> jax.Array:
        """The solution for scale · f.

        f                (…, n0, n1, n2), float32 or float64: what stands before the last three axes is a batch
        boundary_values  {"x_lower": …}: what broadcasts to the points of the two other axes of that face, batch
                         before them
        scale            a number, or what jax differentiates
        helmholtz        None: what the solver was made with; or λ as a number or an array of one element, which jax
                         differentiates too. It is read on the host, on a GPU by a wait, and each value has a plan of
                         its own, of which the last four are kept; vmap over several takes one after the other

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
        if helmholtz is not None:
            helmholtz = jax.numpy.asarray(helmholtz, f.dtype)
            if helmholtz.size != 1:
                raise usage(f"helmholtz: found an array of shape {helmholtz.shape}, wanted one number")
            values.append(helmholtz.reshape(()))
        u = solve_p.bind(fields, *values, problem=self._problem, faces=tuple(boundary_values or ()),
                         scale=float(scale), damped=helmholtz is not None)
        return u.reshape(*batch, *self.shape)
