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
import itertools
import weakref
from typing import Any, Mapping, Optional, Sequence, Tuple

import jax
import numpy as np
from jax.extend import core
from jax.interpreters import ad, batching, mlir
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from . import _core
from ._adjoint import Transpose
from ._arguments import (Boundaries, Centerings, Coefficients, Discretization, Engine, Gauge, Memory, Middle, Spacing,
                         Widths, arguments, spell_word, with_default_gauge)
from ._distributed import Method
from ._errors import usage

__all__ = ["ShardedSolver", "Solver"]


class _Traced(Transpose):
    """Its lines are constants of the program."""

    def _line(self, field, line, axis):
        return line.reshape([-1] + [1] * (2 - axis)).astype(field.dtype)


class _Divided(_Traced):
    """Of planes of x that many devices have one is taken by a sum, for which nothing else travels."""

    def _plane(self, field, axis, index):
        if axis > 0:
            return super()._plane(field, axis, index)
        one = np.zeros((self.arguments.shape[0], 1, 1), field.dtype)
        one[index] = 1
        return (field * one).sum(axis=-3)


class _Problem:
    """A problem as calls name it, and the one with the default gauge, for transposes. With `mesh` its planes are
    divided among the devices along an axis of that."""

    def __init__(self, found, *sharded):
        self.sharded = sharded
        if sharded:
            mesh, _, method = sharded
            numbers = [_ordinal(one) for one in mesh.devices.flat]
            self.number = _core.register_xla_members(found, numbers, method)
            self._forget = _core.forget_xla_members
            self.whole = _Problem(found)
        else:
            self.number = _core.register_xla_problem(found)
            self._forget = _core.forget_xla_plans
        self.transpose = _Divided(found) if sharded else _Traced(found)
        self.default = _Problem(with_default_gauge(found), *sharded) if self.transpose.other_gauge else self

    def forget(self):
        """Frees the plans; a compiled program that calls all the same plans again."""
        self._forget(self.number)
        if self.sharded:
            self.whole.forget()
        if self.default is not self:
            self.default.forget()

    def specs(self, f, faces):
        """What each device has of f, and of the arrays of faces."""
        _, axis, _ = self.sharded
        batch = (None,) * (f.ndim - 3)
        field = PartitionSpec(*batch, axis, None, None)
        return field, [PartitionSpec(*batch, None if name[0] == "x" else axis, None) for name in faces]


    def divided(self, f, values, faces):
        """The same arrays as the devices have them."""
        mesh, axis, _ = self.sharded
        kinds = dict(zip(mesh.axis_names, getattr(mesh, "axis_types", None) or ()))
        explicit = getattr(kinds.get(axis), "name", "") == "Explicit"
        place = jax.sharding.reshard if explicit else jax.lax.with_sharding_constraint
        field, of_faces = self.specs(f, faces)
        return (place(f, NamedSharding(mesh, field)),
                [place(one, NamedSharding(mesh, spec)) for one, spec in zip(values, of_faces)])


def _ordinal(device):
    """The number that XLA's calls know a device by."""
    return device.id if device.platform == "cpu" else device.local_hardware_id


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


# members_p.bind(f, *values, problem=…, faces=…, scale=…): what a device of the mesh does with its planes, in shard_map.
members_p: Any = core.Primitive("poisson3d_members")


members_p.def_abstract_eval(lambda f, *values, **which: f)


_sites = itertools.count()


def _lower_members(ctx, *operands, problem, faces, scale):
    rule = jax.ffi.ffi_lowering("poisson3d_members", has_side_effect=True)
    return rule(ctx, *operands, problem=np.int64(problem.number), site=np.int64(next(_sites)), faces=",".join(faces),
                scale=np.float64(scale))


#: Whether devices of the host solve together, too, as tests want it: XLA makes calls there in any order, so a program
#: may have no two that do not depend on each other.
_meet_on_host = False


