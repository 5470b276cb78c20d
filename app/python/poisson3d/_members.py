"""A solver of several GPUs of this process, each of which has some planes of the box."""

from __future__ import annotations

import inspect
from typing import Any, List, Mapping, NoReturn, Optional, Sequence

import numpy as np

from . import _core
from ._arguments import (Boundaries, Centerings, Coefficients, Discretization, Gauge, Lengths, Spacing, Widths, arguments,
                         spell_dtype, spell_word, whole)
from ._arrays import Jax, library_of
from ._distributed import Box, Method, Traffic, Way
from ._errors import Error, usage
from ._member_calls import CallOfMembers, Member, as_list
from ._solver import Pass, Solver


class SolverOnDevices(Solver):
    """What Solver(…, devices=[0, 1]) makes: solves (∇² − helmholtz) u = scale · f on a box of `shape` points that
    several GPUs share, each of which has a slab: some planes of x.

    devices         the numbers of the GPUs, in the order of their slabs; one may stand several times
    planes          how many planes of x each has, 0 allowed; None: as even as can be, the first ones with one more
    method          along x "eliminate" (second-order, helmholtz ≥ 0; two planes travel), or "transpose" (the field
                    travels, twice; all axes uniform), or "automatic", eliminate where that is possible
    way             how what they send goes: "copies" of copy engines, "stores" of kernels into each other's memory, "nccl",
                    "staged" through host memory, "passes", which store what others need where it is needed
                    (members that transpose), or "automatic": passes between GPUs of a fast link, else the faster of
                    copies and stores, measured
    chunks          of "transpose": in how many a part is exchanged, beside the passes; 0: chosen by its size
    threads         host threads that launch the work of the GPUs; 0: all this process may use

    shape, dtype, spacing, widths, coefficients, boundary, centering, origin, discretization, helmholtz, gauge and batch
    are those of Solver, of the whole box. Free faces: of x alone, by "eliminate".

    f and u are lists with an array for each GPU: those of CuPy, PyTorch or JAX in its memory. They may also be one
    array of JAX that is sharded along x alone, over these GPUs in this order; or NumPy's, a list or one array of the
    whole box, which are copied to the GPUs and back.
    """

    def __init__(self, shape: Sequence[int], dtype: Any = np.float64, *, spacing: Spacing, boundary: Boundaries,
                 devices: Sequence[int], planes: Optional[Sequence[int]] = None, method: Method = "automatic",
                 way: Way = "automatic", chunks: int = 0, centering: Centerings = "cell", widths: Optional[Widths] = None,
                 coefficients: Optional[Coefficients] = None, origin: Lengths = 0.0,
                 discretization: Discretization = "second-order", helmholtz: float = 0.0, gauge: Gauge = None,
                 batch: int = 1, threads: int = 0, **of_one_device: Any):
        _refuse_what_one_device_has(of_one_device)
        numbers = [whole("devices", one) for one in as_list("devices", devices)]
        elements = spell_dtype(dtype)
        found = arguments(shape, spacing=spacing, widths=widths, coefficients=coefficients, boundary=boundary,
                          centering=centering, origin=origin, discretization=discretization, helmholtz=helmholtz,
                          gauge=gauge, batch=batch, engine="host", memory="automatic", middle="automatic",
                          threads=threads, device=0)
        cuts = _core.Cuts()
        cuts.word = "slabs"
        cuts.rows = [] if planes is None else [whole("planes", one) for one in as_list("planes", planes)]
        members, places = self._communicator(numbers)
        plan = _core.distributed_plan("single" if elements == "float32" else "double", found, members, places, cuts,
                                      spell_word("method", method), spell_word("way", way),
                                      whole("chunks", chunks))
        super(Solver, self).__init__(elements, found, plan)
        self._devices = numbers
        self._members = [Member(plan, m) for m in range(len(numbers))]
        having = [m for m in range(len(numbers)) if self.box(m).shape[0] > 0]
        self._ends = having[0], having[-1]

    @staticmethod
    def _communicator(numbers):
        """Who solves, and on which devices: tests without a GPU have members on threads."""
        return _core.on_devices(numbers), numbers

    def solve(self, f: Any, out: Any = None, *, scale: float = 1.0, boundary_values: Optional[Mapping[str, Any]] = None,
              stream: Any = None) -> Any:
        """The solution u of (∇² − helmholtz) u = scale · f with the values on the faces; returned, as f is given, and
        in `out`.

        f, out           a list of arrays, one for each GPU, of shape box(m).shape, or (b, …) with b ≤ batch; out may be
                         f, or a list in which arrays are those of f. Ghost layers and pitches as for Solver.solve(). Or
                         one sharded array of JAX (no out); or one array of NumPy of the whole box
        boundary_values  {"x_lower": …}: numbers; or arrays as f has them: of a face of x one array, on the GPU that
                         has that face; of faces of y and z a list, each over the planes of its GPU. With f as one
                         array of the whole box arrays of whole faces
        stream           a list of CUDA streams, one for each GPU, in the place of the current ones of the library that
                         owns f; whoever gives them orders them against what uses `out` afterwards

        Asynchronous in the stream of each GPU: it waits for what the streams hold when the call is made; a `result`
        waits. With arrays of NumPy it blocks. Where x is eliminated out must be apart from f, or f.
        """
        return self._run(f, out, boundary_values, stream,
                         lambda call: self._plan.solve(call.read, call.written, call.faces, scale, call.streams,
                                                       call.keep))

    def apply(self, f: Any, out: Any = None, *, scale: float = 1.0, stream: Any = None) -> Any:
        """scale · (∇² − helmholtz) f through the transforms, as Solver.apply() has it; arrays as for solve()."""
        return self._run(f, out, None, stream,
                         lambda call: self._plan.apply(call.read, call.written, scale, call.streams, call.keep))

    def gradient(self, u: Any, out: Any = None, *, boundary_values: Optional[Mapping[str, Any]] = None,
                 f: Any = None, scale: float = 1.0, stream: Any = None) -> Any:
        """+∇u at the points of u, as Solver.gradient() has it: of each GPU an array (3, *box(m).shape), of a batch
        (b, 3, …); of one array of the whole box one (3, n0, n1, n2). Arrays as for solve(); out must not overlap u. f, an
        array or arrays like u, and scale are for spectral with free faces. The first call plans and takes memory."""
        return self._run(u, out, boundary_values, stream,
                         lambda call: self._plan.gradient(call.read, call.written, call.faces, call.source, scale,
                                                          call.streams, call.keep),
                         components=True, source=f)

    def _run(self, f, out, boundary_values, stream, work, components=False, source=None):
        given, whole_array, sharding = f, None, None
        if isinstance(f, np.ndarray):
            wanted = (*f.shape[:-3], 3, *f.shape[-3:]) if components else f.shape
            whole_array = np.empty(wanted, f.dtype) if out is None else out
            if not isinstance(whole_array, np.ndarray) or whole_array.shape != wanted:
                raise usage(f"out: found another array than one of NumPy of shape {wanted}, which " +
                            ("gradients have" if components else "f is"))
            f = self._cut(f)
            out = f if whole_array is given else self._cut(whole_array)
            boundary_values = self._cut_faces(boundary_values)
            source = self._cut(source) if isinstance(source, np.ndarray) else source
        elif not isinstance(f, (list, tuple)):
            sharding = f.sharding if library_of(f) is Jax else None
            f = self._shards(f)
            source = None if source is None else self._shards(source)
            if out is not None:
                raise usage("out: found an array of JAX, which never changes, wanted None")
        call = CallOfMembers(self, f, out, boundary_values, stream, components, source)
        work(call)
        found = call.finish()
        if whole_array is not None:
            return whole_array
        if sharding is not None:
            import jax

            found = [u if u.device == slab.device else jax.device_put(u, slab.device) for u, slab in zip(found, f)]
            shape = given.shape
            if components:
                shape, sharding = (*shape[:-3], 3, *shape[-3:]), _with_components(sharding, len(shape))
            return jax.make_array_from_single_device_arrays(shape, sharding, found)
        return found

    def _cut(self, array):
        """Views of the slabs of an array of the whole box, or of faces of y and z."""
        if array.ndim < 3 or array.shape[-3] != self.shape[0]:
            raise usage(f"f: found shape {array.shape}, wanted {self.shape}, or a list of slabs")
        slabs = [self.box(m) for m in range(len(self._members))]
        return [array[..., box.offset[0]:box.offset[0] + box.shape[0], :, :] for box in slabs]

    def _cut_faces(self, values):
        if not isinstance(values, dict):
            return values
        slabs = [self.box(m) for m in range(len(self._members))]
        return {name: value if name[:1] == "x" or not isinstance(value, np.ndarray) or value.ndim < 2 else
                [value[..., box.offset[0]:box.offset[0] + box.shape[0], :] for box in slabs]
                for name, value in values.items()}

    def _shards(self, f):
        """The arrays that one of JAX has on each device, in the order of their planes."""
        if library_of(f) is not Jax:
            raise usage(f"f: found {type(f).__name__}, wanted a list of arrays, one for each GPU")
        if not f.is_fully_addressable:
            raise usage("f: found an array of JAX with shards of other processes, wanted one of this process")
        shards = sorted(f.addressable_shards, key=lambda shard: shard.index[-3].start or 0)
        first = [shard.index[-3].start or 0 for shard in shards]
        wanted = [self.box(m).offset[0] for m in range(len(self._members))]
        if first != wanted:
            raise usage(f"f: found an array of JAX whose shards begin at planes {first}, wanted {wanted}: sharded "
                        "along the first axis alone, over the devices of this solver")
        return [shard.data for shard in shards]

    def box(self, member: int) -> Box:
        """The points that a GPU has, counted as in `devices`."""
        return Box(*map(tuple, self._plan.box(whole("member", member))))

    @property
    def devices(self) -> List[int]:
        """The numbers of the GPUs."""
        return list(self._devices)

    @property
    def slices(self) -> List[slice]:
        """The planes of each GPU as an index of an array of the whole box."""
        boxes = [self.box(m) for m in range(len(self._members))]
        return [slice(offset[0], offset[0] + shape[0]) for offset, shape in boxes]

    @property
    def method(self) -> str:
        """The method chosen: "eliminate" or "transpose"."""
        return self._plan.method

    @property
    def traffic(self) -> Traffic:
        """What travels between the GPUs in a solve of one field."""
        return Traffic(*self._plan.traffic)

    def sent_by(self, member: int) -> Traffic:
        """The part of it that one GPU sends, counted from 0."""
        return Traffic(*self._plan.sent_by(member))

    # What Solver has besides, and members do not.

    def adjoint(self, v: Any, *, scale: float = 1.0, faces: Sequence[str] = (), stream: Any = None) -> NoReturn:
        _refuse("adjoint")

    def as_linear_operator(self) -> NoReturn:
        _refuse("as_linear_operator")

    def freeness(self, u: Any) -> NoReturn:
        _refuse("freeness")

    @staticmethod
    def workspace_bytes(*arguments: Any, **options: Any) -> NoReturn:
        _refuse("workspace_bytes")

    @property
    def passes(self) -> List[Pass]:
        _refuse("passes")

    @property
    def engine(self) -> str:
        _refuse("engine")

    @property
    def memory(self) -> str:
        _refuse("memory")


def _with_components(sharding, axes):
    """That of gradients, whose components come before the three axes of a box."""
    import jax

    if not isinstance(sharding, jax.sharding.NamedSharding):
        raise usage(f"u: found a {type(sharding).__name__}, wanted a NamedSharding, which says how a gradient is sharded")
    spec = [*sharding.spec, *[None] * (axes - len(sharding.spec))]
    return jax.sharding.NamedSharding(sharding.mesh, jax.sharding.PartitionSpec(*spec[:-3], None, *spec[-3:]))


def _refuse_what_one_device_has(given):
    defaults = {name: one.default for name, one in inspect.signature(Solver.__init__).parameters.items()}
    for name, value in given.items():
        if name not in ("mixed", "engine", "memory", "middle", "device"):
            raise TypeError(f"Solver got an unexpected keyword argument {name!r}")
        if value != defaults[name]:
            raise Error(f"{name}: found {value!r} with devices, wanted {defaults[name]!r}: that is of solvers on one "
                        "GPU", 21, "unsupported")


def _refuse(name) -> NoReturn:
    raise Error(f"{name}: a solver of several GPUs has none: make one for one GPU", 21, "unsupported")
