"""The libraries that compare_peers.py sets beside this one, each planned for one problem.

A peer has
- `name`, `title`, `work` (what is measured), `where` ("host" or "gpu"),
- find(), which raises Missing where it is not installed, and fits(problem): whether it has a way to solve that problem.
Planned, it has
- `version`, `transform`,
- run(f, u): the seconds that it took, without bringing f to where it wants it and u from there,
- where `solves` is False, for transforms alone, check(f, u): what a solve has between them, untimed, so that these are
  checked as well.
"""

from .common import Missing, aligned, timed
from .fftw import Fftw
from .mkl import Mkl
from .pocketfft import Scipy
from .vkfft import Vkfft

ALL = (Fftw, Scipy, Mkl, Vkfft)

__all__ = ["ALL", "Missing", "aligned", "timed"]
