"""Solutions against those made with scipy.fft, and against the difference equations themselves.

scipy: all walls equal on both sides of an axis diagonalise with a transform that scipy has: DFT, DST-II and DCT-II
(cells), DST-I and DCT-I (nodes). Eigenvalues −(4/h²) sin²(θ/2), spectral −(θ/h)².
"""

import itertools

from python_test import PythonTest, main, Solver, WALLS, eps, noise, operator, pair, poisson3d, solve, weights, np
from scipy import fft

SIZES = ((5, 6, 7), (11, 3, 16), (2, 13, 9), (8, 8, 8), (1, 4, 2))


def angles(n, wall, centering):
    k = np.arange(n)
    if wall == "periodic":
        return 2 * np.pi * np.minimum(k, n - k) / n
    if centering == "cell":
        return np.pi * (k + 1) / n if wall == "dirichlet" else np.pi * k / n
    return np.pi * (k + 1) / (n + 1) if wall == "dirichlet" else np.pi * k / (n - 1)


def transform(u, axis, wall, centering, back):
    if wall == "periodic":
        return (fft.ifft if back else fft.fft)(u, axis=axis)
    kind = 2 if centering == "cell" else 1
    name = ("i" if back else "") + ("dst" if wall == "dirichlet" else "dct")
    one = getattr(fft, name)
    return one(u.real, kind, axis=axis) + 1j * one(u.imag, kind, axis=axis)


def reference(f, spacing, walls, centering, spectral=False, helmholtz=0.0):
    """The solution in double, mean 0 if singular. Nodes between Dirichlet faces: f without the fixed ends."""
    inner = tuple(slice(1, -1) if w == "dirichlet" and c == "node" else slice(None) for w, c in zip(walls, centering))
    modes = f.astype("f8")[inner].astype(complex)
    eigenvalues = np.full(modes.shape, -helmholtz)
    for axis, (h, wall, where) in enumerate(zip(spacing, walls, centering)):
        modes = transform(modes, axis, wall, where, False)
        theta = angles(modes.shape[axis], wall, where)
        one = -(theta / h) ** 2 if spectral else -4 / h**2 * np.sin(theta / 2) ** 2
        eigenvalues = eigenvalues + one.reshape([-1 if a == axis else 1 for a in range(3)])
    null = eigenvalues == 0
    modes = np.where(null, 0, modes / np.where(null, 1, eigenvalues))
    for axis, (wall, where) in enumerate(zip(walls, centering)):
        modes = transform(modes, axis, wall, where, True)
    u = np.zeros(f.shape)
    u[inner] = modes.real
    return u


class AgainstScipy(PythonTest):
    def compare(self, shape, walls, centering, dtype="f8", spectral=False, helmholtz=0.0):
        spacing = (0.1, 0.25, 0.3)
        f = noise(*shape, dtype=dtype, seed=sum(shape))
        u = solve(f, spacing=spacing, boundary=walls, centering=centering, helmholtz=helmholtz,
                            discretization="spectral" if spectral else "second-order")
        self.assertEqual(u.dtype, f.dtype)
        wanted = reference(f, spacing, walls, centering, spectral, helmholtz)
        self.assert_close(u, wanted, 40 * eps(dtype) * np.log2(2 * max(shape)), (shape, walls, centering))

    def test_all_equal_walls_of_cells_and_nodes(self):
        for shape, dtype in itertools.product(SIZES[:4], ("f8", "f4")):
            for walls in itertools.product(("periodic", "dirichlet", "neumann"), repeat=3):
                centering = tuple("cell" if (i + len(walls[0])) % 2 or n < 3 else "node"
                                  for i, n in enumerate(shape))
                self.compare(shape, walls, centering, dtype)
                self.compare(shape, walls, ("cell",) * 3, dtype)

    def test_spectral(self):
        for shape in SIZES[:4]:
            for walls in (("periodic",) * 3, ("dirichlet", "neumann", "periodic"), ("neumann",) * 3):
                self.compare(shape, walls, ("cell",) * 3, spectral=True)
                self.compare(shape, walls, ("cell",) * 3, "f4", spectral=True)

    def test_helmholtz(self):
        for walls in (("periodic",) * 3, ("dirichlet", "neumann", "periodic")):
            self.compare((5, 6, 7), walls, ("cell",) * 3, helmholtz=3.5)


