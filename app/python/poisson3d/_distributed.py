"""A solver of several processes, each of which has a box of the grid."""

from __future__ import annotations

from typing import Any, List, Literal, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._arguments import (Boundaries, Centerings, Coefficients, Discretization, Gauge, Lengths, Spacing, Widths, arguments,
                         spell_dtype, spell_word, whole)
from ._call import Call
from ._errors import Error, usage
from ._member_calls import CallOfMembers, Member
from ._planned import DirectSolver

Decomposition = Union[Literal["automatic", "slabs", "pencils"], Tuple[int, int], Tuple[Sequence[int]],
                      Tuple[Sequence[int], Sequence[int]]]
Method = Literal["automatic", "eliminate", "transpose"]
Way = Literal["automatic", "copies", "stores", "nccl", "staged", "passes", "mpi"]


class Traffic(NamedTuple):
    """What travels between all members in one solve."""

    messages: int
    bytes: float


class Box(NamedTuple):
    """A part of the grid."""

    offset: Tuple[int, int, int]  #: indices of its first point
    shape: Tuple[int, int, int]  #: its points


class DistributedSolver(DirectSolver):
    """Solves (∇² − helmholtz) u = scale · f on a box of `shape` points that the ranks of an MPI communicator share:
    each has the points of its box, f and u there, in host memory or on a GPU.

    comm            a communicator of mpi4py, or what its py2f() gives, the integer that is its handle in Fortran; it
                    is duplicated. None: this process alone. mpi4py is not imported here; it must be that of the MPI
                    that poisson3d was built with
    decomposition   who has what: "slabs", planes of x, as even as can be; "pencils", which are cut along y too, in a
                    grid of ranks near a square; "automatic", slabs while there are planes for all, then pencils;
                    (p, q), p × q pencils, rank q·r + c in row r and column c, as in Cartesian communicators; or
                    ([planes of each rank],) and ([x points of each row], [y points of each column])
    order           ranks in another order: the box of rank m is the one that rank order[m] would have
    box             in the place of both (offset, shape) of the points that this rank has anyway, whatever others have: all
                    boxes together have every point once. If they are slabs or pencils they are solved as such; others
                    travel to those of "automatic" and back in every solve
    method          along x "eliminate" (second-order, helmholtz ≥ 0; two planes travel), or "transpose" (the field
                    travels, twice; all axes uniform), or "automatic", eliminate where that is possible
    device          None: ranks work on the host; or on all ranks the number of the GPU of each, or "automatic": ranks of
                    a host take the GPUs that they see in turn
    way             with device: how what they send goes: "copies" of copy engines, within a host; "nccl"; "mpi", messages
                    from device memory; "staged", through page-locked memory; "automatic", copies within a host, else
                    nccl, else of mpi and staged the faster one, measured
    chunks          with device, of "transpose": in how many a part is exchanged; 0: chosen by its size

    shape, dtype, spacing, widths, coefficients, boundary, centering, origin, discretization, helmholtz, gauge and batch
    are those of Solver, of the whole box, and the same on all ranks. threads: of this rank; 0: all it may use, which
    ranks with the same processors share evenly. Of a solver, shape is that of the whole box; positions are those of this
    rank's points, threads and workspace those of this rank.

    To make a solver, to solve, to apply and to differentiate are calls of all ranks, in the same order. What one of them refuses all
    refuse: it raises what says why, the others an Error that says so. The communicator's duplicate is freed with the
    solver, again a call of all ranks. Free faces: of x alone, by "eliminate".

        solver = poisson3d.DistributedSolver((512, 512, 512), spacing=0.1, boundary="neumann", comm=MPI.COMM_WORLD)
        f = np.empty(solver.local_shape)             # f of the whole box at solver.slices
        u = solver.solve(f)
    """

    def __init__(self, shape: Sequence[int], dtype: Any = np.float64, *, spacing: Spacing, boundary: Boundaries,
                 comm: Any = None, decomposition: Decomposition = "automatic", order: Optional[Sequence[int]] = None,
                 box: Optional[Tuple[Sequence[int], Sequence[int]]] = None, method: Method = "automatic",
                 centering: Centerings = "cell", widths: Optional[Widths] = None,
                 coefficients: Optional[Coefficients] = None, origin: Lengths = 0.0,
                 discretization: Discretization = "second-order", helmholtz: float = 0.0, gauge: Gauge = None,
                 batch: int = 1, threads: int = 0, device: Union[None, int, Literal["automatic"]] = None,
                 way: Way = "automatic", chunks: int = 0):
        self._members, places = _communicator(comm, device)
        try:
            elements = spell_dtype(dtype)
            found = arguments(shape, spacing=spacing, widths=widths, coefficients=coefficients, boundary=boundary,
                              centering=centering, origin=origin, discretization=discretization, helmholtz=helmholtz,
                              gauge=gauge, batch=batch, engine="host", memory="automatic", middle="automatic",
                              threads=threads, device=0)
            cuts = _cuts(decomposition, order, box)
            method = spell_word("method", method)
            way, chunks = spell_word("way", way), whole("chunks", chunks)
        except BaseException:
            self._members.refuse()
            raise
        super().__init__(elements, found, _core.distributed_plan(
            "single" if elements == "float32" else "double", found, self._members, places, cuts, method, way,
            chunks))
        self._here = _Here(self._plan) if places else None

    def solve(self, f: Any, out: Any = None, *, scale: float = 1.0,
              boundary_values: Optional[Mapping[str, Any]] = None, stream: Any = None) -> Any:
        """The solution u of (∇² − helmholtz) u = scale · f with the values on the faces, at the points of this rank;
        returned, and in `out`. A call of all ranks, which blocks, on a GPU until all is launched.

        f, out           arrays of local_shape, or (b, *local_shape) with b ≤ batch, the same b on all ranks; out may
                         be f itself. Ghost layers and pitches as for Solver.solve()
        boundary_values  of each face the part that this rank's box touches, in the shape of that part; those of faces
                         that it does not touch are ignored, and must have the shape of the box there
        stream           on a GPU a CUDA stream in the place of the current one of the library that owns f

        On a GPU arrays are those of CuPy, PyTorch or JAX in its memory, in the order of their streams; or NumPy's, which
        are copied there and back. Where x is eliminated out must be apart from f, or f.
        """
        call = self._call(f, out, boundary_values, stream)
        self._plan.solve(call.read, call.written, call.faces, scale, call.streams, call.keep)
        return call.finish()[0]

    def apply(self, f: Any, out: Any = None, *, scale: float = 1.0, stream: Any = None) -> Any:
        """scale · (∇² − helmholtz) f through the transforms, as Solver.apply() has it. A call of all ranks."""
        call = self._call(f, out, None, stream)
        self._plan.apply(call.read, call.written, scale, call.streams, call.keep)
        return call.finish()[0]

    def gradient(self, u: Any, out: Any = None, *, boundary_values: Optional[Mapping[str, Any]] = None,
                 f: Any = None, scale: float = 1.0, stream: Any = None) -> Any:
        """+∇u at the points of this rank, as Solver.gradient() has it: an array (3, *local_shape), of a batch
        (b, 3, *local_shape). boundary_values are those u was solved with; with free faces u is the solution of the last
        solve; spectral takes the f and scale there that u is the solution of. A call of all ranks; the first one
        plans."""
        call = self._call(u, out, boundary_values, stream, components=True, source=f)
        self._plan.gradient(call.read, call.written, call.faces, call.source, scale, call.streams, call.keep)
        return call.finish()[0]

    def _call(self, f, out, boundary_values, stream, components=False, source=None):
        try:
            if self._here is None:
                return _CallOnHost(self._plan, f, out, boundary_values, stream, components, source)
            given = [f]
            return CallOfMembers(self._here, given, given if out is f else None if out is None else [out],
                                 self._here.parts(boundary_values), None if stream is None else [stream], components,
                                 None if source is None else [source])
        except BaseException:
            self._members.refuse()
            raise

    @property
    def size(self) -> int:
        """How many ranks there are."""
        return self._members.size

    @property
    def rank(self) -> int:
        """The number of this one."""
        return self._members.mine

    def box(self, rank: Optional[int] = None) -> Box:
        """What a rank has; None: this one."""
        return Box(*map(tuple, self._plan.box(self.rank if rank is None else whole("rank", rank))))

    @property
    def offset(self) -> Tuple[int, int, int]:
        """The indices of this rank's first point in the whole box."""
        return self.box().offset

    @property
    def local_shape(self) -> Tuple[int, int, int]:
        """The points of this rank; one number may be 0."""
        return self.box().shape

    @property
    def slices(self) -> Tuple[slice, slice, slice]:
        """The points of this rank as an index of an array of the whole box."""
        offset, shape = self.box()
        x, y, z = (slice(first, first + count) for first, count in zip(offset, shape))
        return x, y, z

    @property
    def method(self) -> str:
        """The method chosen: "eliminate" or "transpose"."""
        return self._plan.method

    @property
    def traffic(self) -> Traffic:
        """What travels between all ranks in a solve of one field."""
        return Traffic(*self._plan.traffic)

    def sent_by(self, member: int) -> Traffic:
        """The part of it that one rank sends, counted from 0."""
        return Traffic(*self._plan.sent_by(member))


