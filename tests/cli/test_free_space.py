"""Free faces: the word in options and files, what is refused and with which exit code, and what the report says."""

from program import UNIT_BOX, ProgramTest, h5py, main, noise, np, strings

FREE = {**UNIT_BOX, "boundary": "free"}
# All mixes of three, two and one free axis, with walls and periods, cells and nodes.
MIXES = ["free", "x=dirichlet:free,y=free,z=free", "x=free,y=free:neumann,z=neumann:free", "x=free,y=periodic,z=free",
         "x=dirichlet,y=free,z=free", "x=free,y=neumann,z=free:dirichlet", "x=free,y=periodic,z=periodic",
         "x=neumann,y=free,z=dirichlet:neumann", "x=periodic,y=periodic,z=neumann:free",
         "x=periodic,y=dirichlet:free,z=neumann"]


class Words(ProgramTest):
    def setUp(self):
        super().setUp()
        self.values = noise(6, 5, 7)
        self.field("field.h5", self.values, attributes=FREE)

    def refuse_options(self, status, words, *options):
        self.refuse(status, words, "--input", "field.h5", *options)

    def test_the_word_in_options_and_attributes(self):
        self.assertEqual(self.report("-i", "field.h5")["problem"]["boundary"], ["free"] * 6)
        self.assertEqual(strings(self.attributes()["boundary"]), ["free"] * 6)
        self.field("named.h5", self.values, attributes={
            **UNIT_BOX, "boundary": ["dirichlet", "free", "periodic", "periodic", "free", "neumann"]})
        expected = ["dirichlet", "free", "periodic", "periodic", "free", "neumann"]
        self.assertEqual(self.report("-i", "named.h5")["problem"]["boundary"], expected)
        report = self.report("-i", "field.h5", "--boundary", "x=dirichlet:free,y=periodic,z=free:neumann")
        self.assertEqual(report["problem"]["boundary"], expected)
        self.assertEqual(self.report("info", "field.h5")["boundary"], ["free"] * 6)
        self.refuse_options(2, ["--boundary", "'open'", "free"], "--boundary", "open")

    def test_periodic_and_free(self):
        for pair in ("periodic:free", "free:periodic"):
            self.refuse_options(2, ["--boundary", pair, "periodic on both sides"], "--boundary", f"y={pair}")
        self.field("field.h5", self.values, attributes={
            **UNIT_BOX, "boundary": ["periodic", "free", "periodic", "periodic", "free", "free"]})
        self.refuse_options(3, ["field.h5", "boundary", "periodic", "free"])

    def test_boundary_values(self):
        for value in (0.0, 1.0):
            with self.subTest(value=value):
                self.field("field.h5", self.values, attributes=FREE)
                with h5py.File(self.dir / "field.h5", "a") as file:
                    file["boundary_values/y_upper"] = value
                self.refuse_options(3, ["/boundary_values/y_upper", "the face is free"])
                self.refuse_options(3, ["/boundary_values/y_upper", "the face is free"],
                                    "--boundary", "y=dirichlet:free")
        self.run_well("-i", "field.h5", "--boundary", "y=free:dirichlet")  # on the other faces they are allowed
        self.refuse_options(2, ["y_upper", "spectral", "second-order"], "--boundary", "y=free:dirichlet",
                            "--discretization", "spectral")

    def test_waves_leave(self):
        self.refuse_options(2, ["Helmholtz constant -1", "through which waves leave", "none below 0"], "--helmholtz", "-1")
        self.refuse_options(2, ["-50", "mode 0 along y"], "--helmholtz=-50", "--boundary", "y=dirichlet")
        self.refuse_options(2, ["mode 0 along y"], "--helmholtz=-1e-9", "--boundary", "y=periodic")
        # Between walls half a length apart waves longer than that stay.
        self.run_well("-i", "field.h5", "--helmholtz=-20", "--boundary", "y=dirichlet")

    def test_positions_and_robin(self):
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["positions/y"] = np.array([0.0, 0.1, 0.3, 0.4, 0.45, 0.7])
        self.refuse_options(2, ["axis y", "positions", "3 axes with free faces", "wanted one"])
        self.refuse_options(2, ["axis y", "positions", "2 axes"], "--boundary", "x=periodic")
        self.refuse_options(2, ["axis y", "spectral", "second-order"], "--boundary", "x=periodic,z=neumann",
                            "--discretization", "spectral")
        self.run_well("-i", "field.h5", "--boundary", "x=periodic,z=neumann")
        self.field("field.h5", self.values, attributes=FREE)
        self.refuse_options(2, ["axis z", "Robin", "3 axes"], "--boundary", "z=free:robin:1:2")
        self.run_well("-i", "field.h5", "--boundary", "x=periodic,y=dirichlet,z=free:robin:1:2")

    def test_mixed_precision(self):
        for boundary in ("free", "x=periodic,y=periodic"):
            self.refuse_options(2, ["mixed", "free faces", "double"], "--precision", "mixed", "--boundary", boundary)

    def test_make(self):
        self.refuse(2, ["known field mixed", "axis y"], "make", "mixed", "--boundary", "y=free")
        self.refuse(2, ["known field quadratic", "axis x"], "make", "quadratic", "--boundary", "x=dirichlet:free")
        self.refuse(2, ["--discrete", "free faces"], "make", "random", "--discrete", "--boundary", "free")
        self.refuse(2, ["gaussians", "Robin"], "make", "gaussians", "--boundary",
                    "x=robin:1:1,y=neumann,z=neumann")
        self.refuse(2, ["ring", "Helmholtz", "-1"], "make", "ring", "--helmholtz", "-1", "--boundary", "dirichlet")
        self.run_well("make", "random", "--boundary", "free", "--points", "4")