def _in_shards(f, *values, meet, problem, faces, scale, damped):
    mesh, axis, _ = problem.sharded
    field, of_faces = problem.specs(f, faces)

    def solve_whole(f, *values):
        """Devices of the host, which have the same processors: each does all of it and keeps its planes."""
        planes, x = f.shape[-3], f.ndim - 3
        whole = jax.lax.all_gather(f, axis, axis=x, tiled=True)
        values = [one if name[0] == "x" else jax.lax.all_gather(one, axis, axis=x, tiled=True)
                  for name, one in zip(faces, values)]
        u = solve_p.bind(whole, *values, problem=problem.whole, faces=faces, scale=scale, damped=False)
        return jax.lax.dynamic_slice_in_dim(u, jax.lax.axis_index(axis) * planes, planes, x)

    body = functools.partial(members_p.bind, problem=problem, faces=faces, scale=scale) if meet else solve_whole
    return jax.shard_map(body, mesh=mesh, in_specs=(field, *of_faces), out_specs=field, check_vma=False)(f, *values)


def _lower(gpu, ctx, *operands, problem, faces, scale, damped):
    if problem.sharded:
        whole = mlir.lower_fun(functools.partial(_in_shards, meet=gpu or _meet_on_host, problem=problem, faces=faces,
                                                 scale=scale, damped=damped), multiple_results=False)
        return whole(ctx, *operands)
    rule = jax.ffi.ffi_lowering("poisson3d_solve")
    return rule(ctx, *operands, problem=np.int64(problem.number), faces=",".join(faces), scale=np.float64(scale),
                damped=np.bool_(damped))


def _bind(f, *others, problem, faces, **which):
    """solve_p.bind of arrays that lie where the problem wants them."""
    if problem.sharded:
        f, others = problem.divided(f, others, faces)
    return solve_p.bind(f, *others, problem=problem, faces=faces, **which)


def _jvp(operands, changes, *, problem, faces, scale, damped):
    """∂u = scale · S ∂f + E ∂values + ∂λ S u."""
    which = dict(problem=problem, faces=faces, scale=scale, damped=damped)
    u, count = _bind(*operands, **which), 1 + len(faces)
    found = None
    if any(type(one) is not ad.Zero for one in changes[:count]):
        found = _bind(*map(ad.instantiate_zeros, changes[:count]), *operands[count:], **which)
    if damped and type(changes[-1]) is not ad.Zero:
        more = changes[-1] * _bind(u, operands[-1], problem=problem, faces=(), scale=1.0, damped=True)
        found = more if found is None else found + more
    return u, jax.numpy.zeros_like(u) if found is None else found


def _transpose(v, *operands, problem, faces, scale, damped):
    damping = operands[1 + len(faces):]
    if type(v) is ad.Zero:
        return [None] * len(operands)
    by = 1.0 if faces else scale
    back = problem.transpose(v, lambda x: _bind(x, *damping, problem=problem.default, faces=(), scale=by,
                                                        damped=damped))
    data = [problem.transpose.face(name, v, back) for name in faces]
    back = back * scale if faces else back
    if problem.sharded:
        back, data = problem.divided(back, data, faces)
    return [back, *data, *[None] * len(damping)]


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
        return jax.lax.map(lambda each: _bind(*each, **which), (*linear, front(damping, dims[-1]))), 0
    whole = linear[0].shape
    if len(whole) == 5:  # with a batch that the field had already one larger batch
        linear = [one.reshape(-1, *one.shape[2:]) for one in linear]
    u = _bind(*linear, *[damping] * damped, **which)
    return u.reshape(whole), 0


ad.primitive_jvps[solve_p] = _jvp
ad.primitive_transposes[solve_p] = _transpose
batching.primitive_batchers[solve_p] = _batch
for _platform, _gpu in (("cpu", False), ("CUDA", True)):
    _handler = _core.xla_handler(_gpu)
    if _handler is not None:
        jax.ffi.register_ffi_target("poisson3d_solve", _handler, platform=_platform)
        jax.ffi.register_ffi_target("poisson3d_members", _core.xla_members_handler(_gpu), platform=_platform)
        mlir.register_lowering(solve_p, functools.partial(_lower, _gpu), platform=_platform.lower())
        mlir.register_lowering(members_p, _lower_members, platform=_platform.lower())


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
        return _solve(self._problem, self.shape, f, boundary_values, scale, helmholtz)