class _CallOnHost:
    """A call of this rank's member, as CallOfMembers has it."""

    streams: List[int] = []
    keep = False

    def __init__(self, plan, f, out, boundary_values, stream, components, source):
        if stream is not None:
            raise usage("stream: found one of ranks on the host, wanted None")
        self._call = Call(plan, f, out, None, components, name="u" if components else "f")
        self.faces = [] if boundary_values is None else [self._call.faces(boundary_values)]
        self.read, self.written = [self._call.read], [self._call.written]
        self.source = [] if source is None else [self._call.also(source)]

    def finish(self):
        return [self._call.finish()]


class _Here:
    """This rank's member on a GPU, as CallOfMembers sees a solver of one: it has all that this process has of faces."""

    _ends = 0, 0

    def __init__(self, plan):
        self._members = [Member(plan, 0)]

    @staticmethod
    def parts(values):
        if not isinstance(values, dict):
            return values
        return {name: [value] if name[:1] != "x" and len(getattr(value, "shape", ())) > 0 else value
                for name, value in values.items()}


def _communicator(comm, device):
    """Who solves, and the numbers of the GPUs of those of this process, if they are on some."""
    if comm is None:
        if device is None:
            return _core.on_threads(1), []
        places = [0 if device == "automatic" else whole("device", device)]
        return _core.on_devices(places), places
    try:
        from . import _mpi
    except ImportError as missing:
        raise Error(f"comm: this package has no ranks of MPI ({missing}): build it where MPI is found", 21,
                    "unsupported") from None
    handle = comm.py2f() if hasattr(comm, "py2f") else comm
    if isinstance(handle, bool) or not isinstance(handle, int):
        raise usage(f"comm: found {comm!r}, wanted a communicator of mpi4py, or its handle in Fortran")
    if device is None:
        return _mpi.communicator(handle), []
    try:
        places = [_mpi.device_of_rank(handle) if isinstance(device, str) and device == "automatic" else
                  whole("device", device)]
    except BaseException:
        _mpi.communicator(handle).refuse()  # others, which make theirs, hear of it
        raise
    return _mpi.communicator(handle, places[0]), places