class Gauges(ProgramTest):
    def setUp(self):
        super().setUp()
        self.values = noise(6, 5, 7)
        self.field("field.h5", self.values, attributes=FREE)

    def test_where_there_is_no_choice(self):
        for options in ((), ("--helmholtz", "1", "--boundary", "x=periodic"), ("--boundary", "x=dirichlet"),
                        ("--boundary", "x=periodic,y=dirichlet:free")):
            for gauge in ("far", "mean", "1,2,3"):
                with self.subTest(options=options, gauge=gauge):
                    self.refuse(2, ["--gauge", gauge, "no gauge"], "-i", "field.h5", "--gauge", gauge, *options)
            self.assertEqual(self.report("-i", "field.h5", *options)["problem"]["gauge"], "none")

    def test_nothing_is_far_in_a_closed_box(self):
        for boundary in ("periodic", "dirichlet"):
            self.refuse(2, ["--gauge", "'far'", "free faces"], "-i", "field.h5", "--boundary", boundary,
                        "--gauge", "far")
        self.refuse(2, ["--gauge", "'median'", "far"], "-i", "field.h5", "--gauge", "median")

    def test_they_differ_by_a_constant(self):
        for boundary in ("x=periodic", "y=neumann,z=periodic", "x=neumann:free,y=periodic,z=neumann"):
            for discretization in ("second-order", "spectral"):
                with self.subTest(boundary=boundary, discretization=discretization):
                    options = ("-i", "field.h5", "--boundary", boundary, "--discretization", discretization)
                    self.assertEqual(self.report(*options)["problem"]["gauge"], "far")
                    far = self.solution()
                    self.assertEqual(strings(self.attributes()["gauge"]), ["far"])
                    self.run_well(*options, "--gauge", "far")
                    np.testing.assert_array_equal(self.solution(), far)
                    self.assertEqual(self.report(*options, "--gauge", "mean")["problem"]["gauge"], "mean")
                    mean = self.solution()
                    self.assertLess(abs(mean.mean()), 1e-15)
                    self.run_well(*options, "--gauge", "1,2,3")
                    point = self.solution()
                    self.assertEqual(point[1, 2, 3], 0)
                    np.testing.assert_allclose(mean, far - far.mean(), atol=1e-14)
                    np.testing.assert_allclose(point, far - far[1, 2, 3], atol=1e-14)

    def test_strict(self):
        for boundary in ("x=periodic", "x=periodic,y=neumann", "x=neumann:free,y=periodic"):
            with self.subTest(boundary=boundary):
                self.field("field.h5", self.values, attributes=FREE)
                self.refuse(4, ["grows without bound", "mean", "--strict"], "-i", "field.h5", "--strict",
                            "--boundary", boundary)
                self.run_well("-i", "field.h5", "--boundary", boundary)
                self.run_well("-i", "field.h5", "--strict", "--boundary", boundary, "--helmholtz", "1")
                neutral = 1e6 * (self.values - self.values.mean())
                self.field("field.h5", neutral, attributes=FREE)
                for precision in ("double", "single"):
                    self.run_well("-i", "field.h5", "--strict", "--boundary", boundary, "--precision", precision)
        self.field("field.h5", self.values, attributes=FREE)
        self.run_well("-i", "field.h5", "--strict")
        self.run_well("-i", "field.h5", "--strict", "--boundary", "x=periodic,y=dirichlet")

    def test_strict_counts_what_flows_through_neumann_faces(self):
        """f = 1 in a column of area 1 whose wall lets exactly that out."""
        self.field("field.h5", np.ones((5, 5, 4)), attributes={"spacing": (0.2, 0.2, 0.25), "boundary": [
            "periodic", "periodic", "periodic", "periodic", "neumann", "free"]})
        self.refuse(4, ["grows"], "-i", "field.h5", "--strict")
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["boundary_values/z_lower"] = 1.0
        report = self.report("-i", "field.h5", "--strict")
        self.assertLess(abs(report["net"]), 1e-14)


