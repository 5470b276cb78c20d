"""A solver that is planned once and solves many times."""

from __future__ import annotations

from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, TypeVar

import numpy as np

from . import _core
from ._adjoint import Transpose
from ._arrays import library_of
from ._call import Call
from ._arguments import (Boundaries, Centerings, Coefficients, Discretization, Engine, Gauge, Lengths, Memory, Middle,
                         Spacing, Widths, arguments, spell_precision, with_default_gauge)
from ._host_arrays import readable
from ._planned import DirectSolver


_Kind = TypeVar("_Kind", bound="Solver")


class Pass(NamedTuple):
    """One of the passes over memory of the last solve."""

    name: str
    seconds: float
    bytes: float


class Solver(DirectSolver):
    """Solves (∇² − helmholtz) u = scale · f on a box of `shape` points, planned once.

    shape           (n0, n1, n2) stored points, x slowest: u[i, j, k] is at x_i, y_j, z_k
    dtype           float64 or float32: the elements of f and u, and the precision of the solve
    spacing         distance h of neighbouring points: one number, three, or {"x": …, "y": …, "z": …}. An array in
                    the place of a number holds the positions of an axis whose steps differ: the n + 1 faces of
                    cells, the n points of nodes, of periodic nodes n + 1 with the first once more. If they are
                    uniform to rounding, as np.linspace makes them, the axis is one of that spacing
    widths          {"y": …}: the steps themselves, from `origin` on, better than positions far from 0
    coefficients    {"y": (conductances, weights)}: a symmetric tridiagonal axis by its numbers; spacing or widths
                    then only say where points are
    boundary        "periodic", "dirichlet", "neumann", "free" (unbounded: f is 0 beyond the face),
                    "robin:ALPHA:BETA" (alpha u + beta ∂u/∂n), or "lower:upper"
                    where the faces of an axis differ: one for all axes, three, or a dictionary; a pair (lower, upper)
                    does for "lower:upper", ("robin", alpha, beta) for "robin:ALPHA:BETA"
    centering       "cell" (point j at origin + (j + 1/2) h) or "node" (origin + j h, both end points stored; a
                    periodic axis does not repeat the first): one, three, or a dictionary
    origin          the lower face of each axis; only `positions` depends on it
    discretization  "second-order": the 7-point stencil, solved to rounding; "spectral": the derivatives of the modes
    helmholtz       λ, in 1/length²
    gauge           what fixes a constant that the equations leave open, in singular problems and between one or two
                    pairs of free faces: "mean" (weighted mean 0), (i, j, k), u = 0 there, or "far", as u must be far
                    away. None: "mean", with free faces "far"
    mixed           transforms in single, residuals and solution in double (dtype float64, second-order, no batch)
    batch           the most fields that one solve will have
    engine          "host", "fused" or "cufft" (the last two on a GPU); "automatic": the fastest there is
    memory          on a GPU "fast" (two internal fields), "standard" (one), "low" (none), or "automatic": the first
                    that fits; on the host none has an internal field
    middle          the axis in the middle of the passes: "transform" it, "eliminate" it, or "automatic", what is
                    needed or faster; "cufft" transforms all
    threads         host threads; 0: all this process may use
    device          number of the GPU
    devices         [0, 1, …]: several GPUs, each with some planes of x. What is made is a SolverOnDevices, which solves
                    lists of arrays, one in the memory of each

    Arrays may be of NumPy, or of CuPy, PyTorch, JAX or any library with DLPack or the CUDA array interface, on the
    host or on the GPU of the solver. They are used where they lie: the last axis must be contiguous, other strides are
    free (pitches, ghost layers; elements between are not touched), elements must be of `dtype`. Arrays of NumPy in
    another order or byte order are copied once, with a CopyWarning; those of other libraries are refused. On a GPU a call is
    asynchronous on the current stream of the library that owns f, or on `stream`; on the host it blocks. (Engines of
    a GPU also take host arrays: their solve copies to the device and back, and blocks.)

    May be called from any thread; a second call waits for the first to return. Other threads of Python go on
    meanwhile. Cannot be pickled, nor used in a child of fork(): there UsageError is raised; make a new one. A child
    of a process that used a GPU cannot use GPUs at all, by CUDA's rules.

    Raises UsageError (a ValueError) naming the argument, what was found and what is wanted, OutOfMemoryError (a
    MemoryError), or Error with .name "unsupported", "resonant" (helmholtz < 0 meets an eigenvalue) or "device".
    """

    def __new__(cls: Type[_Kind], *arguments: Any, devices: Optional[Sequence[int]] = None, **options: Any) -> _Kind:
        kind: Any = cls
        if cls is Solver and devices is not None:
            from ._members import SolverOnDevices as kind  # whose base is this class
        made: _Kind = object.__new__(kind)
        return made

    def __init__(self, shape: Sequence[int], dtype: Any = np.float64, *, spacing: Spacing, boundary: Boundaries,
                 centering: Centerings = "cell", widths: Optional[Widths] = None,
                 coefficients: Optional[Coefficients] = None, origin: Lengths = 0.0,
                 discretization: Discretization = "second-order", helmholtz: float = 0.0, gauge: Gauge = None,
                 mixed: bool = False, batch: int = 1, engine: Engine = "automatic", memory: Memory = "automatic",
                 middle: Middle = "automatic", threads: int = 0, device: int = 0,
                 devices: Optional[Sequence[int]] = None):
        elements, precision = spell_precision(dtype, mixed)
        found = arguments(shape, spacing=spacing, widths=widths, coefficients=coefficients, boundary=boundary,
                          centering=centering, origin=origin, discretization=discretization, helmholtz=helmholtz,
                          gauge=gauge, batch=batch, engine=engine, memory=memory, middle=middle, threads=threads,
                          device=device)
        super().__init__(elements, found, _core.plan(precision, found))
        self._precision = precision
        self._transpose = self._adjoint = None

    def solve(self, f: Any, out: Any = None, *, scale: float = 1.0, boundary_values: Optional[Mapping[str, Any]] = None,
              stream: Any = None) -> Any:
        """The solution u of (∇² − helmholtz) u = scale · f with the values on the faces; returned, and in `out`.

        f                of the solver's shape, or (b, n0, n1, n2) with b ≤ batch for b right-hand sides; only read.
                         Its values at Dirichlet nodes do not matter
        out              where u goes, of the shape of f; may be f itself. None: a new array of f's library
        boundary_values  {"x_lower": …, "z_upper": …}: u on Dirichlet faces, its outward normal derivative on Neumann
                         faces, not scaled, 0 where not given. A number, or an array over the stored points of the two
                         other axes in index order, with the fields of a batch before them or one for all; of the
                         type of f and where f is. Arrays on the host are checked (finite, edges agree)
        stream           a CUDA stream (number, or object of PyTorch, CuPy, cuda.core) instead of the current one;
                         whoever gives it orders it against what uses `out` afterwards

        The bits of a batch are those of its fields solved alone.
        """
        call = Call(self._plan, f, out, stream)
        faces = boundary_values if boundary_values is None else call.faces(boundary_values)
        self._plan.solve(call.read, call.written, faces, scale, call.stream, call.keep)
        return call.finish()

    def apply(self, f: Any, out: Any = None, *, scale: float = 1.0, stream: Any = None) -> Any:
        """scale · (∇² − helmholtz) f through the transforms: the inverse of solve() up to rounding and the null
        space. Arrays as for solve()."""
        call = Call(self._plan, f, out, stream)
        self._plan.apply(call.read, call.written, scale, call.stream, call.keep)
        return call.finish()

    def adjoint(self, v: Any, *, scale: float = 1.0, faces: Sequence[str] = (), stream: Any = None) -> Any:
        """scale · Sᵀ v, S the solve without boundary values: for a function g of u = solve(f, scale=scale) with
        v = ∂g/∂u this is ∂g/∂f. One solve; beside it two sweeps over a field only where control volumes differ
        (Neumann and Robin nodes, steps that differ).

        v       an array as solve() takes it, or a batch
        faces   names such as "x_lower": the answer is then a pair, ∂g/∂f and a dictionary of the ∂g/∂(values of that
                face), arrays over the points of the two other axes. `scale` does not apply to these

        With a gauge other than the default a second solver is planned in the first call. What `stream` says holds
        for the solve alone: the products before and after it are on the current stream of the library."""
        if self._transpose is None:
            self._transpose = Transpose(self._arguments)
            self._adjoint = self._plan if not self._transpose.other_gauge else _core.plan(
                self._precision, with_default_gauge(self._arguments))

        def solve(f, by=1.0):
            call = Call(self._adjoint, f, None, stream)
            self._adjoint.solve(call.read, call.written, None, by, call.stream, call.keep)
            return call.finish()

        def scaled(f):
            return solve(f, scale)

        if not faces:
            return self._transpose(v, scaled)
        transposed = self._transpose(v, solve)
        return transposed * scale, {name: self._transpose.face(name, v, transposed) for name in faces}

    def as_linear_operator(self) -> Any:
        """The solve as a scipy.sparse.linalg.LinearOperator on flat arrays of NumPy: u = A⁻¹ f without boundary
        values, and its transpose. As the preconditioner of an equation with other coefficients it makes the number of
        iterations independent of the points."""
        from scipy.sparse.linalg import LinearOperator

        size = int(np.prod(self.shape))

        def apply(method):
            return lambda x: method(np.ascontiguousarray(x, self.dtype).reshape(self.shape)).reshape(size)

        return LinearOperator((size, size), matvec=apply(self.solve), rmatvec=apply(self.adjoint), dtype=self.dtype)

    def gradient(self, u: Any, out: Any = None, *, boundary_values: Optional[Mapping[str, Any]] = None,
                 f: Any = None, scale: float = 1.0, stream: Any = None) -> Any:
        """+∇u at the points of u, by the rules of the solve: an array (3, n0, n1, n2), of a batch (b, 3, n0, n1, n2).

        Central differences with second-order, beyond a face with the ghost values of its boundary_values, which are
        those u was solved with; one-sided of second order on Dirichlet nodes. Derivatives of the modes with spectral
        (no boundary_values). out must not overlap u. With free faces u is the solution of the last solve, whose
        values on them are known; spectral takes the f and scale that u is the solution of, since u in the box does not
        say its derivatives there: one more solve for each free axis, in host memory."""
        call = Call(self._plan, u, out, stream, components=True, name="u")
        faces = boundary_values if boundary_values is None else call.faces(boundary_values)
        self._plan.gradient(call.read, call.written, faces, None if f is None else call.also(f), scale, call.stream,
                            call.keep)
        return call.finish()

    def freeness(self, u: Any) -> float:
        """How far the values that the last solve, whose solution is u, found on free faces are from those of an empty
        space: 0 but for rounding, relative to max |u|, by Green's identity on the grid outside. second-order."""
        library_of(u)  # refuses masks
        return self._plan.freeness(readable(u, "u"))

    @property
    def mean_removed(self) -> float:
        """result.mean_removed. Waits."""
        return self.result.mean_removed

    @property
    def singular(self) -> bool:
        """result.singular. Waits."""
        return self.result.singular

    @property
    def passes(self) -> List[Pass]:
        """A Pass for each pass over memory of the last solve. Waits for it."""
        return [Pass(*found) for found in self._plan.passes()]

    @property
    def engine(self) -> str:
        """The engine chosen: "host", "fused" or "cufft"."""
        return self._plan.engine

    @property
    def memory(self) -> str:
        """The memory mode chosen: "fast", "standard" or "low"."""
        return self._plan.memory

    @staticmethod
    def workspace_bytes(shape: Sequence[int], dtype: Any = np.float64, *, spacing: Spacing, boundary: Boundaries,
                        centering: Centerings = "cell", widths: Optional[Widths] = None,
                        coefficients: Optional[Coefficients] = None, origin: Lengths = 0.0,
                        discretization: Discretization = "second-order", helmholtz: float = 0.0, gauge: Gauge = None,
                        mixed: bool = False, batch: int = 1, engine: Engine = "automatic", memory: Memory = "automatic",
                        middle: Middle = "automatic", threads: int = 0, device: int = 0) -> int:
        """The bytes that a Solver of these arguments will hold, exactly. Allocates nothing."""
        _, precision = spell_precision(dtype, mixed)
        return _core.workspace_bytes(precision, arguments(
            shape, spacing=spacing, widths=widths, coefficients=coefficients, boundary=boundary, centering=centering,
            origin=origin, discretization=discretization, helmholtz=helmholtz, gauge=gauge, batch=batch,
            engine=engine, memory=memory, middle=middle, threads=threads, device=device))
