"""DistributedSolver by ranks of MPI with a GPU each, which they may share: arrays of CuPy and NumPy against Solver on
the host. Run by mpirun; without mpi4py 77, without a GPU what is refused is tested alone."""

import sys
import unittest

from python_test import SKIPPED, PythonTest, eps, noise, poisson3d, np, Solver
from test_ranks import ALL, LAST, ME_LAST, MIXED, Result, distributed

MISSING = poisson3d.engine_unavailable("fused")
SHAPE = (13, 8, 32)


def alone(dtype="f8", **arguments):
    return Solver(SHAPE, dtype, **{"spacing": (0.1, 0.2, 0.15), "boundary": MIXED, "threads": 1, "engine": "host",
                                   **arguments})


class Refusals(PythonTest):
    def test_a_device_that_is_none(self):
        with self.assertRaisesRegex(poisson3d.Error, "device: found" if ME_LAST else "another member|cannot be on"):
            distributed(SHAPE, device="first" if ME_LAST else 0)

    @unittest.skipIf(not MISSING, "there is a GPU")
    def test_no_device(self):
        for device in (0, "automatic"):
            with self.assertRaisesRegex(poisson3d.Error, "cannot be on a device"):
                distributed(SHAPE, device=device)

    def test_streams_of_the_host(self):
        solver = distributed(SHAPE)
        with self.refused("stream: found"):
            solver.solve(noise(*SHAPE)[solver.slices].copy(), stream=1)


@unittest.skipIf(MISSING, MISSING)
class Solutions(PythonTest):
    def arrays(self):
        yield np.asarray, np.asarray
        try:
            import cupy
        except ImportError:
            return
        cupy.cuda.Device(ALL.rank % cupy.cuda.runtime.getDeviceCount()).use()
        yield cupy.asarray, cupy.asnumpy

    def test_what_one_solver_solves(self):
        for put, get in self.arrays():
            for dtype in ("f4", "f8"):
                f = noise(*SHAPE, dtype=dtype)
                values = {"x_lower": noise(8, 32, seed=2, dtype=dtype), "x_upper": 0.25,
                          "z_lower": noise(13, 8, seed=3, dtype=dtype)}
                wanted = alone(dtype).solve(f, boundary_values=values, scale=2.0)
                for method in ("eliminate", "transpose"):
                    solver = distributed(SHAPE, dtype, method=method, device="automatic")
                    x = solver.slices[0]
                    mine = {name: value if np.ndim(value) == 0 else put(value[x] if name[0] == "z" else value)
                            for name, value in values.items()}
                    u = get(solver.solve(put(f[solver.slices].copy()), boundary_values=mine, scale=2.0))
                    self.assertEqual(solver.result.singular, False)
                    self.assertLess(np.abs(u - wanted[x]).max(initial=0), 100 * eps(dtype) * np.abs(wanted).max(),
                                    (method, solver.description))
                    self.assertIn("device", solver.description)

    def test_in_place_and_the_operator(self):
        f = noise(*SHAPE)
        for put, get in self.arrays():
            solver = distributed(SHAPE, device="automatic", helmholtz=2.0)
            mine = put(f[solver.slices].copy())
            self.assertIs(solver.solve(mine, mine), mine)
            self.assert_close(get(solver.apply(mine)), f[solver.slices], 1e-11)

    def test_pencils_and_boxes(self):
        f = noise(*SHAPE)
        wanted = alone().solve(f)
        ranks = LAST + 1
        first = 32 * ALL.rank // ranks
        block = (0, 0, first), (13, 8, 32 * (ALL.rank + 1) // ranks - first)
        for put, get in self.arrays():
            for method in ("eliminate", "transpose"):
                for words in ({"decomposition": (1, ranks)}, {"box": block}):
                    solver = distributed(SHAPE, method=method, device="automatic", **words)
                    u = get(solver.solve(put(f[solver.slices].copy())))
                    self.assertLess(np.abs(u - wanted[solver.slices]).max(initial=0), 1e-12 * np.abs(wanted).max(),
                                    (words, solver.description))


if __name__ == "__main__":
    unittest.main(verbosity=2 if ALL.rank == 0 else 0, testRunner=unittest.TextTestRunner(
        verbosity=2 if ALL.rank == 0 else 0, resultclass=Result))