class Report(ProgramTest):
    def test_of_second_order(self):
        values = noise(9, 8, 10)
        self.field("field.h5", values, attributes=FREE)
        report = self.report("-i", "field.h5", "--scale", "-2")
        self.assertAlmostEqual(report["net"], -2 * values.sum() * 1e-3, delta=1e-15)
        shell = values.copy()
        shell[1:-1, 1:-1, 1:-1] = 0
        self.assertEqual(report["edge"], abs(shell).max() / abs(values).max())
        self.assertEqual(report["mean_removed"], 0)
        self.assertIs(report["singular"], False)
        self.assertLess(report["residual"]["backward"], 4e-15)
        self.assertLess(report["freeness"], 4e-15)
        attributes = self.attributes()
        for key in ("net", "edge", "freeness"):
            self.assertEqual(attributes[key], report[key])
        self.assertEqual(attributes["mean_removed"], 0)
        self.assertEqual(strings(attributes["gauge"]), ["none"])
        table = self.run_well("-i", "field.h5").stdout
        for word in ("net", "edge", "freeness", "far away", "backward error"):
            self.assertIn(word, table)

    def test_of_spectral(self):
        self.field("field.h5", noise(9, 8, 10), attributes=FREE)
        report = self.report("-i", "field.h5", "--discretization", "spectral")
        self.assertIsNone(report["residual"])
        self.assertIsNone(report["freeness"])
        self.assertNotIn("residual_backward", self.attributes())
        self.assertIn("edge", self.attributes())
        self.assertIn("none: spectral", self.run_well("-i", "field.h5", "--discretization", "spectral").stdout)
        self.assertIn("not measured", self.run_well("-i", "field.h5", "--discretization", "spectral",
                                                    "--no-verify").stdout)

    def test_closed_boxes_say_nothing_of_it(self):
        self.field("field.h5", noise(4, 5, 6))
        report = self.report("-i", "field.h5")
        for key in ("net", "edge", "freeness"):
            self.assertNotIn(key, report)

    def test_edge_is_that_of_free_faces(self):
        values = np.zeros((5, 6, 7))
        values[0, 2, 2], values[2, 3, 4], values[2, 2, 6] = 1.0, 4.0, 2.0
        self.field("field.h5", values, attributes=FREE)
        self.assertEqual(self.report("-i", "field.h5")["edge"], 0.5)
        self.assertEqual(self.report("-i", "field.h5", "--boundary", "z=periodic")["edge"], 0.25)
        self.assertEqual(self.report("-i", "field.h5", "--boundary", "z=dirichlet,x=free:neumann")["edge"], 0.25)
        self.assertEqual(self.report("-i", "field.h5", "--boundary", "z=dirichlet,x=neumann:free")["edge"], 0)

    def test_both_precisions(self):
        self.field("field.h5", noise(9, 8, 10), attributes=FREE)
        for boundary in MIXES:
            for precision, eps in (("double", 2.0**-52), ("single", 2.0**-23)):
                for centering in ("cell", "node"):
                    with self.subTest(boundary=boundary, precision=precision, centering=centering):
                        report = self.report("-i", "field.h5", "--boundary", boundary, "--precision", precision,
                                             "--centering", centering)
                        self.assertLess(report["residual"]["backward"], 8 * eps)
                        self.assertLess(report["freeness"], 10 * eps)


