"""A solver for variable coefficients."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from . import _core
from ._arguments import Boundaries, Centerings, Coefficients, Gauge, Lengths, Spacing, Widths, arguments, spell_dtype
from ._arguments import number as real
from ._arguments import whole
from ._arrays import library_of
from ._call import Call
from ._errors import usage
from ._host_arrays import readable
from ._planned import Planned


class VariableResult(NamedTuple):
    """What one solve with a variable coefficient did."""

    converged: bool  #: residual is at most the tolerance, or what rounding leaves
    iterations: int  #: each with one solve of the problem with a constant coefficient
    residual: float  #: root mean square of f̃ − mean − A u over that of f̃ − mean, evaluated from u
    singular: bool  #: constants are in the null space: no Dirichlet face, helmholtz == 0
    mean_removed: float  #: weighted mean of scale * f that was subtracted; 0 unless singular


class VariableSolver(Planned):
    """Solves ∇·(ε ∇u) − helmholtz · u = scale · f, ε > 0 a field, on a box of `shape` points; planned once.

    By conjugate gradients, one fast solve with a constant coefficient in each iteration. For smooth ε iterations
    depend neither on the number of points nor much on how large and small ε becomes; where ε jumps between two
    points there are about three times as many.

    shape, dtype, spacing, widths, coefficients, boundary, centering, origin, helmholtz (≥ 0), gauge and threads are
    those of Solver (`coefficients` are numbers of single axes, not ε); no axis is free. Arrays of NumPy may have any
    strides and byte order, as for Solver.

    engine    "host", or "fused": a GPU, number `device`. There arrays lie in its memory, or in that of the host and are
              copied; either way a call returns when it is done

    scaling   θ, by which the operator is scaled: 1 for smooth ε, 0.5 where it jumps, 0 for none; None: 1 or 0.5, as
              the coefficient asks for
    """

    def __init__(self, shape: Sequence[int], dtype: Any = np.float64, *, spacing: Spacing, boundary: Boundaries,
                 centering: Centerings = "cell", widths: Optional[Widths] = None,
                 coefficients: Optional[Coefficients] = None, origin: Lengths = 0.0, helmholtz: float = 0.0,
                 gauge: Gauge = None, scaling: Optional[float] = None, engine: str = "host",
                 threads: int = 0, device: int = 0):
        elements = spell_dtype(dtype)
        found = arguments(shape, spacing=spacing, widths=widths, coefficients=coefficients, boundary=boundary,
                          centering=centering, origin=origin, discretization="second-order", helmholtz=helmholtz,
                          gauge=gauge, batch=1, engine=engine, memory="automatic", middle="automatic",
                          threads=threads, device=device)
        super().__init__(elements, found,
                         _core.variable_plan("single" if elements == "float32" else "double", found,
                                             None if scaling is None else real("scaling", scaling)))
        self._result: Optional[VariableResult] = None

    def set_coefficient(self, epsilon: Any, helmholtz: Any = None) -> None:
        """ε, and λ if it varies, which are copied; before the first solve, and whenever they change.

        epsilon    an array of `shape`: ε at the points, on faces between two the harmonic mean; or three, of shapes
                   (n0 + 1, n1, n2), (n0, n1 + 1, n2) and (n0, n1, n2 + 1): ε on the faces, entry j between points
                   j − 1 and j, the first and the last at the walls. All numbers are positive
        helmholtz  an array of `shape`: λ at the points, 0 or above, in the place of the number of the solver
        """
        damping = None if helmholtz is None else self._read(helmholtz, "helmholtz")
        if isinstance(epsilon, (tuple, list)):
            if len(epsilon) != 3:
                raise usage(f"coefficient: found {len(epsilon)} arrays, wanted one, or three for the faces of each axis")
            self._plan.set_faces([self._read(one, f"coefficient[{a}]") for a, one in enumerate(epsilon)], damping)
        else:
            self._plan.set_points(self._read(epsilon, "coefficient"), damping)

    def solve(self, f: Any, out: Any = None, *, scale: float = 1.0,
              boundary_values: Optional[Mapping[str, Any]] = None, tolerance: Optional[float] = None,
              max_iterations: int = 1000, guess: Any = None) -> Any:
        """The solution u with the values on the faces; returned, and in `out`. `result` then says whether it has
        converged.

        f, out           arrays of the solver's shape; out must not overlap f
        boundary_values  as for Solver.solve(): u on Dirichlet faces, its outward normal derivative (not ε times it)
                         on Neumann faces
        tolerance        of result.residual; None: 1e-8 in float64, 1e-5 in float32
        guess            an array near u, say that of the time step before, where the solve begins; may be out
        """
        call = Call(self._plan, f, out, None)
        faces = boundary_values if boundary_values is None else call.faces(boundary_values)
        self._result = VariableResult(*self._plan.solve(
            call.read, call.written, faces, scale, 0.0 if tolerance is None else self._tolerance(tolerance),
            whole("max_iterations", max_iterations, 1), None if guess is None else self._read(guess, "guess"), call.stream))
        return call.finish()

    def apply(self, u: Any, out: Any = None) -> Any:
        """∇·(ε ∇u) − helmholtz · u with homogeneous boundary values; 0 at Dirichlet nodes."""
        call = Call(self._plan, u, out, None, name="u")
        self._plan.apply(call.read, call.written, call.stream)
        return call.finish()

    @property
    def result(self) -> VariableResult:
        """What the last solve did."""
        if self._result is None:
            raise usage("no result: nothing was solved yet")
        return self._result

    @property
    def scaling(self) -> float:
        """θ, the one given or chosen."""
        return self._plan.scaling

    @staticmethod
    def _read(array, name):
        return library_of(array).export(readable(array, name), 0, False)  # ready before the default stream

    @staticmethod
    def _tolerance(value):
        found = real("tolerance", value)
        if not found > 0.0:
            raise usage(f"tolerance: found {value}, wanted a number above 0")
        return found
