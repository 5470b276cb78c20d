"""The libraries that compare_peers.py sets beside this one, each planned for one problem.

A peer has `name`, `title`, `work` (what is measured), `where` ("host" or "gpu"); find() raises Missing where it is not
installed, fits(problem) says whether it has a way to solve that problem. Planned, it has `version`, `transform`, and
run(f, u): the seconds that it took, without bringing f to where it wants it and u from there. `solves` is False for
transforms alone: check(f, u) then does what a solve has between them, untimed, so that these are checked as well.
"""

import ctypes
import math
import os
import pathlib
import sys
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

    def inverse(self, halved=None):
        """In the type of the fields; axis `halved` keeps only the half of its modes that rfft makes."""
        angles = [t[: len(t) // 2 + 1] if a == halved else t for a, t in enumerate(self.angles)]
        spectral = self.problem.discretization == "spectral"
        lines = [-((t if spectral else 2 * np.sin(t / 2)) / h) ** 2 for t, h in zip(angles, self.problem.spacing)]
        values = lines[0][:, None, None] + lines[1][:, None] + lines[2]
        values[values == 0] = np.inf  # the constant of a singular problem
        return (1 / values).astype(self.problem.dtype)


class Scipy:
    """Whole solves by scipy.fft, which is pocketfft's C++ header. Axes of the same transform go into one call."""

    name, title, where, solves = "scipy", "SciPy", "host", True
    work = "a whole solve by scipy.fft (pocketfft): transforms, one multiplication, transforms back"

    @staticmethod
    def find():
        try:
            import scipy.fft
        except ImportError as error:
            raise Missing(str(error)) from None
        Scipy.fft, Scipy.version = scipy.fft, scipy.__version__

    @staticmethod
    def fits(problem):
        return True

    def __init__(self, problem, threads):
        modes = Modes(problem)
        self.threads, self.inside, self.periodic = threads, modes.inside, modes.periodic
        self.axes = {}
        for a in range(3):
            if a not in modes.periodic:
                self.axes.setdefault(modes.kinds[a], []).append(a)
        self.sizes = [problem.shape[a] for a in modes.periodic]
        self.inverse = modes.inverse(modes.periodic[-1] if modes.periodic else None)
        self.transform = " + ".join([f"{name}n-{kind}" for name, kind in self.axes] + ["rfftn"] * bool(self.periodic))

    def solve(self, x):
        """The solution of the unknowns x, which are overwritten."""
        for (name, kind), axes in self.axes.items():
            x = getattr(self.fft, name + "n")(x, type=kind, axes=axes, overwrite_x=True, workers=self.threads)
        if self.periodic:
            x = self.fft.rfftn(x, axes=self.periodic, workers=self.threads)
        x *= self.inverse
        if self.periodic:
            x = self.fft.irfftn(x, self.sizes, axes=self.periodic, overwrite_x=True, workers=self.threads)
        for (name, kind), axes in self.axes.items():
            x = getattr(self.fft, "i" + name + "n")(x, type=kind, axes=axes, overwrite_x=True, workers=self.threads)
        return x

    def run(self, f, u):
        x = f[self.inside].copy()
        start = time.perf_counter()
        x = self.solve(x)
        seconds = time.perf_counter() - start
        u[...] = 0
        u[self.inside] = x
        return seconds


def load(*names):
    for name in names:
        try:
            return ctypes.CDLL(name)  # local: FFTW and oneMKL have functions of the same names
        except OSError as error:
            reason = str(error)
    raise Missing(reason)


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


class Vkfft:
    """Whole solves by VkFFT on a GPU, for boxes whose axes are all of one kind: its plans have one kind for all axes."""

    name, title, where, solves = "vkfft", "VkFFT", "gpu", True
    work = "a whole solve by pyvkfft on a GPU: in place with walls, r2c where all axes are periodic; one multiplication"

    @staticmethod
    def find():
        try:
            import cupy
            import pyvkfft.version
            from pyvkfft.cuda import VkFFTApp
        except (ImportError, OSError) as error:
            raise Missing(str(error)) from None
        Vkfft.cupy, Vkfft.app, Vkfft.version = cupy, VkFFTApp, pyvkfft.version.__version__

    @staticmethod
    def fits(problem):
        return len(set(Modes(problem).kinds)) == 1

    def __init__(self, problem, threads):
        modes = Modes(problem)
        name, kind = modes.kinds[0]
        periodic = name == "rfft"
        self.inside = modes.inside
        self.x = self.cupy.empty([len(t) for t in modes.angles], problem.dtype)
        self.inverse = self.cupy.asarray(modes.inverse(2 if periodic else None))
        self.modes = self.cupy.empty(self.inverse.shape, np.result_type(problem.dtype, "c8")) if periodic else None
        self.plan = self.app(self.x.shape, problem.dtype, inplace=not periodic,
                             **({"r2c": True} if periodic else {name: kind}))
        self.transform = "r2c + c2r" if periodic else f"{name}-{kind}"

    def run(self, f, u):
        self.x[...] = f[self.inside]
        events = [self.cupy.cuda.Event(), self.cupy.cuda.Event()]
        events[0].record()
        modes = self.plan.fft(self.x, self.modes)
        modes *= self.inverse
        self.plan.ifft(modes, None if self.modes is None else self.x)
        events[1].record()
        events[1].synchronize()
        u[...] = 0
        u[self.inside] = self.x
        return 1e-3 * self.cupy.cuda.get_elapsed_time(*events)


def aligned(shape, dtype):
    """Memory that begins at a multiple of 64 bytes, as FFTW's plans and its later calls must agree on."""
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    memory = np.empty(size + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    return memory[begin:begin + size].view(dtype).reshape(shape)


ALL = (Fftw, Scipy, Mkl, Vkfft)