class Exact(ProgramTest):
    """make gaussians and ring against their solutions."""

    def error(self, boundary, points, discretization, centering="cell", name="gaussians", *options):
        self.run_well("make", name, "--points", points, "--length", "1,1.25,0.8", "--boundary", boundary,
                      "--centering", centering, "-o", "made.h5", *options)
        report = self.report("-i", "made.h5", "--exact", "/exact", "--discretization", discretization)
        with h5py.File(self.dir / "made.h5") as file:
            return report["error"]["max"] / abs(file["exact"][...]).max()

    def test_spectral(self):
        for boundary in MIXES:
            for centering in ("cell", "node"):
                for options in ((), ("--helmholtz", "30")):
                    with self.subTest(boundary=boundary, centering=centering, options=options):
                        error = self.error(boundary, "40,50,32", "spectral", centering, "gaussians", *options)
                        self.assertLess(error, 1e-8)

    def test_second_order(self):
        for boundary in MIXES:
            with self.subTest(boundary=boundary):
                coarse = self.error(boundary, "20,25,16", "second-order")
                fine = self.error(boundary, "40,50,32", "second-order")
                self.assertGreater(np.log2(coarse / fine), 1.6)

    def test_ring(self):
        for boundary in ("free", "x=free,y=free,z=periodic", "x=neumann,y=dirichlet:free,z=periodic",
                         "x=periodic,y=neumann,z=free"):
            with self.subTest(boundary=boundary):
                self.assertLess(self.error(boundary, "40,50,32", "spectral", "cell", "ring"), 1e-7)

    def test_gradient(self):
        """Central differences, up to and beyond the faces: second order, and consistent with u."""
        self.error("free", "40,50,32", "second-order")
        self.run_well("-i", "made.h5", "--gradient", "-o", "gradient.h5")
        u = self.solution("gradient.h5")
        slope = self.solution("gradient.h5", "/gradient/x")
        h = 1.0 / 40
        np.testing.assert_allclose(slope[1:-1], (u[2:] - u[:-2]) / (2 * h), atol=1e-12 * abs(slope).max())
        outward = 2 * slope[1] - slope[2]  # straight on from inside
        self.assertLess(abs(slope[0] - outward).max(), 0.02 * abs(slope).max())

    def test_spectral_gradient(self):
        """Differences of the eighth order of u, along free axes and others, some way from the faces."""
        weights = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
        for boundary in ("free", "x=free,y=dirichlet:free,z=periodic", "x=neumann,y=free,z=dirichlet"):
            for step in ((), ("--scale", "-2")):
                with self.subTest(boundary=boundary, step=step):
                    self.error(boundary, "60,75,48", "spectral")
                    self.run_well("-i", "made.h5", "--gradient", "--discretization", "spectral", "-o", "g.h5", *step)
                    u = self.solution("g.h5")
                    for axis, label in enumerate("xyz"):
                        slope = np.moveaxis(self.solution("g.h5", "/gradient/" + label), axis, 0)
                        v, n = np.moveaxis(u, axis, 0), u.shape[axis]
                        h = (1.0, 1.25, 0.8)[axis] / n
                        wanted = sum(w * (v[4 + d:n - 4 + d] - v[4 - d:n - 4 - d])
                                     for d, w in enumerate(weights, start=1)) / h
                        np.testing.assert_allclose(slope[4:-4], wanted, atol=2e-4 * abs(slope).max())


if __name__ == "__main__":
    main()
