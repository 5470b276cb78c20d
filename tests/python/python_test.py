"""What the tests of the Python package share.

Without NumPy or SciPy a test ends with 77, which ctest shows as skipped."""

import functools
import sys
import unittest

SKIPPED = 77

try:
    import numpy as np
    import scipy.fft  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing} (needed: python3-numpy python3-scipy)")
    sys.exit(SKIPPED)

import poisson3d



def on_host(function):
    """With engine host: "automatic" would be a GPU where there is one, which is for test_device.py."""

    @functools.wraps(function)
    def call(*arguments, **options):
        return function(*arguments, **{"engine": "host", **options})

    return call


Solver = on_host(poisson3d.Solver)
solve = on_host(poisson3d.solve)
workspace_bytes = on_host(poisson3d.Solver.workspace_bytes)

WALLS = ("periodic", "dirichlet", "neumann", "dirichlet:neumann", "neumann:dirichlet")


def noise(*shape, seed=1, dtype="f8"):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(dtype)


def eps(dtype):
    return np.finfo(dtype).eps


def weights(shape, boundary, centering):
    """Of the points in means: 1/2 at Neumann nodes, 0 at Dirichlet nodes. Boundaries as pairs."""
    product = np.ones(shape)
    for axis in range(3):
        line = np.ones(shape[axis])
        if centering[axis] == "node":
            for side, end in ((0, 0), (1, -1)):
                line[end] *= {"neumann": 0.5, "dirichlet": 0.0, "periodic": 1.0}[boundary[axis][side]]
        product *= line.reshape([-1 if a == axis else 1 for a in range(3)])
    return product


def pair(word):
    """"dirichlet:neumann" as ("dirichlet", "neumann")."""
    words = word.split(":")
    return words[0], words[-1]


def operator(u, spacing, boundary, centering, helmholtz=0.0, values=None):
    """(∇² − λ) u by the 7-point stencil, written down from the ghost rules alone; 0 at Dirichlet nodes.

    Beyond a face: cells 2g − u (Dirichlet), u + h g (Neumann); nodes u_inner + 2h g (Neumann). values: g of faces
    by (axis, side), numbers or arrays."""
    values = values or {}
    result = -helmholtz * u
    fixed = np.zeros(u.shape, bool)
    for axis in range(3):
        h = spacing[axis]
        line = np.moveaxis(u, axis, 0)
        sides = pair(boundary[axis])
        if sides[0] == "periodic":
            lower, upper = line[-1:], line[:1]
        else:
            ghosts = []
            for side in (0, 1):
                g = values.get((axis, side), 0.0)
                edge = line[0] if side == 0 else line[-1]
                if centering[axis] == "cell":
                    ghost = 2 * g - edge if sides[side] == "dirichlet" else edge + h * g
                elif sides[side] == "neumann":
                    ghost = (line[1] if side == 0 else line[-2]) + 2 * h * g
                else:
                    ghost = np.zeros_like(edge)  # not used: the node is fixed
                    np.moveaxis(fixed, axis, 0)[0 if side == 0 else -1] = True
                ghosts.append(ghost[None])
            lower, upper = ghosts
        padded = np.concatenate([lower, line, upper])
        result += np.moveaxis((padded[2:] - 2 * line + padded[:-2]) / h**2, 0, axis)
    result[fixed] = 0
    return result


class PythonTest(unittest.TestCase):
    def assert_close(self, found, wanted, tolerance, message=""):
        """max |found − wanted| ≤ tolerance · max |wanted|"""
        worst = np.abs(np.asarray(found, "f8") - wanted).max()
        self.assertLessEqual(worst, tolerance * max(np.abs(wanted).max(), 1e-300), message)

    def refused(self, sentence, kind=poisson3d.UsageError):
        """The call in this context must raise `kind` with this in its sentence."""
        return self.assertRaisesRegex(kind, sentence)


def main():
    unittest.main(verbosity=2)
