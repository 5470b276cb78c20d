"""FFTW by its C interface."""

import ctypes
import math

import numpy as np

from .common import Missing, Modes, aligned, load, timed


class Dimension(ctypes.Structure):
    """fftw_iodim64"""

    _fields_ = [(field, ctypes.c_ssize_t) for field in ("n", "input", "output")]


class Fftw:
    """FFTW's 3-D transforms of the unknowns, where they lie in the stored field. By its C interface, since pyfftw has
    no R2HC, which partly periodic boxes want."""

    name, title, where, solves = "fftw", "FFTW", "host", False
    work = ("its transforms alone, forward and back, FFTW_MEASURE, out of place (r2c and c2r where all axes are "
            "periodic, else r2r)")
    MEASURE, DESTROY_INPUT, PRESERVE_INPUT = 0, 1, 16
    R2HC, HC2R = 0, 1
    # Forward, backward and the normalisation for n unknowns, by kind; fftw_r2r_kind.
    KINDS = {("rfft", None): (R2HC, HC2R, lambda n: n),
             ("dct", 1): (3, 3, lambda n: 2 * (n - 1)), ("dct", 2): (5, 4, lambda n: 2 * n),
             ("dct", 3): (4, 5, lambda n: 2 * n), ("dct", 4): (6, 6, lambda n: 2 * n),
             ("dst", 1): (7, 7, lambda n: 2 * (n + 1)), ("dst", 2): (9, 8, lambda n: 2 * n),
             ("dst", 3): (8, 9, lambda n: 2 * n), ("dst", 4): (10, 10, lambda n: 2 * n)}

    @staticmethod
    def find():
        Fftw.calls = {}
        for dtype, prefix in (("float64", "fftw"), ("float32", "fftwf")):
            file = "lib" + prefix.replace("fftw", "fftw3")
            library, threads = load(file + ".so.3"), load(file + "_threads.so.3")
            if getattr(threads, prefix + "_init_threads")() == 0:
                raise Missing("FFTW cannot start its threads")
            Fftw.calls[dtype] = library, threads, prefix
            for kind in ("r2r", "dft_r2c", "dft_c2r"):
                getattr(library, f"{prefix}_plan_guru64_{kind}").restype = ctypes.c_void_p
        Fftw.version = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, "fftwf_version"))).decode()

    @staticmethod
    def fits(problem):
        return True

    def __init__(self, problem, threads):
        library, with_threads, prefix = self.calls[problem.dtype.name]
        call = lambda name: getattr(library, f"{prefix}_{name}")  # noqa: E731
        modes = Modes(problem)
        shape = list(problem.shape)
        self.complex = len(modes.periodic) == 3
        self.transform = "r2c + c2r" if self.complex else "r2r"
        half = shape[:2] + [shape[2] // 2 + 1]
        complex_type = np.result_type(problem.dtype, np.complex64)
        f, u = aligned(shape, problem.dtype), aligned(shape, problem.dtype)
        self.middle = aligned(half, complex_type) if self.complex else aligned(shape, problem.dtype)
        self.inside, self.modes, self.norm = modes.inside, modes, 1
        dims, back = (Dimension * 3)(), (Dimension * 3)()
        kinds = (ctypes.c_int * 3)(), (ctypes.c_int * 3)()
        for a in range(3):
            n = len(modes.angles[a])
            forward, backward, scale = self.KINDS[modes.kinds[a]]
            kinds[0][a], kinds[1][a] = forward, backward
            self.norm *= scale(n)
            strides = math.prod(shape[a + 1:]), math.prod((half if self.complex else shape)[a + 1:])
            dims[a], back[a] = Dimension(n, *strides), Dimension(n, *strides[::-1])
        getattr(with_threads, prefix + "_plan_with_nthreads")(threads)
        plan = (lambda kind, *arguments: ctypes.c_void_p(  # noqa: E731
            call("plan_guru64_" + kind)(3, arguments[0], 0, None, *arguments[1:])))
        to, frm = (self.address(f), self.address(self.middle)), (self.address(self.middle), self.address(u))
        first, second = self.MEASURE | self.PRESERVE_INPUT, self.MEASURE | self.DESTROY_INPUT
        if self.complex:
            self.plans = plan("dft_r2c", dims, *to, first), plan("dft_c2r", back, *frm, second)
            self.execute = call("execute_dft_r2c"), call("execute_dft_c2r")
        else:
            self.plans = plan("r2r", dims, *to, kinds[0], first), plan("r2r", back, *frm, kinds[1], second)
            self.execute = call("execute_r2r"), call("execute_r2r")
        self.destroy = call("destroy_plan")
        if not all(one.value for one in self.plans):
            raise RuntimeError("FFTW refuses to plan this problem")

    def __del__(self):
        for plan in getattr(self, "plans", ()):
            self.destroy(plan)

    def address(self, field):
        return ctypes.c_void_p(field[self.inside].ctypes.data)

    def run(self, f, u, between=lambda: None):
        at = [self.address(field) for field in (f, self.middle, u)]
        seconds = timed(self.execute[0], self.plans[0], *at[:2])
        between()
        return seconds + timed(self.execute[1], self.plans[1], *at[1:])

    def check(self, f, u):
        def divide():
            middle = self.middle[self.inside]
            middle *= self.modes.inverse(2 if self.complex else None) / self.norm

        u[...] = 0
        self.run(f, u, divide)
