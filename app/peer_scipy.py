"""Solves with scipy.fft whatever comes in: the other end of peer_scipy.cpp.

Arguments: the problem as the reports write it, and how many workers; without them it only says which SciPy there is.
Out: "ok VERSION SECONDS TRANSFORMS" when all is planned; then in: the bytes of f, out: "ok SECONDS" and the bytes of
u, again and again. What goes wrong is "error WHAT" instead, and the end.
"""

import json
import sys
import time


def say(*words):
    sys.stdout.buffer.write((" ".join(map(str, words)).replace("\n", " ") + "\n").encode())
    sys.stdout.buffer.flush()


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


class Solver:
    """Axes of the same transform go into one call, the real ones before the complex one."""

    def __init__(self, problem, workers):
        self.workers = workers
        self.axes = {}
        self.inside = []
        angles = []
        for a in range(3):
            kind, first, theta = axis_kind(problem["points"][a], *problem["boundary"][2 * a : 2 * a + 2],
                                           problem["centering"][a])
            self.axes.setdefault(kind, []).append(a)
            self.inside.append(slice(first, first + len(theta)))
            angles.append(theta)
        self.inside = tuple(self.inside)
        self.periodic = self.axes.pop(("rfft", None), [])
        self.sizes = [len(angles[a]) for a in self.periodic]
        if self.periodic:  # the last of them keeps half its modes
            angles[self.periodic[-1]] = angles[self.periodic[-1]][: self.sizes[-1] // 2 + 1]
        spectral = problem["discretization"] == "spectral"
        lines = [-((t if spectral else 2 * np.sin(t / 2)) / h) ** 2 for t, h in zip(angles, problem["spacing"])]
        values = lines[0][:, None, None] + lines[1][:, None] + lines[2] - problem["helmholtz"]
        values[values == 0] = np.inf  # the constant of a singular problem
        self.inverse = (1 / values).astype("f4" if problem["precision"] == "single" else "f8")
        self.name = " + ".join([f"{name}n-{kind}" for name, kind in self.axes] + ["rfftn"] * bool(self.periodic))

    def solve(self, x):
        """The solution of the unknowns x, which are overwritten."""
        for (name, kind), axes in self.axes.items():
            x = getattr(fft, name + "n")(x, type=kind, axes=axes, overwrite_x=True, workers=self.workers)
        if self.periodic:
            x = fft.rfftn(x, axes=self.periodic, workers=self.workers)
        x *= self.inverse
        if self.periodic:
            x = fft.irfftn(x, self.sizes, axes=self.periodic, overwrite_x=True, workers=self.workers)
        for (name, kind), axes in self.axes.items():
            x = getattr(fft, "i" + name + "n")(x, type=kind, axes=axes, overwrite_x=True, workers=self.workers)
        return x


def serve(problem, workers):
    start = time.perf_counter()
    solver = Solver(problem, workers)
    f = np.empty(problem["points"], solver.inverse.dtype)
    u = np.zeros_like(f)
    say("ok", scipy.__version__, time.perf_counter() - start, solver.name)
    while sys.stdin.buffer.readinto(f.data.cast("B")) == f.nbytes:
        x = f[solver.inside].copy()
        start = time.perf_counter()
        x = solver.solve(x)
        seconds = time.perf_counter() - start
        u[solver.inside] = x
        say("ok", seconds)
        sys.stdout.buffer.write(u.data.cast("B"))
        sys.stdout.buffer.flush()


try:
    import numpy as np
    import scipy
    from scipy import fft

    if len(sys.argv) > 1:
        serve(json.loads(sys.argv[1]), int(sys.argv[2]))
    else:
        say("ok", scipy.__version__)
except Exception as error:  # whatever it is, the other end must hear of it
    say("error", f"{type(error).__name__}: {error}")
