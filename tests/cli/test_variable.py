"""/coefficient: solved with, told, refused where it makes no sense, never overlooked."""

from program import ProgramTest, h5py, main, noise, np

SHAPE = (9, 8, 11)
SPACING = (0.1, 0.2, 0.15)
BOX = {"spacing": SPACING, "boundary": ["dirichlet", "dirichlet", "neumann", "neumann", "periodic", "periodic"]}


def coefficient():
    x, y, z = np.meshgrid(*(np.arange(n) / n for n in SHAPE), indexing="ij")
    return 30 ** (np.sin(2 * x + y) * np.cos(z))


def operator(epsilon, u):
    """∇·(ε∇u) on cells, walls as in BOX."""
    result = np.zeros_like(u)
    for axis, kind in enumerate(("dirichlet", "neumann", "periodic")):
        e, v = np.moveaxis(epsilon, axis, 0), np.moveaxis(u, axis, 0)
        if kind == "periodic":
            face = 2 / (1 / e + 1 / np.roll(e, 1, 0))
            flux = np.concatenate([face * (v - np.roll(v, 1, 0))] * 2)[:len(v) + 1]
        else:
            wall = 0 if kind == "neumann" else 2
            flux = np.concatenate([wall * e[:1] * v[:1], 2 / (1 / e[1:] + 1 / e[:-1]) * np.diff(v, axis=0),
                                   -wall * e[-1:] * v[-1:]])
        result += np.moveaxis(np.diff(flux, axis=0), 0, axis) / SPACING[axis] ** 2
    return result


def faces_of(epsilon):
    """Harmonic means on the faces of cells, at walls that of the cell; z closes its ring."""
    faces = []
    for axis in range(3):
        padded = np.pad(epsilon, [(1, 1) if a == axis else (0, 0) for a in range(3)], "wrap" if axis == 2 else "edge")
        below, above = np.delete(padded, -1, axis), np.delete(padded, 0, axis)
        faces.append(2 / (1 / below + 1 / above))
    return faces


