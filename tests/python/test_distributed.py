"""DistributedSolver in a process of its own, without MPI: test_ranks.py is about ranks."""

import pickle
import sys

from python_test import PythonTest, main, Solver, noise, poisson3d, np

SHAPE = (6, 7, 33)


class Alone(PythonTest):
    def test_one_member_is_a_solver(self):
        f = noise(*SHAPE)
        solver = poisson3d.DistributedSolver(SHAPE, spacing=0.1, boundary="dirichlet")
        wanted = Solver(SHAPE, spacing=0.1, boundary="dirichlet").solve(f)
        self.assert_close(solver.solve(f), wanted, 1e-14)
        self.assertEqual((solver.size, solver.rank, solver.offset, solver.local_shape), (1, 0, (0, 0, 0), SHAPE))
        self.assertEqual(solver.traffic, (0, 0.0))
        self.assert_close(solver.gradient(wanted), Solver(SHAPE, spacing=0.1, boundary="dirichlet").gradient(wanted), 1e-14)

    def test_mpi_is_loaded_when_asked_for_alone(self):
        poisson3d.DistributedSolver(SHAPE, spacing=0.1, boundary="dirichlet")
        self.assertNotIn("mpi4py", sys.modules)
        self.assertNotIn("poisson3d._mpi", sys.modules)
        with self.assertRaisesRegex(poisson3d.Error, "is not initialised, wanted|no ranks of MPI"):
            poisson3d.DistributedSolver(SHAPE, spacing=0.1, boundary="dirichlet", comm=0)
        self.assertNotIn("mpi4py", sys.modules)

    def test_refusals(self):
        with self.refused("members"):
            poisson3d.DistributedSolver(SHAPE, spacing=0.1, boundary="dirichlet", decomposition=(2, 1))
        with self.refused("cannot be eliminated", poisson3d.Error):
            poisson3d.DistributedSolver(SHAPE, spacing=0.1, boundary="dirichlet", discretization="spectral",
                                        method="eliminate")
        with self.refused("wanted 6"):
            poisson3d.DistributedSolver(SHAPE, spacing=0.1, boundary="dirichlet", decomposition=([5],))
        with self.assertRaisesRegex(TypeError, "pickled"):
            pickle.dumps(poisson3d.DistributedSolver(SHAPE, spacing=0.1, boundary="dirichlet"))


if __name__ == "__main__":
    main()
