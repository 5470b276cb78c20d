"""Variable coefficients on a GPU, with arrays of every library that is there: against the host.

Without a GPU, or with a build without CUDA, ends with 77.
"""

import unittest

from device_arrays import Cupy, Torch, cupy, torch
from python_test import PythonTest, main, noise, poisson3d, np

SHAPE, WALLS = (30, 32, 35), ("dirichlet", "neumann", "periodic")


def planned(engine, dtype="f8", **options):
    solver = poisson3d.VariableSolver(SHAPE, dtype, spacing=(0.1, 0.2, 0.3), boundary=WALLS, engine=engine, **options)
    return solver


class Variable:
    """For arrays of any library."""

    library = None

    def put(self, array):
        return array if self.library is None else self.library.put(array)

    def get(self, array):
        return array if self.library is None else self.library.get(array)

    def test_agrees_with_the_host(self):
        for dtype, apart in (("f8", 1e-6), ("f4", 1e-3)):
            f, epsilon = noise(*SHAPE, dtype=dtype), np.exp(2 * noise(*SHAPE, seed=2)).astype(dtype)
            damping, face = np.exp(noise(*SHAPE, seed=3)).astype(dtype), noise(32, 35, seed=4, dtype=dtype)
            values = {"x_lower": face, "x_upper": 0.5}
            host, there = planned("host", dtype), planned("fused", dtype)
            host.set_coefficient(epsilon, damping)
            there.set_coefficient(self.put(epsilon), self.put(damping))
            wanted = host.solve(f, boundary_values=values)
            given = self.put(f)
            u = there.solve(given, boundary_values={**values, "x_lower": self.put(face)})
            self.assertIs(type(u), type(given))
            self.assertTrue(there.result.converged)
            self.assert_close(self.get(u), wanted, apart)
            out = self.put(np.full(SHAPE, np.nan, dtype))
            start = self.put(self.get(u) * 1)
            self.assertIs(there.solve(given, out, guess=start, boundary_values={**values, "x_lower": self.put(face)}), out)
            self.assertEqual(there.result.iterations, 0)
            self.assert_close(self.get(out), wanted, apart)
            self.assert_close(self.get(there.apply(u)), host.apply(wanted), 100 * apart)
            with self.refused("coefficient: found 0 at"):
                there.set_coefficient(self.put(epsilon * (epsilon > 1)))


class HostArrays(Variable, PythonTest):
    """Copied there and back."""


@unittest.skipIf(torch is None or not torch.cuda.is_available(), "no PyTorch for this GPU")
class PyTorch(Variable, PythonTest):
    library = Torch

    def test_what_a_stream_has_not_yet_done_is_waited_for(self):
        epsilon, f = np.exp(noise(*SHAPE, seed=2)), noise(*SHAPE)
        solver = planned("fused")
        solver.set_coefficient(torch.as_tensor(epsilon, device="cuda"))
        wanted = solver.solve(torch.as_tensor(f, device="cuda")).cpu().numpy()
        busy = torch.as_tensor(noise(3000, 3000), device="cuda")
        source, given = torch.as_tensor(f, device="cuda"), torch.zeros(SHAPE, dtype=torch.float64, device="cuda")
        torch.cuda.synchronize()
        with torch.cuda.stream(torch.cuda.Stream()):
            for _ in range(12):
                busy = busy @ busy * 1e-3
            given.copy_(source)
            u = solver.solve(given)
        np.testing.assert_array_equal(u.cpu().numpy(), wanted)


@unittest.skipIf(cupy is None, "no CuPy")
class CuPy(Variable, PythonTest):
    library = Cupy

    def test_what_is_refused(self):
        solver = planned("host")
        with self.assertRaisesRegex(poisson3d.Error, "coefficient: found in the memory of GPU 0"):
            solver.set_coefficient(cupy.ones(SHAPE))
        solver = planned("fused")
        solver.set_coefficient(cupy.ones(SHAPE))
        with self.refused("u: found in host memory, wanted in device memory"):
            solver.solve(cupy.ones(SHAPE), np.zeros(SHAPE))


if __name__ == "__main__":
    main()
