"""SciPy, whose FFTs are pocketfft."""

import time

from .common import Missing, Modes


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