class DifferenceEquations(PythonTest):
    def test_every_pair_of_walls_satisfies_its_equations(self):
        spacing, seed = (0.1, 0.25, 0.3), 0
        for shape in SIZES:
            for number, walls in enumerate(itertools.product(WALLS, repeat=3)):
                if number % 5 != sum(shape) % 5:  # a fifth of the combinations for each size
                    continue
                seed += 1
                centering = tuple("node" if (number + a) % 2 and shape[a] > 2 else "cell" for a in range(3))
                f = noise(*shape, seed=seed)
                solver = Solver(shape, spacing=spacing, boundary=walls, centering=centering)
                u = solver.solve(f)
                weight = weights(shape, [pair(w) for w in walls], centering)
                self.assertEqual(solver.singular, not any("dirichlet" in w for w in walls))
                mean = (weight * f).sum() / weight.sum() if solver.singular else 0.0
                self.assertAlmostEqual(solver.mean_removed, mean, delta=1e-14)
                left = operator(u, spacing, walls, centering)
                right = np.where(weight > 0, f - mean, 0)
                scale = sum(4 / h**2 for h in spacing) * np.abs(u).max() + np.abs(f).max()
                self.assertLessEqual(np.abs(left - right).max(), 8 * eps("f8") * np.log2(2 * max(shape)) * scale,
                                     (shape, walls, centering))

    def test_mixed_precision_is_as_good_as_double(self):
        shape, walls = (24, 25, 21), ("dirichlet", "neumann", "periodic")
        f = noise(*shape)
        arguments = dict(spacing=0.1, boundary=walls)
        wanted = Solver(shape, **arguments).solve(f)
        solver = Solver(shape, mixed=True, **arguments)
        self.assert_close(solver.solve(f), wanted, 64 * eps("f8"))
        self.assertIn("refinements", solver.description)
        with self.assertRaises(poisson3d.Error) as raised:
            solver.apply(f)
        self.assertEqual(raised.exception.name, "unsupported")

    def test_apply_is_the_inverse(self):
        f = noise(7, 10, 9)
        for kind in ("second-order", "spectral"):
            solver = Solver(f.shape, spacing=(0.1, 0.2, 0.3), boundary="dirichlet", discretization=kind)
            self.assert_close(solver.apply(solver.solve(f, scale=-2.0), scale=-0.5), f, 200 * eps("f8"))

    def test_scale_multiplies_the_right_hand_side(self):
        f = noise(4, 5, 6)
        arguments = dict(spacing=0.1, boundary="dirichlet")
        self.assert_close(solve(f, scale=-3.0, **arguments), -3.0 * solve(f, **arguments),
                          8 * eps("f8"))

    def test_the_gauge_point_is_zero(self):
        f = noise(4, 5, 6)
        u = solve(f, spacing=0.1, boundary="neumann", gauge=(3, 0, 2))
        self.assertEqual(u[3, 0, 2], 0.0)
        v = solve(f, spacing=0.1, boundary="neumann")
        self.assert_close(u - u.mean(), v, 100 * eps("f8"))


