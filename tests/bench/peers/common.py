"""What peers share: the transforms that belong to a problem, loading of libraries, memory, time."""

import ctypes
import math
import time

import numpy as np


class Missing(Exception):
    """Why a library cannot be used here."""


def timed(work, *arguments):
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def axis_kind(n, lower, upper, centering):
    """The transform that diagonalises an axis, (name, type), its first unknown, and the angles of its modes."""
    k = np.arange(n)
    if lower == "periodic":
        return ("rfft", None), 0, 2 * np.pi * np.minimum(k, n - k) / n
    walls = (lower == "dirichlet", upper == "dirichlet")
    name = "dst" if walls[0] else "dct"
    if centering == "cell":
        if walls[0] != walls[1]:
            return (name, 4), 0, np.pi * (k + 0.5) / n
        return (name, 2), 0, np.pi * (k + walls[0]) / n
    if walls[0] != walls[1]:
        return (name, 3), int(walls[0]), np.pi * (k[:-1] + 0.5) / (n - 1)
    if walls[0]:
        return (name, 1), 1, np.pi * k[1:-1] / (n - 1)
    return (name, 1), 0, np.pi * k / (n - 1)


class Modes:
    """The three axes of a problem: the kind of each, where its unknowns are, the inverse eigenvalues."""

    def __init__(self, problem):
        found = [axis_kind(problem.shape[a], *problem.walls[a], problem.centering[a]) for a in range(3)]
        self.kinds = [kind for kind, _, _ in found]
        self.angles = [theta for _, _, theta in found]
        self.inside = tuple(slice(first, first + len(theta)) for _, first, theta in found)
        self.periodic = [a for a in range(3) if self.kinds[a][0] == "rfft"]
        self.problem = problem

    def inverse(self, halved=None, arrays=np):
        """In the type of the fields, as an array of the module `arrays`; axis `halved` keeps only the half of its modes
        that rfft makes."""
        angles = [t[: len(t) // 2 + 1] if a == halved else t for a, t in enumerate(self.angles)]
        spectral = self.problem.discretization == "spectral"
        lines = [arrays.asarray(-((t if spectral else 2 * np.sin(t / 2)) / h) ** 2)
                 for t, h in zip(angles, self.problem.spacing)]
        values = lines[0][:, None, None] + lines[1][:, None] + lines[2]
        values[values == 0] = np.inf  # the constant of a singular problem
        return (1 / values).astype(self.problem.dtype)


def load(*names):
    for name in names:
        try:
            return ctypes.CDLL(name)  # local: FFTW and oneMKL have functions of the same names
        except OSError as error:
            reason = str(error)
    raise Missing(reason)


def aligned(shape, dtype):
    """Memory that begins at a multiple of 64 bytes, as FFTW's plans and its later calls must agree on."""
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    memory = np.empty(size + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    return memory[begin:begin + size].view(dtype).reshape(shape)