def _cuts(decomposition, order, box):
    cuts = _core.Cuts()
    if box is not None:
        if decomposition != "automatic" or order is not None:
            raise usage("box: found with decomposition or order, wanted neither")
        if not isinstance(box, (tuple, list)) or len(box) != 2 or any(len(one) != 3 for one in box):
            raise usage(f"box: found {box!r}, wanted (offset, shape), each of three numbers")
        cuts.box = tuple([whole("box", n) for n in one] for one in box)
    cuts.order = [] if order is None else [whole("order", one) for one in order]
    if isinstance(decomposition, str):
        cuts.word = decomposition
        return cuts
    if not isinstance(decomposition, (tuple, list)) or len(decomposition) not in (1, 2):
        raise usage(f"decomposition: found {decomposition!r}, wanted 'automatic', 'slabs', 'pencils', (p, q), "
                    "([planes],) or ([x points], [y points])")
    if all(isinstance(one, (tuple, list, np.ndarray)) and len(one) > 0 for one in decomposition):
        cuts.rows, *columns = ([whole("decomposition", n) for n in one] for one in decomposition)
        cuts.columns = columns[0] if columns else []
    elif len(decomposition) == 2:
        cuts.members = [whole("decomposition", one, 1) for one in decomposition]
    else:
        raise usage(f"decomposition: found {decomposition!r}, wanted ([planes of each rank],)")
    return cuts
