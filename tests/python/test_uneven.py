"""Axes whose steps differ, Robin faces, coefficients: solutions that are exact on any grid, and refusals."""

from python_test import PythonTest, main, Solver, noise, poisson3d, np

FACES = np.array([-1.0, -0.75, -0.5, 0.25, 1.0, 2.5])
MIDDLES = 0.5 * (FACES[1:] + FACES[:-1])
BOX = dict(boundary={"x": "periodic", "y": ("robin:2:0.5", "neumann"), "z": "periodic"})
WALLS = {"y_lower": 2 * (1 + 2 * FACES[0]) - 0.5 * 2, "y_upper": 2.0}  # of u = 1 + 2y


class Uneven(PythonTest):
    def check_linear(self, **arguments):
        for dtype, rounding in (("f8", 1e-13), ("f4", 3e-5)):
            f = np.zeros((6, 5, 4), dtype)
            u = poisson3d.solve(f, boundary_values=WALLS, **{**BOX, **arguments})
            self.assertEqual(u.dtype, f.dtype)
            np.testing.assert_allclose(u, np.broadcast_to(1 + 2 * MIDDLES[:, None], u.shape), rtol=0, atol=rounding)

    def test_linear_fields(self):
        self.check_linear(spacing=(0.5, FACES, 0.25))
        self.check_linear(spacing={"x": 0.5, "y": list(FACES), "z": 0.25})
        self.check_linear(spacing={"x": 0.5, "z": 0.25}, widths={"y": np.diff(FACES)})
        self.check_linear(spacing=0.3, coefficients={"y": (
            1 / np.diff(np.concatenate([FACES[:1], MIDDLES, FACES[-1:]])), np.diff(FACES))})
        self.check_linear(spacing=(0.5, FACES, 0.25),
                          boundary=["periodic", (("robin", 2, 0.5), "neumann"), "periodic"])

    def test_three_axes(self):
        """Coefficients that are the uniform ones give the uniform solution."""
        f = noise(9, 8, 7)
        box = dict(boundary=("dirichlet", "neumann", ("neumann", "dirichlet")))
        steps = (0.5, 0.25, 1.0)
        wanted = poisson3d.solve(f, spacing=steps, **box)
        coefficients = {axis: ([2 / h] + [1 / h] * (n - 1) + [2 / h], [h] * n)
                        for axis, h, n in zip("xyz", steps, f.shape)}
        solver = Solver(f.shape, spacing=steps, coefficients=coefficients, **box)
        self.assertIn("as a matrix", solver.description)
        np.testing.assert_allclose(solver.solve(f), wanted, rtol=1e-12, atol=1e-13)

    def test_linspace_is_one_spacing(self):
        """Transformed, with the bits of that spacing, wherever the points are; a little more than rounding, and it
        is eliminated."""
        f = noise(9, 10, 7)
        for centering, points in (("cell", 11), ("node", 10)):
            faces = np.linspace(0.1, 0.7, points)
            self.assertGreater(np.ptp(np.diff(faces)), 0)
            step = (faces[-1] - faces[0]) / (points - 1)
            box = dict(boundary=("dirichlet", "neumann", "periodic"), centering=centering, middle="transform")
            wanted = poisson3d.solve(f, spacing=(0.5, step, 1.0), **box)
            solver = Solver(f.shape, spacing=(0.5, faces, 1.0), **box)
            np.testing.assert_array_equal(solver.solve(f), wanted)
            middles = 0.5 * (faces[1:] + faces[:-1]) if centering == "cell" else faces
            np.testing.assert_allclose(solver.positions[1], middles, rtol=1e-15)
            widths = Solver(f.shape, spacing=(0.5, 1, 1.0), widths={"y": np.diff(faces)}, **box)
            np.testing.assert_allclose(widths.solve(f), wanted, rtol=0, atol=1e-14 * np.abs(wanted).max())
            faces[4] += 20 * np.finfo(float).eps
            with self.assertRaises(poisson3d.Error) as caught:
                Solver(f.shape, spacing=(0.5, faces, 1.0), **box)
            self.assertIn("axis y has positions", str(caught.exception))

    def test_gradient(self):
        solver = Solver((6, 5, 4), spacing=(0.5, FACES, 0.25), **BOX)
        u = np.broadcast_to(1 + 2 * MIDDLES[:, None], (6, 5, 4)).copy()
        gradient = solver.gradient(u, boundary_values=WALLS)
        np.testing.assert_allclose(gradient[1], 2.0, rtol=1e-13)
        np.testing.assert_allclose(gradient[0], 0.0, atol=1e-13)

    def test_middle(self):
        box = dict(spacing=0.1, boundary="dirichlet", engine="host")
        self.assertIn("y eliminated", Solver((8, 11, 8), middle="eliminate", **box).description)
        self.assertNotIn("eliminated", Solver((37, 37, 37), middle="transform", **box).description)

    def test_plans_are_kept(self):
        poisson3d.clear_plan_cache()
        for _ in range(2):
            poisson3d.solve(noise(6, 5, 4), spacing=(0.5, FACES, 0.25), **BOX)
        poisson3d.solve(noise(6, 5, 4), spacing=(0.5, FACES + 1, 0.25), **BOX)
        self.assertEqual(poisson3d.plan_cache_info()[2:], (1, 2))

    def test_refusals(self):
        def refuse(words, error=poisson3d.Error, **arguments):
            with self.assertRaises(error) as caught:
                Solver((6, 5, 4), **{**BOX, **arguments})
            for word in words:
                self.assertIn(word, str(caught.exception))

        refuse(["axis y", "positions", "found 3"], spacing=(0.5, FACES[:3], 0.25))
        refuse(["axis y", "rise strictly"], spacing=(0.5, FACES[::-1], 0.25))
        refuse(["spacing of y", "2 axes"], spacing=(0.5, FACES[None], 0.25))
        refuse(["spacing", "axis z"], spacing={"x": 0.5, "y": FACES})
        refuse(["widths", "'w'"], spacing=0.5, widths={"w": FACES})
        refuse(["coefficients of y", "pair"], spacing=0.5, coefficients={"y": FACES})
        refuse(["middle", "sideways"], spacing=0.5, middle="sideways")
        refuse(["α = 0, β = 0"], spacing=0.5, boundary="robin:0:0")
        refuse(["found the middle transform"], spacing=0.5, middle="transform")


if __name__ == "__main__":
    main()
