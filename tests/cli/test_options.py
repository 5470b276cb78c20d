"""Options win over attributes, axis by axis; axes go by the letters of the file; defaults are as documented."""

import platform

from program import UNIT_BOX, ProgramTest, h5py, main, noise, np

MIXED = {
    "spacing": (0.1, 0.2, 0.3),
    "boundary": ["periodic", "dirichlet", "neumann"],
    "centering": ["cell", "node", "cell"],
    "helmholtz": 1.5,
}


class Precedence(ProgramTest):
    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(6, 7, 8), attributes=MIXED)

    def problem(self, *options):
        return self.report("-i", "field.h5", *options)["problem"]

    def test_attributes_alone(self):
        problem = self.problem()
        self.assertEqual(problem["spacing"], [0.1, 0.2, 0.3])
        self.assertEqual(problem["boundary"], ["periodic"] * 2 + ["dirichlet"] * 2 + ["neumann"] * 2)
        self.assertEqual(problem["centering"], ["cell", "node", "cell"])
        self.assertEqual(problem["helmholtz"], 1.5)

    def test_one_word_for_all_axes(self):
        problem = self.problem("--spacing", "0.5", "--boundary", "neumann:dirichlet", "--centering", "cell",
                               "--helmholtz", "0")
        self.assertEqual(problem["spacing"], [0.5] * 3)
        self.assertEqual(problem["boundary"], ["neumann", "dirichlet"] * 3)
        self.assertEqual(problem["centering"], ["cell"] * 3)
        self.assertEqual(problem["helmholtz"], 0)

    def test_three_words_in_index_order(self):
        problem = self.problem("--spacing", "0.5,0.6,0.7", "--boundary", "neumann,periodic,dirichlet",
                               "--centering", "node,cell,node")
        self.assertEqual(problem["spacing"], [0.5, 0.6, 0.7])
        self.assertEqual(problem["boundary"], ["neumann"] * 2 + ["periodic"] * 2 + ["dirichlet"] * 2)
        self.assertEqual(problem["centering"], ["node", "cell", "node"])

    def test_named_axes_leave_the_others(self):
        problem = self.problem("--spacing", "z=0.9,x=0.8", "--boundary", "z=dirichlet:neumann", "--centering", "y=cell")
        self.assertEqual(problem["spacing"], [0.8, 0.2, 0.9])
        self.assertEqual(problem["boundary"], ["periodic"] * 2 + ["dirichlet"] * 2 + ["dirichlet", "neumann"])
        self.assertEqual(problem["centering"], ["cell"] * 3)

    def test_options_instead_of_attributes(self):
        self.field("field.h5", noise(6, 7, 8), attributes={})
        problem = self.problem("--spacing", "x=0.1,y=0.2,z=0.3", "--boundary", "dirichlet")
        self.assertEqual(problem["spacing"], [0.1, 0.2, 0.3])
        self.assertEqual(problem["centering"], ["cell"] * 3)
        self.assertEqual(problem["helmholtz"], 0)

    def test_axes_go_by_the_letters_of_the_file(self):
        self.field("field.h5", noise(6, 7, 8), attributes={**MIXED, "axis_labels": ["z", "y", "x"]})
        problem = self.problem("--spacing", "x=0.9", "--boundary", "z=neumann")
        self.assertEqual(problem["spacing"], [0.1, 0.2, 0.9])
        self.assertEqual(problem["boundary"], ["neumann"] * 2 + ["dirichlet"] * 2 + ["neumann"] * 2)
        self.assertEqual(problem["axis_labels"], ["z", "y", "x"])
        self.refuse(2, ["--spacing", "z, y, x"], "-i", "field.h5", "--spacing", "t=1")

    def test_the_solution_follows_the_option(self):
        self.run_well("-i", "field.h5", "--helmholtz", "7", "-o", "option.h5")
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["rhs"].attrs["helmholtz"] = 7.0
        self.run_well("-i", "field.h5", "-o", "attribute.h5")
        np.testing.assert_array_equal(self.solution("option.h5"), self.solution("attribute.h5"))

    def test_a_repaired_attribute(self):
        """An option may stand in for boundary words that are there but not wanted."""
        self.assertEqual(self.problem("--boundary", "periodic")["boundary"], ["periodic"] * 6)


class Numbers(ProgramTest):
    def test_negative_and_signed(self):
        self.field("field.h5", noise(4, 4, 4))
        for words, scale in ((["--scale", "-12.5"], -12.5), (["--scale=-1e-3"], -1e-3), (["--scale", "+2"], 2)):
            self.assertEqual(self.report("-i", "field.h5", *words)["problem"]["scale"], scale)
        self.assertEqual(self.report("-i", "field.h5", "--helmholtz", "-1.5")["problem"]["helmholtz"], -1.5)

    def test_scale(self):
        self.field("field.h5", noise(4, 5, 6))
        self.run_well("-i", "field.h5", "-o", "one.h5")
        self.run_well("-i", "field.h5", "-o", "more.h5", "--scale", "-12.566370614359172")
        one, more = self.solution("one.h5"), self.solution("more.h5")
        np.testing.assert_allclose(more, -12.566370614359172 * one, rtol=0, atol=1e-14 * np.abs(more).max())

    def test_scale_beyond_single(self):
        self.field("field.h5", noise(4, 5, 6, dtype="f4"))
        self.refuse(2, ["--scale", "double"], "-i", "field.h5", "--scale", "1e200")


