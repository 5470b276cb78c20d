"""oneMKL by its C interface."""

import ctypes
import math
import os
import pathlib
import sys
import time

import numpy as np

from .common import Missing, load, timed


class Mkl:
    """oneMKL's solver of −Δu + q u = F on nodes, in place, x fastest: F = f and u = −its solution. A periodic axis
    repeats its first point at its end, so that cells serve as well there. A solve is the part of its commit step that
    takes in a new right-hand side, and the solver. Singular problems it solves only for f without a mean."""

    name, title, where, solves = "mkl", "MKL", "host", True
    work = "a whole solve by oneMKL, in place, of problems it has: nodes, or periodic"
    ALL, FIELD_ONLY = 0, 9  # what the first setting tells the commit step to do

    @staticmethod
    def find():
        # Its threads wait for their next loop by spinning, 200 ms long if nobody says otherwise, in which our next
        # solve would share the processors with them. A millisecond bridges the gaps within one of its solves.
        os.environ.setdefault("KMP_BLOCKTIME", "1")
        named = os.environ.get("POISSON3D_MKL")
        installed = sorted(map(str, pathlib.Path(sys.prefix, "lib").glob("libmkl_rt.so*")))  # the package mkl
        library = load(*([named] if named else [*installed, "libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"]))
        if not hasattr(library, "d_helmholtz_3d"):
            raise Missing("its library has no d_helmholtz_3d")
        library.MKL_Set_Interface_Layer(0)  # integers of 32 bits
        library.MKL_Set_Dynamic(0)  # as many threads as we have, also where it thinks that fewer would do
        numbers = (ctypes.c_int * 16)()  # MKLVersion: three ints, then texts
        library.MKL_Get_Version(numbers)
        Mkl.library, Mkl.version = library, ".".join(map(str, numbers[:3]))

    @staticmethod
    def stored(problem):
        return [n + (walls[0] == "periodic") for n, walls in zip(problem.shape, problem.walls)]

    @staticmethod
    def fits(problem):
        """It counts in int, wants four intervals for its own transforms, and takes an odd number of them along a
        periodic axis without a word and solves it wrongly, but for the slowest."""
        if problem.discretization != "second-order":
            return False
        for a in range(3):
            periodic = problem.walls[a][0] == "periodic"
            if (not periodic and problem.centering[a] == "cell") or (periodic and a > 0 and problem.shape[a] % 2):
                return False
        stored = Mkl.stored(problem)
        return min(stored) >= 5 and math.prod(stored) < 2**31

    def __init__(self, problem, threads):
        self.letter = "s" if problem.dtype == np.float32 else "d"
        self.transform = f"{self.letter}_Helmholtz_3D"
        self.singular = problem.singular
        self.library.MKL_Set_Num_Threads(threads)
        stored = self.stored(problem)
        self.field = np.zeros(stored, problem.dtype)
        self.pad = [(0, stored[a] - problem.shape[a]) for a in range(3)]
        self.own = tuple(slice(n) for n in problem.shape)
        real = ctypes.c_float if self.letter == "s" else ctypes.c_double
        self.zeros = np.zeros(max(stored) ** 2, problem.dtype)  # boundary values of any face
        self.numbers = np.zeros(13 * (stored[1] + stored[2]) // 2 + 9, problem.dtype)
        self.settings = (ctypes.c_int * 128)()
        self.handles = ctypes.c_void_p(), ctypes.c_void_p()
        zero, q, status = real(0), real(0), ctypes.c_int()
        bounds, intervals, walls = [], [], ""
        for a in (2, 1, 0):
            bounds += [ctypes.byref(zero), ctypes.byref(real((stored[a] - 1) * problem.spacing[a]))]
            intervals.append(ctypes.byref(ctypes.c_int(stored[a] - 1)))
            walls += "".join(face[0].upper() for face in problem.walls[a])
        self.call("init_helmholtz_3d")(*bounds, *intervals, walls.encode(), ctypes.byref(q), self.settings,
                                       self.pointer(self.numbers), ctypes.byref(status))
        self.require(status, "initialise")
        self.settings[1] = self.settings[2] = 0  # prints neither errors nor warnings
        self.commit(self.ALL)

    def __del__(self):
        if hasattr(self, "handles"):
            x, y = map(ctypes.byref, self.handles)
            self.library.free_helmholtz_3d(x, y, self.settings, ctypes.byref(ctypes.c_int()))

    def call(self, name):
        return getattr(self.library, f"{self.letter}_{name}")

    @staticmethod
    def pointer(array):
        return ctypes.c_void_p(array.ctypes.data)

    @staticmethod
    def require(status, what):
        if status.value < 0:  # above 0 are warnings: that a singular problem is one
            raise RuntimeError(f"oneMKL could not {what} this problem, status {status.value}")

    def step(self, name, what):
        status = ctypes.c_int()
        self.call(name)(self.pointer(self.field), *[self.pointer(self.zeros)] * 6, *map(ctypes.byref, self.handles),
                        self.settings, self.pointer(self.numbers), ctypes.byref(status))
        self.require(status, what)

    def commit(self, part):
        self.settings[0] = part
        self.step("commit_helmholtz_3d", "prepare")

    def run(self, f, u):
        self.field[...] = np.pad(f, self.pad, mode="wrap")
        if self.singular:
            self.remove_mean()
        seconds = timed(lambda: (self.commit(self.FIELD_ONLY), self.step("helmholtz_3d", "solve")))
        np.negative(self.field[self.own], out=u)
        time.sleep(0.002)  # until its threads have gone to sleep
        return seconds

    def remove_mean(self):
        """Ends count half, be they walls or the same point twice."""
        mean = self.field.astype("f8")
        for n in self.field.shape:
            weights = np.ones(n)
            weights[[0, -1]] = 0.5
            mean = np.tensordot(weights / (n - 1), mean, (0, 0))
        self.field -= self.field.dtype.type(mean)
