"""Known fields with boundary data: what make writes for the faces, and that solving gives the field back."""

import math

from program import ProgramTest, h5py, main, np

EPS = {"single": 2.0**-23, "double": 2.0**-52}
# Every kind of face on every axis, edges of all sorts, periodic axes among them, singular ones, too.
MIXES = [
    "dirichlet",
    "neumann",
    "x=dirichlet:neumann,y=neumann:dirichlet,z=dirichlet",
    "x=neumann,y=dirichlet,z=neumann:dirichlet",
    "x=neumann:dirichlet,y=dirichlet:neumann,z=neumann",
    "x=periodic,y=dirichlet:neumann,z=neumann",
    "x=neumann,y=periodic,z=dirichlet",
    "x=dirichlet,y=neumann,z=periodic",
    "x=periodic,y=neumann,z=periodic",
]
CENTERINGS = ["cell", "node", "x=cell,y=node,z=cell", "x=node,y=cell,z=node"]


class KnownBoundary(ProgramTest):
    def make(self, *options):
        self.run_well("make", *options, "-o", "field.h5")
        with h5py.File(self.dir / "field.h5") as file:
            return {name: values[...] for name, values in file.get("boundary_values", {}).items()}, file["exact"][...]

    def solve(self, *options):
        return self.report("-i", "field.h5", "--exact", "/exact", *options)


class Cavity(KnownBoundary):
    def test_second_order(self):
        """Error and mean removed fall with the square of the spacing, on cells and on nodes."""
        for centering in ("cell", "node"):
            with self.subTest(centering=centering):
                l2, largest, mean = [], [], []
                for refine in (1, 2, 4):
                    more = 1 if centering == "node" else 0
                    points = ",".join(str(n * refine + more) for n in (14, 12, 10))
                    self.make("cavity", "--points", points, "--centering", centering)
                    report = self.solve()
                    self.assertLess(report["residual"]["backward"], 16 * EPS["double"])
                    l2.append(report["error"]["l2"])
                    largest.append(report["error"]["max"])
                    mean.append(report["mean_removed"])
                for errors in (l2, largest, mean):
                    for coarse, fine in zip(errors, errors[1:]):
                        self.assertTrue(1.8 < math.log2(coarse / fine) < 2.4, errors)
                self.assertLess(largest[-1], 2e-3)
                self.assertGreater(abs(mean[-1]), 1e-5)

    def test_the_data_makes_it_solvable(self):
        """Without the slopes on the walls the mean of the right-hand side is what flows through them."""
        self.make("cavity", "--points", "24")
        with_data = abs(self.solve()["mean_removed"])
        with h5py.File(self.dir / "field.h5", "a") as file:
            del file["boundary_values"]
        self.assertGreater(abs(self.solve()["mean_removed"]), 100 * with_data)

    def test_single(self):
        self.make("cavity", "--points", "24", "--precision", "single")
        report = self.solve()
        self.assertEqual(report["problem"]["precision"], "single")
        self.assertLess(report["residual"]["backward"], 16 * EPS["single"])
        self.assertLess(report["error"]["max"], 5e-3)

    def test_walls_only(self):
        for boundary in ("dirichlet", "periodic", "x=neumann,y=neumann,z=dirichlet"):
            self.refuse(2, ["--boundary", "cavity"], "make", "cavity", "--boundary", boundary)


class Exact(KnownBoundary):
    def check(self, name, boundary, centering, precision="double", *options):
        with self.subTest(boundary=boundary, centering=centering, precision=precision):
            _, exact = self.make(name, "--points", "9,7,8", "--length", "1.5,2.5,0.8", "--origin", "-1,2,3",
                                 "--boundary", boundary, "--centering", centering, "--precision", precision, *options)
            report = self.solve()
            self.assertLess(report["error"]["max"], 50 * EPS[precision] * np.abs(exact).max())
            self.assertLess(report["residual"]["backward"], 16 * EPS[precision])

    def test_linear(self):
        for number, boundary in enumerate(MIXES):
            for centering in CENTERINGS:
                self.check("linear", boundary, centering)
            self.check("linear", boundary, CENTERINGS[number % 4], "single")
            self.check("linear", boundary, CENTERINGS[number % 4], "double", "--helmholtz", "1.7")

    def test_quadratic_on_nodes(self):
        for boundary in MIXES:
            self.check("quadratic", boundary, "node")
            self.check("quadratic", boundary, "node", "single")
            self.check("quadratic", boundary, "node", "double", "--helmholtz", "1.7")

    def test_quadratic_on_cells_is_of_second_order(self):
        errors = []
        for points in ("8", "16", "32"):
            self.make("quadratic", "--points", points, "--boundary", "x=dirichlet,y=neumann,z=dirichlet:neumann")
            errors.append(self.solve()["error"]["l2"])
        self.assertGreater(errors[0], 1e-4)
        for coarse, fine in zip(errors, errors[1:]):
            self.assertGreater(math.log2(coarse / fine), 1.8)


class Make(KnownBoundary):
    def test_faces(self):
        """2 + X − ¾ Y + ½ Z on a box of 2 × 4 × 0.5: values on Dirichlet faces, outward slopes on Neumann faces."""
        faces, _ = self.make("linear", "--points", "5,4,6", "--length", "2,4,0.5",
                             "--centering", "x=node,y=cell,z=node",
                             "--boundary", "x=dirichlet:neumann,y=dirichlet,z=neumann:dirichlet")
        x, y, z = np.arange(5) / 4, (np.arange(4) + 0.5) / 4, np.arange(6) / 5
        wanted = {
            "x_lower": 2 - 0.75 * y[:, None] + 0.5 * z,
            "x_upper": np.full((4, 6), 1 / 2),
            "y_lower": 2 + x[:, None] + 0.5 * z,
            "y_upper": 1.25 + x[:, None] + 0.5 * z,
            "z_lower": np.full((5, 4), -0.5 / 0.5),
            "z_upper": 2.5 + x[:, None] - 0.75 * y,
        }
        self.assertEqual(set(faces), set(wanted))
        for face, values in faces.items():
            self.assertEqual(values.dtype, np.dtype("f8"))
            np.testing.assert_allclose(values, wanted[face], rtol=0, atol=1e-15, err_msg=face)

    def test_periodic_axes_have_no_faces(self):
        faces, exact = self.make("quadratic", "--points", "5,4,6", "--boundary", "x=periodic,y=neumann,z=periodic")
        self.assertEqual(set(faces), {"y_lower", "y_upper"})
        self.assertEqual(np.ptp(exact, axis=(0, 2)).max(), 0)
        faces, exact = self.make("linear", "--points", "4", "--boundary", "periodic")
        self.assertEqual((faces, np.ptp(exact)), ({}, 0))

    def test_others_have_none(self):
        for name in ("sine", "cosine", "mixed", "polynomial"):
            self.assertEqual(self.make(name, "--points", "6")[0], {})

    def test_told(self):
        for name, told in (("cavity", True), ("sine", False)):
            self.assertEqual(self.report("make", name, "--points", "8")["boundary_values"], told)
            self.assertEqual("/boundary_values" in self.run_well("make", name, "--points", "8").stdout, told)

    def test_discrete(self):
        """The operator that --discrete applies knows no data."""
        for name in ("cavity", "linear", "quadratic"):
            self.refuse(2, ["--discrete", name, "boundary data"], "make", name, "--discrete")


if __name__ == "__main__":
    main()