class BoundaryValues(PythonTest):
    SHAPE, SPACING = (5, 6, 7), (0.2, 0.1, 0.3)

    def test_values_enter_the_equations(self):
        walls, centering = ("dirichlet:neumann", "neumann:dirichlet", "dirichlet"), ("cell", "node", "cell")
        for dtype in ("f8", "f4"):
            f = noise(*self.SHAPE, dtype=dtype)
            wide = noise(6, 11, seed=2, dtype=dtype)  # rows with room after them
            given = {"x_lower": wide[:, :7], "x_upper": 0.5, "y_lower": noise(5, 7, seed=3, dtype=dtype), "y_upper": -1,
                     "z_upper": np.float32(0.25), "z_lower": noise(5, 6, seed=4, dtype=dtype)}
            solver = Solver(self.SHAPE, dtype, spacing=self.SPACING, boundary=walls, centering=centering)
            u = solver.solve(f, boundary_values=given).astype("f8")
            faces = {("xyz".index(name[0]), int(name.endswith("upper"))): value for name, value in given.items()}
            # The faces as the equations of the unknowns see them: without the nodes that are fixed at y_upper.
            left = operator(u, self.SPACING, walls, centering, values=faces)
            right = f.astype("f8").copy()
            right[:, -1] = 0
            scale = sum(4 / h**2 for h in self.SPACING) * np.abs(u).max()
            self.assertLessEqual(np.abs(left - right).max(), 20 * eps(dtype) * scale)
            np.testing.assert_array_equal(u[:, -1], -1.0)

    def test_each_field_of_a_batch_has_its_own(self):
        f = noise(3, *self.SHAPE)
        faces = noise(3, 6, 7, seed=5)
        solver = Solver(self.SHAPE, spacing=0.1, boundary="dirichlet", batch=3)
        u = solver.solve(f, boundary_values={"x_lower": faces, "z_upper": faces[0, :5, :6].copy()})
        for b in range(3):
            alone = solver.solve(f[b], boundary_values={"x_lower": faces[b], "z_upper": faces[0, :5, :6].copy()})
            np.testing.assert_array_equal(u[b], alone)
        self.assertFalse(np.array_equal(u[1], solver.solve(f[1], boundary_values={"x_lower": faces[0]})))

    def test_what_is_refused(self):
        f, zero = noise(*self.SHAPE), np.zeros((6, 7))
        solver = Solver(self.SHAPE, spacing=0.1, boundary=("dirichlet", "periodic", "neumann"))
        for values, sentence in (({"w_lower": 1}, "found 'w_lower', wanted one of x_lower"),
                                 ({"x_lower": zero.T.copy()}, r"x_lower.*found shape \(7, 6\), wanted \(6, 7\)"),
                                 ({"x_lower": zero.astype("f4")}, "found float32, wanted float64"),
                                 ({"x_lower": zero + np.nan}, "x_lower"), ({"x_lower": np.inf}, "x_lower"),
                                 ({"y_lower": 1.0}, "y_lower"), ([1], "found list, wanted a dictionary")):
            with self.refused(sentence):
                solver.solve(f, boundary_values=values)
        with self.refused("spectral", poisson3d.Error):
            solve(f, spacing=0.1, boundary="dirichlet", discretization="spectral",
                            boundary_values={"x_lower": 1.0})


