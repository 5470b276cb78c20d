"""The transpose of a solve: one more solve, with weights before and after it (poisson3d/adjoint.hpp has the formula).

Everything here is a product of three lines of numbers along x, y and z, applied with the operators of the library that
owns the field; so what differentiates these differentiates the transpose too.
"""

import numpy as np

from . import _core
from ._arrays import library_of
from ._errors import usage


class Transpose:
    """Of a plan and the arguments it was made from."""

    def __init__(self, arguments):
        self.arguments = arguments
        volumes, self._factors = _core.adjoint(arguments)
        volumes = [np.array(line) for line in volumes]
        self._inside = [(line > 0).astype(float) for line in volumes]  # 0 at Dirichlet nodes
        self._unknown = [(int(np.flatnonzero(line)[0]), int(np.flatnonzero(line)[-1])) for line in volumes]
        #: W = 1 along an axis whose volumes are the same: Sᵀ = S
        self._weights = [None if _same(line[line > 0]) else line / line.max() for line in volumes]
        self._inverses = [None if line is None else np.divide(1.0, line, out=np.zeros_like(line), where=line > 0)
                          for line in self._weights]
        self._pin = self._pin_of(volumes)
        self._lines = {}

    @property
    def other_gauge(self):
        """Is the transpose one of the same problem with its default gauge?"""
        return self._pin is not None

    def _pin_of(self, volumes):
        """m of S = (1 − 1 mᵀ) S₀, S₀ the solve with the default gauge: m = m_x m_y m_z. None where S is S₀."""
        gauge = self.arguments.gauge
        if gauge in ("", "far") or (gauge == "mean" and "free" not in self.arguments.boundary):
            return None
        if gauge == "mean":
            return [line / line.sum() for line in volumes]
        pins = [np.zeros_like(line) for line in volumes]
        for line, index in zip(pins, gauge.split(",")):
            line[int(index)] = 1.0
        return pins

    def __call__(self, v, solve):
        """Sᵀ v with solve = S₀."""
        if self._pin is not None:
            total = v.sum(axis=(-3, -2, -1), keepdims=True)
            v = v - self._times(total, self._pin)
        return self._times(solve(self._times(v, self._inverses)), self._weights)

    def _times(self, field, lines):
        for axis, line in enumerate(lines):
            if line is not None:
                field = field * self._line(field, line, axis)
        return field

    def _line(self, field, line, axis):
        """A line along an axis as an array of the library and the place of a field, made once for each."""
        library = library_of(field)
        key = (id(line), axis, library, library.device(field), field.dtype)
        if key not in self._lines:
            self._lines[key] = library.like(field, line.reshape([-1] + [1] * (2 - axis)))
        return self._lines[key]

    def _plane(self, field, axis, index):
        return field[(..., index) + (slice(None),) * (2 - axis)]

    def require_face(self, name):
        """Axis and side of a face that takes boundary values."""
        axis, side = "xyz".find(name[:1]), {"lower": 0, "upper": 1}.get(name[2:], -1)
        if axis < 0 or side < 0 or name[1:2] != "_":
            raise usage(f"faces: found {name!r}, wanted x_lower, x_upper, y_lower, …")
        if self._factors[axis][side] == 0:
            raise usage(f"faces: found {name!r}, wanted a face that takes boundary values")
        return axis, side

    def face(self, name, v, transposed):
        """The transpose of what data on a face does to u: from v and Sᵀ v, an array over that face."""
        axis, side = self.require_face(name)
        unknown, point = self._unknown[axis][side], (0, self.arguments.shape[axis] - 1)[side]
        data = self._plane(transposed, axis, unknown) * self._factors[axis][side]
        if unknown == point:
            return data
        # At Dirichlet nodes u is the data; where faces meet, that of the earlier axis.
        held = self._plane(v, axis, point)
        for other in range(axis):
            if not self._inside[other].all():
                held = held * self._line(held, self._inside[other], other + 1)  # a face has the two last axes
        return data + held


def _same(line):
    return bool((line == line[0]).all())
