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


class Variable(ProgramTest):
    def put(self, name="field.h5", epsilon=None, kind="f8", **attributes):
        path = self.field(name, noise(*SHAPE).astype(kind), attributes={**BOX, **attributes})
        with h5py.File(path, "a") as file:
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


if __name__ == "__main__":
    main()