class FreeSpace(PythonTest):
    BOUNDARY = ("free", "dirichlet:free", "free")

    def charge(self, dtype="f8"):
        f = np.zeros((7, 6, 8), dtype)
        f[2, 3, 5] = -1.0
        return f

    def test_faces_gradient_and_freeness(self):
        for dtype in ("f8", "f4"):
            f = self.charge(dtype)
            solver = Solver(f.shape, dtype, spacing=0.5, boundary=self.BOUNDARY)
            with self.refused("nothing was solved"):
                solver.gradient(f)
            u = solver.solve(f)
            self.assertFalse(solver.singular)
            self.assertLess(solver.freeness(u), 4 * eps(dtype))
            self.assertGreater(solver.freeness(u + u.max() * 1e-3), 1e-5)
            slope = solver.gradient(u)
            self.assert_close(slope[0, 1:-1], u[2:] - u[:-2], 16 * eps(dtype))
            self.assertTrue((slope[0, -1] < 0).all() and (slope[0, 0] > 0).all())

    def test_a_larger_box_has_the_same_numbers(self):
        f = self.charge()
        u = solve(f, spacing=0.5, boundary=self.BOUNDARY)
        wide = np.pad(f, ((5, 3), (0, 6), (4, 4)))
        self.assert_close(solve(wide, spacing=0.5, boundary=self.BOUNDARY)[5:-3, :-6, 4:-4], u, 16 * eps("f8"))

    def test_gauges(self):
        f, arguments = self.charge(), dict(spacing=0.5, boundary=("free", "periodic", "free"))
        u = solve(f, **arguments)
        np.testing.assert_array_equal(solve(f, gauge="far", **arguments), u)
        self.assert_close(solve(f, gauge="mean", **arguments), u - u.mean(), 100 * eps("f8"))
        self.assert_close(solve(f, gauge=(1, 2, 3), **arguments), u - u[1, 2, 3], 100 * eps("f8"))
        for wrong, boundary in (("mean", "free"), ("far", "periodic")):
            with self.refused("gauge"):
                solve(f, spacing=0.5, boundary=boundary, gauge=wrong)
        with self.refused("the face is free"):
            solve(f, boundary_values={"x_lower": 1.0}, **arguments)
        with self.refused("mixed precision", poisson3d.Error):
            solve(f, mixed=True, **arguments)
        with self.refused("waves of mode 0 along y leave", poisson3d.Error):
            solve(f, helmholtz=-1.0, **arguments)
        spectral = Solver(f.shape, discretization="spectral", **arguments)
        spectral.solve(f)
        with self.refused("spectral", poisson3d.Error):
            spectral.gradient(f)

    def test_spectral_gradient(self):
        """A Gaussian is its own solution's slope times what it takes: f = Δu."""
        n, h, width = (40, 38, 8), 0.25, 0.65
        x, y, z = (h * (np.arange(count) + 0.5) for count in n)
        along = lambda t, middle: np.exp(-((t - middle) / width) ** 2 / 2)
        k = 2 * np.pi / (n[2] * h)
        g = along(x, 5.0)[:, None, None] * along(y, 4.7)[None, :, None]
        u = g * np.sin(k * z)
        square = ((x - 5.0)[:, None, None] ** 2 + (y - 4.7)[None, :, None] ** 2) / width**4 - 2 / width**2 - k**2
        solver = Solver(n, spacing=h, boundary=("free", "free", "periodic"), discretization="spectral", engine="host")
        slope = solver.gradient(u, f=3 * square * u, scale=1 / 3)
        wanted = [-(x - 5.0)[:, None, None] / width**2 * u, -(y - 4.7)[None, :, None] / width**2 * u,
                  k * g * np.cos(k * z)]
        for found, component in zip(slope, wanted):
            self.assert_close(found, component, 1e-9)
        with self.refused("f: found shape"):
            solver.gradient(u, f=u[:-1])


class Gradients(PythonTest):
    def test_of_linear_fields(self):
        shape, spacing = (5, 6, 7), (0.2, 0.1, 0.3)
        solver = Solver(shape, spacing=spacing, boundary="dirichlet", centering="node", origin=(1.0, 2.0, 3.0))
        x, y, z = np.meshgrid(*solver.positions, indexing="ij")
        self.assertEqual((x[0, 0, 0], y[0, 1, 0], z[0, 0, 0]), (1.0, 2.1, 3.0))
        gradient = solver.gradient(2 * x - 3 * y + 5 * z)
        self.assertEqual(gradient.shape, (3, *shape))
        for component, slope in zip(gradient, (2, -3, 5)):
            self.assert_close(component, np.full(shape, slope), 1e-13)

    def test_central_differences_batches_and_spectral(self):
        shape, h = (6, 7, 8), (0.2, 0.1, 0.3)
        u = noise(2, *shape)
        solver = Solver(shape, spacing=h, boundary="periodic", batch=2)
        out = np.full((2, 3, *shape), np.nan)
        self.assertIs(solver.gradient(u, out), out)
        for b, axis in itertools.product(range(2), range(3)):
            wanted = (np.roll(u[b], -1, axis) - np.roll(u[b], 1, axis)) / (2 * h[axis])
            self.assert_close(out[b, axis], wanted, 8 * eps("f8"))
        n = shape[1]
        wave = np.sin(2 * np.pi * np.arange(n) / n)[None, :, None] + np.zeros(shape)
        spectral = Solver(shape, spacing=h, boundary="periodic", discretization="spectral")
        slope = 2 * np.pi / (n * h[1]) * np.cos(2 * np.pi * np.arange(n) / n)
        self.assert_close(spectral.gradient(wave)[1], slope[None, :, None] + np.zeros(shape), 1e-13)


if __name__ == "__main__":
    main()
