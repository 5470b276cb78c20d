"""What all solvers that are planned once tell of themselves."""

from __future__ import annotations

from typing import Any, List, NamedTuple, NoReturn, Tuple

import numpy as np

from . import _core


class Result(NamedTuple):
    """What one solve did."""

    singular: bool  #: constants are in the null space: no Dirichlet face, helmholtz == 0
    mean_removed: float  #: weighted mean of scale * f that was subtracted; 0 unless singular


class Planned:
    """Arguments and a plan of _core, which a class derived from this makes."""

    def __init__(self, dtype: str, arguments: _core.Arguments, plan: Any):
        self._dtype, self._arguments, self._plan = dtype, arguments, plan

    @property
    def shape(self) -> Tuple[int, int, int]:
        """The points of a field."""
        n0, n1, n2 = self._arguments.shape
        return n0, n1, n2

    @property
    def dtype(self) -> np.dtype[Any]:
        """The elements of fields."""
        return np.dtype(self._dtype)

    @property
    def threads(self) -> int:
        """Host threads at work."""
        return self._plan.threads

    @property
    def workspace(self) -> int:
        """Bytes held by the plan, on a GPU: there."""
        return self._plan.workspace

    @property
    def description(self) -> str:
        """One line: engine, threads or GPU, memory mode or method."""
        return self._plan.description

    def __repr__(self) -> str:
        shape = " x ".join(str(n) for n in self.shape)
        return f"<poisson3d.{type(self).__name__}: {shape} {self._dtype}, {self.description}>"

    def __reduce__(self) -> NoReturn:
        name = type(self).__name__
        article = "an" if name[:1] in "AEIOU" else "a"
        raise TypeError(f"{article} {name} holds memory and plans of this process and cannot be pickled or copied: "
                        "make it again from its arguments")


class DirectSolver(Planned):
    """What those that need no iteration tell besides."""

    @property
    def batch(self) -> int:
        """The most fields of one solve."""
        return self._arguments.batch

    @property
    def result(self) -> Result:
        """What the last solve did (of a batch, its first field). Waits for it."""
        return self.results[0]

    @property
    def results(self) -> List[Result]:
        """A Result for each field of the last solve. Waits for it."""
        return [Result(*result) for result in self._plan.results()]

    @property
    def positions(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The positions of the points along x, y and z, of a rank those of its own: three NumPy arrays."""
        x, y, z = (np.array(self._plan.positions(axis)) for axis in range(3))
        return x, y, z
