"""What all solvers that are planned once tell of themselves."""

from __future__ import annotations

from typing import Any, NoReturn, Tuple

import numpy as np

from . import _core


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
