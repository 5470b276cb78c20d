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

    def test_gradients_beside_free_faces(self):
        u, f = noise(*SHAPE), noise(*SHAPE, seed=2)
        for dtype, near in (("f8", 1e-13), ("f4", 1e-5)):
            for discretization in ("second-order", "spectral"):
                words = {"spacing": 0.1, "boundary": ("dirichlet:free", "periodic", "free"),
                         "discretization": discretization, "dtype": dtype}
                one, solver = Solver(SHAPE, engine="host", **words), poisson3d.DistributedSolver(SHAPE, **words)
                source = f.astype(dtype)
                if discretization == "spectral":
                    wanted = one.gradient(u.astype(dtype), f=source, scale=-2.0)
                    with self.refused("evaluate_with_source", poisson3d.Error):
                        solver.gradient(u.astype(dtype))
                    with self.refused("f"):
                        solver.gradient(u.astype(dtype), f=source[1:])
                    found = solver.gradient(u.astype(dtype), f=source, scale=-2.0)
                else:
                    solution = one.solve(source)
                    wanted = one.gradient(solution)
                    found = solver.gradient(solver.solve(source), f=source)
                self.assert_close(found, wanted, near)

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