class ShardedSolver:
    """u = solver(f): a Solver whose box the devices of a mesh share, inside or outside of jax.jit. Each has some planes
    of x, as an array that is sharded over `axis` of the mesh along its third last axis; others XLA brings there.

        mesh = jax.make_mesh((2,), ("x",))
        solver = poisson3d.jax.ShardedSolver((512, 512, 512), mesh=mesh, axis="x", spacing=0.1, boundary="neumann")
        u = jax.jit(solver)(jax.device_put(f, NamedSharding(mesh, PartitionSpec("x"))))

    mesh     devices of this process, along `axis` alone: GPUs, which solve together; or of the host as many as JAX was
             told to have, each of which gathers f and does all of it, since they have the same processors
    method   as in poisson3d.SolverOnDevices: "eliminate", "transpose" or "automatic"

    The other arguments are those of Solver. Derivatives and vmap are its, too; `helmholtz` is no argument of the call.
    The planes must be a multiple of the devices. A program that runs on some devices of the mesh alone waits five
    minutes for the others and fails.
    """

    def __init__(self, shape: Sequence[int], *, mesh: Mesh, axis: str, spacing: Spacing, boundary: Boundaries,
                 method: Method = "automatic", centering: Centerings = "cell", widths: Optional[Widths] = None,
                 coefficients: Optional[Coefficients] = None, discretization: Discretization = "second-order",
                 helmholtz: float = 0.0, gauge: Gauge = None, batch: int = 1):
        found = arguments(shape, spacing=spacing, widths=widths, coefficients=coefficients, boundary=boundary,
                          centering=centering, origin=0.0, discretization=discretization, helmholtz=helmholtz,
                          gauge=gauge, batch=batch, engine="automatic", memory="automatic", middle="automatic",
                          threads=0, device=0)
        self.shape: Tuple[int, ...] = tuple(found.shape)
        if axis not in mesh.shape:
            raise usage(f"axis: found {axis!r}, wanted one of the mesh, which has {', '.join(mesh.shape)}")
        members = mesh.shape[axis]
        if mesh.size != members:
            raise usage(f"mesh: found {mesh.size} devices, {members} of them along {axis!r}, wanted all along it")
        if any(one.process_index != jax.process_index() for one in mesh.devices.flat):
            raise usage("mesh: found devices of other processes, wanted those of this one")
        if self.shape[0] % members:
            raise usage(f"shape: found {self.shape[0]} planes on {members} devices, wanted a multiple")
        self._problem = _Problem(found, mesh, axis, spell_word("method", method))
        weakref.finalize(self, self._problem.forget)

    def __call__(self, f: Any, *, boundary_values: Optional[Mapping[str, Any]] = None, scale: Any = 1.0) -> jax.Array:
        """The solution for scale · f, sharded as `axis` says; arguments as of Solver.__call__, of the whole box."""
        return _solve(self._problem, self.shape, f, boundary_values, scale, None)


def _solve(problem, shape, f, boundary_values, scale, helmholtz):
    f = jax.numpy.asarray(f)
    if f.shape[-3:] != shape:
        raise usage(f"f: found {f.shape}, wanted (…, {', '.join(map(str, shape))})")
    if f.dtype not in (np.float32, np.float64):
        raise usage(f"f: found {f.dtype}, wanted float32 or float64")
    if not isinstance(scale, (int, float)):
        f, scale = f * scale, 1.0
    batch = f.shape[:-3]
    values = []
    for name, one in (boundary_values or {}).items():
        face = [n for a, n in enumerate(shape) if a != "xyz".find(name[:1])]
        one = jax.numpy.broadcast_to(jax.numpy.asarray(one, f.dtype), (*batch, *face))
        values.append(one.reshape(-1, *face) if batch else one)
        problem.transpose.require_face(name)
    fields = f.reshape(-1, *shape) if batch else f
    if helmholtz is not None:
        helmholtz = jax.numpy.asarray(helmholtz, f.dtype)
        if helmholtz.size != 1:
            raise usage(f"helmholtz: found an array of shape {helmholtz.shape}, wanted one number")
        values.append(helmholtz.reshape(()))
    u = _bind(fields, *values, problem=problem, faces=tuple(boundary_values or ()),
                     scale=float(scale), damped=helmholtz is not None)
    return u.reshape(*batch, *shape)
