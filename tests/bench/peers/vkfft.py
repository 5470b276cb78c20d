"""VkFFT through pyvkfft and CuPy."""

import numpy as np

from .common import Missing, Modes


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
        self.inverse = modes.inverse(2 if periodic else None, self.cupy)
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