class Files(ProgramTest):
    def test_default_output_is_beside_the_input(self):
        (self.dir / "folder.d").mkdir()
        for name, output in (
            ("a.h5", "a.solution.h5"),
            ("b", "b.solution.h5"),
            ("c.tar.hdf5", "c.tar.solution.h5"),
            ("folder.d/d", "folder.d/d.solution.h5"),
        ):
            self.field(name, noise(3, 4, 5))
            self.assertEqual(self.report("-i", name)["output"], output)
            self.assertEqual(self.solution(output).shape, (3, 4, 5))

    def test_dataset(self):
        self.field("field.h5", noise(3, 4, 5), dataset="/group/charge")
        self.run_well("-i", "field.h5", "--dataset", "/group/charge")
        self.run_well("-i", "field.h5", "--dataset", "group/charge")

    def test_precision_follows_the_file(self):
        for stored, asked, solved in (
            ("f4", [], "f4"),
            (">f4", [], "f4"),
            ("f8", [], "f8"),
            (">f8", [], "f8"),
            ("f8", ["--precision", "single"], "f4"),
            ("f4", ["--precision", "double"], "f8"),
        ):
            with self.subTest(stored=stored, asked=asked):
                self.field("field.h5", noise(4, 5, 6, dtype=stored))
                report = self.report("-i", "field.h5", *asked)
                self.assertEqual(report["problem"]["precision"], {"f4": "single", "f8": "double"}[solved])
                self.assertEqual(self.solution().dtype, np.dtype(solved))

    def test_threads_and_memory(self):
        self.field("field.h5", noise(16, 16, 16))
        for threads in (1, 2, 3):
            self.assertIn(f"{threads} thread", self.report("-i", "field.h5", "--engine", "host", "--threads", threads)["plan"])
        fast = self.report("-i", "field.h5", "--memory", "fast")
        standard = self.report("-i", "field.h5", "--memory", "standard")
        self.assertEqual((fast["memory"], standard["memory"]), ("fast", "standard"))
        if fast["engine"] == "host":  # which has no internal fields
            self.assertEqual(fast["bytes"]["workspace"], standard["bytes"]["workspace"])
        else:
            self.assertGreater(fast["bytes"]["workspace"], standard["bytes"]["workspace"])


class Gauge(ProgramTest):
    def setUp(self):
        super().setUp()
        self.values = noise(5, 6, 7) + 0.25
        self.field("field.h5", self.values, attributes={**UNIT_BOX, "boundary": "periodic"})

    def test_mean(self):
        report = self.report("-i", "field.h5")
        self.assertAlmostEqual(report["mean_removed"], self.values.mean(), delta=1e-15)
        self.assertLess(abs(self.solution().mean()), 1e-16)

    def test_a_field_that_is_all_mean_gets_a_warning(self):
        """Exit code 0 all the same; noise that is more than rounding gets none."""
        rest = self.values - self.values.mean()
        for size, verify, warned in ((0, (), True), (0, ("--no-verify",), True), (1e-16, (), True),
                                     (1e-13, (), False), (1e-13, ("--no-verify",), False)):
            with self.subTest(size=size, verify=verify):
                self.field("field.h5", 1 + size * rest, attributes={**UNIT_BOX, "boundary": "periodic"})
                done = self.run_well("-i", "field.h5", "--json", "-", *verify)
                self.assertEqual("constant but for rounding" in done.stderr, warned, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), int(warned))
                self.assertEqual("constant but for rounding" in done.json.get("warning", ""), warned)

    def test_mean_is_that_of_the_scaled_field(self):
        report = self.report("-i", "field.h5", "--scale", "-3")
        self.assertAlmostEqual(report["mean_removed"], -3 * self.values.mean(), delta=1e-14)

    def test_point(self):
        self.run_well("-i", "field.h5", "-o", "mean.h5")
        self.run_well("-i", "field.h5", "-o", "point.h5", "--gauge", "1,2,3")
        mean, point = self.solution("mean.h5"), self.solution("point.h5")
        self.assertEqual(point[1, 2, 3], 0)
        np.testing.assert_allclose(point, mean - mean[1, 2, 3], atol=1e-15)

    def test_strict(self):
        self.refuse(4, ["mean", "--strict"], "-i", "field.h5", "--strict")
        done = self.run_well("-i", "field.h5", "--strict", "--json", "-", status=4)
        self.assertEqual(done.json["status"], 4)
        self.run_well("-i", "field.h5", "--strict", "--helmholtz", "1")
        self.run_well("-i", "field.h5", "--strict", "--boundary", "x=dirichlet")
        self.field("field.h5", 1e6 * (self.values - self.values.mean()), attributes={**UNIT_BOX, "boundary": "periodic"})
        for precision in ("double", "single"):
            self.run_well("-i", "field.h5", "--strict", "--precision", precision)


if __name__ == "__main__":
    main()
