"""Variable coefficients from Python: the operator of the solution, faces and points, guesses, refusals."""

import pickle

from python_test import PythonTest, main, noise, poisson3d, np

SHAPE = (9, 8, 11)


def coefficient(shape=SHAPE, contrast=1000.0):
    x, y, z = np.meshgrid(*(np.arange(n) / n for n in shape), indexing="ij")
    return contrast ** (np.sin(2 * x + y) * np.cos(z))


class Variable(PythonTest):
    def solver(self, boundary="dirichlet", dtype=np.float64, **more):
        return poisson3d.VariableSolver(SHAPE, dtype, spacing=0.1, boundary=boundary, **more)

    def test_the_operator_of_the_solution_is_the_right_hand_side(self):
        f = noise(*SHAPE)
        for boundary in ("dirichlet", "neumann", "periodic", ("dirichlet:neumann", "periodic", "neumann")):
            solver = self.solver(boundary)
            solver.set_coefficient(coefficient())
            u = solver.solve(f, scale=2.0, tolerance=1e-10)
            result = solver.result
            self.assertTrue(result.converged)
            self.assertLess(result.residual, 1e-10)
            self.assertEqual(result.singular, boundary in ("neumann", "periodic"))
            np.testing.assert_allclose(solver.apply(u), 2 * f - result.mean_removed, atol=1e-8)

    @staticmethod
    def faces(epsilon):
        faces = []
        for axis in range(3):
            padded = np.pad(epsilon, [(1, 1) if a == axis else (0, 0) for a in range(3)], "edge")
            below, above = np.split(np.stack([np.delete(padded, -1, axis), np.delete(padded, 0, axis)]), 2)
            faces.append((2 / (1 / below + 1 / above))[0])
        return faces

    def test_faces_are_those_of_the_points(self):
        f, epsilon = noise(*SHAPE), coefficient()
        solver = self.solver()
        solver.set_coefficient(epsilon)
        expected = solver.solve(f, tolerance=1e-12)
        solver.set_coefficient(self.faces(epsilon))
        np.testing.assert_allclose(solver.solve(f, tolerance=1e-12), expected, atol=1e-10 * np.abs(expected).max())

    def test_lambda_may_vary(self):
        f, epsilon = noise(*SHAPE), coefficient()
        x = np.arange(SHAPE[2])
        lam = np.broadcast_to(np.where(x % 3 == 0, 0.0, 2.0 + x), SHAPE).copy()
        solver = self.solver(boundary="neumann")
        solver.set_coefficient(epsilon)
        without = solver.apply(f)
        for arrays in (epsilon, self.faces(epsilon)):
            solver.set_coefficient(arrays, lam)
            np.testing.assert_allclose(solver.apply(f), without - lam * f, atol=1e-9 * np.abs(without).max())
            u = solver.solve(f, tolerance=1e-11)
            self.assertFalse(solver.result.singular)
            np.testing.assert_allclose(solver.apply(u), f, atol=1e-8)
        with self.assertRaisesRegex(poisson3d.Error, r"helmholtz: found -1 at \[0, 0, 0\], wanted finite numbers, 0"):
            solver.set_coefficient(epsilon, lam - 1)
        with self.assertRaisesRegex(poisson3d.UsageError, "helmholtz.*shape"):
            solver.set_coefficient(epsilon, lam[0])

    def test_a_guess_and_the_limit_of_iterations(self):
        f = noise(*SHAPE)
        solver = self.solver(boundary=("neumann", "dirichlet:neumann", "periodic"))
        solver.set_coefficient(coefficient())
        values = {"x_upper": 0.5, "y_lower": np.ones((SHAPE[0], SHAPE[2]))}
        u = solver.solve(f, boundary_values=values)
        self.assertGreater(solver.result.iterations, 3)
        solver.solve(f, boundary_values=values, guess=u)
        self.assertEqual(solver.result.iterations, 0)
        solver.solve(f, boundary_values=values, max_iterations=2)
        self.assertEqual((solver.result.converged, solver.result.iterations), (False, 2))

    def test_with_a_constant_coefficient_it_is_the_solver(self):
        f = noise(*SHAPE).astype(np.float32)
        solver = self.solver(dtype=np.float32, helmholtz=3.0)
        solver.set_coefficient(np.full(SHAPE, 4.0, np.float32))
        expected = poisson3d.Solver(SHAPE, np.float32, spacing=0.1, boundary="dirichlet", helmholtz=0.75).solve(f)
        np.testing.assert_allclose(4 * solver.solve(f), expected, rtol=1e-4, atol=1e-6)

    def test_what_it_tells_of_itself(self):
        solver = self.solver(dtype=np.float32, threads=2)
        self.assertEqual((solver.shape, solver.dtype, solver.threads), (SHAPE, np.float32, 2))
        self.assertGreater(solver.workspace, 8 * 4 * np.prod(SHAPE))
        self.assertIn("<poisson3d.VariableSolver: 9 x 8 x 11 float32, host, 2 threads", repr(solver))
        with self.assertRaisesRegex(TypeError, "a VariableSolver holds memory"):
            pickle.dumps(solver)

    def test_other_orders_of_elements(self):
        """The bits of plain arrays, whatever the order of elements in memory; no two axes are alike."""
        solver = poisson3d.VariableSolver(SHAPE, spacing=(0.1, 0.25, 0.3),
                                          boundary=("dirichlet", "dirichlet:neumann", "neumann"))
        f, epsilon, start = noise(*SHAPE), coefficient(), noise(*SHAPE, seed=2)
        solver.set_coefficient(epsilon)
        wanted = solver.solve(f, guess=start)
        for odd in (np.asfortranarray, lambda array: array.astype(">f8"),
                    lambda array: np.ascontiguousarray(array[:, ::-1, ::-1])[:, ::-1, ::-1]):
            with self.assertWarnsRegex(poisson3d.CopyWarning, "coefficient: found"):
                solver.set_coefficient(odd(epsilon))
            with self.assertWarnsRegex(poisson3d.CopyWarning, "f: found"):
                np.testing.assert_array_equal(solver.solve(odd(f), guess=start), wanted)
            out = odd(start)
            with self.assertWarnsRegex(poisson3d.CopyWarning, "out: found"):
                self.assertIs(solver.solve(f, out, guess=out), out)
            np.testing.assert_array_equal(out, wanted)
            with self.assertWarnsRegex(poisson3d.CopyWarning, "u: found"):
                np.testing.assert_array_equal(solver.apply(odd(f)), solver.apply(f))
        faces = [np.ones(tuple(n + (a == axis) for a, n in enumerate(SHAPE))) + noise(1)[0] / 2 for axis in range(3)]
        solver.set_coefficient(faces)
        wanted = solver.solve(f)
        with self.assertWarnsRegex(poisson3d.CopyWarning, r"coefficient\[1\]: found Fortran's order"):
            solver.set_coefficient([faces[0], np.asfortranarray(faces[1]), faces[2]])
        np.testing.assert_array_equal(solver.solve(f), wanted)

    def test_refusals(self):
        f = noise(*SHAPE)
        solver = self.solver()
        with self.assertRaisesRegex(poisson3d.UsageError, "set_coefficient"):
            solver.solve(f)
        with self.assertRaisesRegex(poisson3d.Error, r"found -1 at \[0, 0, 0\], wanted positive"):
            solver.set_coefficient(-np.ones(SHAPE))
        with self.assertRaisesRegex(poisson3d.UsageError, "shape"):
            solver.set_coefficient(np.ones((3, 3, 3)))
        with self.assertRaisesRegex(poisson3d.UsageError, "found 2 arrays"):
            solver.set_coefficient([f, f])
        with self.assertRaisesRegex(poisson3d.Error, "wanted 0 or more"):
            self.solver(helmholtz=-1.0)
        with self.assertRaisesRegex(poisson3d.Error, "free faces"):
            self.solver(boundary="free")
        with self.assertRaisesRegex(poisson3d.UsageError, "wanted 0 to 1"):
            self.solver(scaling=2.0)
        solver.set_coefficient(coefficient())
        with self.assertRaisesRegex(poisson3d.UsageError, "overlap"):
            solver.solve(f, out=f)


if __name__ == "__main__":
    main()