class Variable(ProgramTest):
    def put(self, name="field.h5", epsilon=None, kind="f8", **attributes):
        path = self.field(name, noise(*SHAPE).astype(kind), attributes={**BOX, **attributes})
        with h5py.File(path, "a") as file:
            if epsilon is not False:
                file["coefficient"] = coefficient() if epsilon is None else epsilon
        return path

    def test_the_operator_of_the_solution_is_the_right_hand_side(self):
        self.put()
        report = self.report("-i", "field.h5", "--tolerance", "1e-10", "--gradient")
        found = report["coefficient"]
        self.assertTrue(found["converged"])
        self.assertLess(found["residual"], 1e-10)
        self.assertGreater(found["iterations"], 3)
        self.assertEqual((report["tolerance"], report["residual"]), (1e-10, None))
        np.testing.assert_allclose(operator(coefficient(), self.solution()), noise(*SHAPE), atol=1e-8)
        self.assertEqual(self.attributes()["iterations"], found["iterations"])

    def test_faces(self):
        """Harmonic means on faces are what points mean; anything else is taken as it is."""
        self.put()
        self.report("-i", "field.h5", "--tolerance", "1e-12")
        u = self.solution()
        faces = faces_of(coefficient())
        path = self.put("faces.h5", epsilon=False)
        with h5py.File(path, "a") as file:
            for label, values in zip("xyz", faces):
                file[f"coefficient/{label}"] = values
        report = self.report("-i", "faces.h5", "--tolerance", "1e-12")
        self.assertEqual(report["coefficient"]["dataset"], "/coefficient")
        np.testing.assert_allclose(self.solution("faces.solution.h5"), u, atol=1e-9 * np.abs(u).max())
        self.assertIn("on the faces", self.run_well("info", "faces.h5").stdout)
        with h5py.File(path, "a") as file:
            file["coefficient/y"][:, 3] *= 7
        self.report("-i", "faces.h5")
        self.assertGreater(np.abs(self.solution("faces.solution.h5") - u).max(), 1e-3 * np.abs(u).max())

    def test_faces_by_the_labels_of_axes(self):
        self.put()
        self.report("-i", "field.h5", "--tolerance", "1e-12")
        u = self.solution()
        path = self.put("turned.h5", epsilon=False, axis_labels=["z", "y", "x"])
        with h5py.File(path, "a") as file:
            for label, values in zip("zyx", faces_of(coefficient())):
                file[f"coefficient/{label}"] = values
        self.report("-i", "turned.h5", "--tolerance", "1e-12")
        np.testing.assert_allclose(self.solution("turned.solution.h5"), u, atol=1e-9 * np.abs(u).max())

    def test_lambda(self):
        lam = np.abs(noise(*SHAPE, seed=4)) * 30
        path = self.put()
        with h5py.File(path, "a") as file:
            file["lambda"] = lam
        report = self.report("-i", "field.h5", "--tolerance", "1e-11")
        self.assertEqual(report["coefficient"]["helmholtz"], "/lambda")
        u = self.solution()
        np.testing.assert_allclose(operator(coefficient(), u) - lam * u, noise(*SHAPE), atol=1e-8)
        self.assertEqual(self.attributes()["lambda"], "/lambda")
        self.assertIn("− λ u", self.run_well("-i", "field.h5").stdout)
        with h5py.File(path, "a") as file:
            del file["coefficient"]
        report = self.report("-i", "field.h5", "--tolerance", "1e-11")
        self.assertIsNone(report["coefficient"]["dataset"])
        u = self.solution()
        np.testing.assert_allclose(operator(np.ones(SHAPE), u) - lam * u, noise(*SHAPE), atol=1e-8)
        self.assertEqual(self.report("info", "field.h5")["lambda"], "/lambda")
        self.refuse(2, ["/lambda", "--helmholtz 3"], "-i", "field.h5", "--helmholtz", "3")

    def test_lambda_where_it_alone_makes_a_solution(self):
        """Between Neumann walls: not singular where λ is above 0 somewhere, and as singular as ever where it is not."""
        lam = np.zeros(SHAPE)
        path = self.put(boundary="neumann")
        for strength, singular, status in (5.0, False, 0), (0.0, True, 4):
            lam[2:4, :, 5] = strength
            with h5py.File(path, "a") as file:
                file.pop("lambda", None)
                file["lambda"] = lam
            report = self.report("-i", "field.h5", "--tolerance", "1e-10")
            self.assertEqual(report["singular"], singular)
            self.report("-i", "field.h5", "--strict", status=status)

    def test_lambda_of_each_step_and_one_coefficient_for_all(self):
        f = np.stack([noise(*SHAPE, seed=n) for n in range(3)])
        path = self.field("steps.h5", f, attributes=BOX)
        with h5py.File(path, "a") as file:
            for label, values in zip("xyz", faces_of(coefficient())):
                file[f"coefficient/{label}"] = values
            file["lambda"] = np.stack([np.full(SHAPE, 2.0 * n) for n in range(3)])
        report = self.report("-i", "steps.h5", "--step", "all", "--tolerance", "1e-11")
        u = self.solution("steps.solution.h5")
        for n in range(3):
            self.assertTrue(report["steps"][n]["coefficient"]["converged"])
            np.testing.assert_allclose(operator(coefficient(), u[n]) - 2 * n * u[n], f[n], atol=1e-8)

    def test_info(self):
        self.put()
        self.assertRegex(self.run_well("info", "field.h5").stdout, r"time +about .* for the solve in an iteration: an ")

    def test_single_precision_and_a_coefficient_that_is_one(self):
        self.put(kind="f4", epsilon=np.ones(SHAPE))
        report = self.report("-i", "field.h5")
        self.assertEqual(report["coefficient"]["iterations"], 1)
        one = self.solution()
        self.assertEqual(one.dtype, np.float32)
        with h5py.File(self.dir / "field.h5", "a") as file:
            del file["coefficient"]
        self.assertNotIn("coefficient", self.report("-i", "field.h5"))
        np.testing.assert_allclose(one, self.solution(), atol=1e-5 * np.abs(one).max())

    def test_info_tells_it(self):
        self.put()
        self.assertEqual(self.report("info", "field.h5")["coefficient"], "/coefficient")
        self.assertIn("ε of ∇·(ε∇u)", self.run_well("info", "field.h5").stdout)

    def test_a_tolerance_below_rounding_is_that_of_rounding(self):
        self.put()
        found = self.report("-i", "field.h5", "--tolerance", "1e-300")["coefficient"]
        self.assertTrue(found["converged"])
        self.assertLess(found["residual"], 1e-14)

    def test_what_does_not_converge_is_written_and_told(self):
        self.put(epsilon=10.0 ** (60 * noise(*SHAPE)))
        report = self.report("-i", "field.h5", status=1)
        self.assertFalse(report["coefficient"]["converged"])
        self.assertIn("not converged", report["message"])
        self.assertEqual(self.solution().shape, SHAPE)

    def test_refusals(self):
        self.put()
        self.refuse(2, ["/coefficient", "mixed"], "-i", "field.h5", "--precision", "mixed")
        self.refuse(2, ["/coefficient", "members"], "-i", "field.h5", "--members", "2")
        self.refuse(2, ["variable coefficient", "spectral"], "-i", "field.h5", "--discretization", "spectral")
        self.refuse(2, ["variable coefficient", "free faces"], "-i", "field.h5", "--boundary", "free")
        self.refuse(2, ["variable coefficient", "λ = -1"], "-i", "field.h5", "--helmholtz", "-1")
        negative = coefficient()
        negative[1, 2, 3] = -4
        self.put(name="negative.h5", epsilon=negative)
        self.refuse(3, ["coefficient", "-4", "[1, 2, 3]"], "-i", "negative.h5")
        self.put(name="small.h5", epsilon=np.ones((3, 3, 3)))
        self.refuse(3, ["/coefficient", "3 x 3 x 3"], "-i", "small.h5")
        self.refuse(3, ["negative.h5", "coefficient", "wanted positive"], "-i", "negative.h5")

    def test_refusals_of_faces_and_lambda(self):
        def damaged(change):
            path = self.put("damaged.h5", epsilon=False)
            with h5py.File(path, "a") as file:
                for label, values in zip("xyz", faces_of(coefficient())):
                    file[f"coefficient/{label}"] = values
                file["lambda"] = np.ones(SHAPE)
                change(file)

        def replace(name, values):
            def change(file):
                del file[name]
                file[name] = values
            return change

        for words, change in (
                (["group /coefficient", "nothing for axis y", "x, y, z"], lambda file: file.pop("coefficient/y")),
                (["group /coefficient", "found w", "x, y, z"],
                 lambda file: file.create_dataset("coefficient/w", data=np.ones(3))),
                (["/coefficient/x", "9 x 8 x 11", "10 x 8 x 11"], replace("coefficient/x", np.ones(SHAPE))),
                (["damaged.h5", "faces along y", "found -1 at [0, 0, 0]"],
                 replace("coefficient/y", -np.ones((9, 9, 11)))),
                (["/coefficient/z", "nan"], replace("coefficient/z", np.full((9, 8, 12), np.nan))),
                (["/lambda", "3 x 3 x 3", "9 x 8 x 11"], replace("lambda", np.ones((3, 3, 3)))),
                (["damaged.h5", "helmholtz", "found -1 at [0, 0, 0]", "0 or above"], replace("lambda", -np.ones(SHAPE)))):
            damaged(change)
            self.refuse(3, words, "-i", "damaged.h5")


if __name__ == "__main__":
    main()
