"""Axes whose steps differ, and Robin faces: from the file to the solution, its gradient and what goes with it."""

from program import ProgramTest, h5py, main, noise, np, strings

WALLS = ("dirichlet", "neumann", "robin:2:0.5", "robin:0:1", "dirichlet:neumann", "robin:1:0.25:dirichlet",
         "neumann:robin:0.5:3", "periodic")


class Positions(ProgramTest):
    def make(self, *options):
        self.run_well("make", *options, "-q", "-o", "field.h5")

    def solve(self, *options):
        return self.run_well("-i", "field.h5", *options, "--json", "-").json

    def test_linear_and_quadratic_fields_are_exact(self):
        """Quadratic ones on nodes; each wall on each axis, the others of other kinds."""
        for axis, label in enumerate("xyz"):
            for walls in WALLS:
                spec = ",".join(f"{other}={walls if other == label else kind}"
                                for other, kind in zip("xyz", ("dirichlet", "dirichlet:neumann", "neumann")))
                for field, centring in (("linear", "cell"), ("linear", "node"), ("quadratic", "node")):
                    if walls.startswith("robin:0") and field == "quadratic" and axis == 0:
                        continue  # singular: the fields keep their mean
                    with self.subTest(spec=spec, field=field, centring=centring):
                        self.make(field, "--points", "9,11,10", "--boundary", spec, "--centering", centring,
                                  "--stretch", f"{label}=random:{axis}")
                        report = self.solve("--exact", "/exact", "--gradient")
                        self.assertLess(report["error"]["max"], 2e-14)
                        self.assertLess(report["residual"]["backward"], 2e-15)

    def test_gradient_of_a_linear_field(self):
        self.make("linear", "--points", 8, "--stretch", "z=tanh:2", "--boundary", "z=robin:1:1:dirichlet,x=neumann,"
                  "y=dirichlet")
        self.solve("--gradient")
        for name, slope in zip("xyz", (1.0, -0.75, 0.5)):
            np.testing.assert_allclose(self.solution(dataset=f"/gradient/{name}"), slope, atol=1e-11)

    def test_discrete_fields_come_back(self):
        for precision, allowed in (("double", 3.6e-15), ("single", 2e-6)):
            for stretch in ("x=tanh:2", "y=geometric:1.2", "z=random:4"):
                with self.subTest(precision=precision, stretch=stretch):
                    self.make("mixed", "--points", "31,20,33", "--stretch", stretch, "--discrete",
                              "--precision", precision)
                    self.assertLess(self.solve("--exact", "/exact")["error"]["max"], allowed)

    def test_singular_problems(self):
        """What is subtracted is the mean with the lengths that points stand for, and so is what the solution lacks."""
        for centring in ("cell", "node"):
            with self.subTest(centring=centring):
                self.make("random", "--points", "6,9,8", "--boundary", "x=periodic,y=neumann,z=periodic",
                          "--centering", f"y={centring}", "--stretch", "y=tanh:2")
                report = self.solve()
                with h5py.File(self.dir / "field.h5") as file:
                    x, f = file["positions/y"][...], file["rhs"][...]
                weights = np.diff(x)
                if centring == "node":
                    weights = np.convolve(weights, [0.5, 0.5])
                mean = np.average(f.mean(axis=(0, 2)), weights=weights)
                self.assertAlmostEqual(report["mean_removed"], mean, delta=1e-15)
                u = self.solution()
                self.assertLess(abs(np.average(u.mean(axis=(0, 2)), weights=weights)), 1e-15 * np.abs(u).max() * 8)

    def test_the_output_says_it_all(self):
        self.make("linear", "--points", 6, "--boundary", "y=robin:2:0.5:neumann,x=periodic,z=dirichlet",
                  "--stretch", "y=chebyshev")
        self.solve("--gradient")
        with h5py.File(self.dir / "field.h5") as before, h5py.File(self.dir / "field.solution.h5") as after:
            np.testing.assert_array_equal(before["positions/y"], after["positions/y"])
            for dataset in ("solution", "gradient/y"):
                attributes = after[dataset].attrs
                np.testing.assert_array_equal(attributes["robin_y_lower"], [2.0, 0.5])
                self.assertEqual(strings(attributes["boundary"])[2:4], ["robin", "neumann"])
            after_rhs = self.dir / "again.h5"
            with h5py.File(after_rhs, "w") as again:  # an output is as good a problem as its input
                after.copy("positions", again)
                again.create_dataset("rhs", data=before["rhs"][...])
                for key in ("spacing", "origin", "boundary", "robin_y_lower"):
                    again["rhs"].attrs[key] = after["solution"].attrs[key]
                before.copy("boundary_values", again)
        self.run_well("-i", "again.h5", "-q")
        np.testing.assert_array_equal(self.solution(), self.solution("again.solution.h5"))

    def test_spacing_wins_over_positions(self):
        box = {"spacing": (0.1, 0.2, 0.1), "boundary": "dirichlet"}
        path = self.field("field.h5", noise(5, 6, 7), attributes=box)
        with h5py.File(path, "a") as file:
            file["positions/y"] = np.arange(7.0) ** 2
        self.field("plain.h5", noise(5, 6, 7), attributes=box)
        self.run_well("-i", "plain.h5", "-q")
        self.run_well("-i", "field.h5", "--spacing", "y=0.2", "-q")
        np.testing.assert_array_equal(self.solution(), self.solution("plain.solution.h5"))

    def test_positions_of_all_axes_may_replace_spacing(self):
        with h5py.File(self.field("field.h5", noise(4, 5, 6), attributes={"boundary": "dirichlet"}), "a") as file:
            for name, points in zip("xyz", (4, 5, 6)):
                file[f"positions/{name}"] = np.arange(points + 1.0)
        self.run_well("-i", "field.h5", "-q")
        self.field("plain.h5", noise(4, 5, 6), attributes={"boundary": "dirichlet", "spacing": (1.0, 1.0, 1.0)})
        self.run_well("-i", "plain.h5", "-q")
        np.testing.assert_allclose(self.solution(), self.solution("plain.solution.h5"), rtol=1e-13, atol=1e-14)

    def test_uniform_positions_solve_the_uniform_problem(self):
        box = {"spacing": (0.125, 0.25, 0.5), "boundary": ["periodic", "dirichlet:neumann", "neumann"]}
        path = self.field("field.h5", noise(12, 16, 10), attributes=box)
        self.run_well("-i", "field.h5", "-q", "-o", "plain.h5")
        with h5py.File(path, "a") as file:
            file["positions/y"] = 0.25 * np.arange(17) - 1
        self.run_well("-i", "field.h5", "-q")
        np.testing.assert_array_equal(self.solution(), self.solution("plain.h5"))

    def test_positions_uniform_to_rounding(self):
        """As linspace leaves them: transformed, with what only uniform axes have, and kept in the output. A little
        more than rounding, and they are uneven."""
        box = {"spacing": (0.125, 9.0, 0.5), "boundary": ["periodic", "dirichlet:neumann", "neumann"],
               "axis_labels": ["z", "y", "x"]}
        for centring, points in (("cell", 16), ("node", 17)):
            with self.subTest(centring=centring):
                x = np.linspace(-1, 0.7, 17)
                self.assertGreater(np.ptp(np.diff(x)), 0)
                box["centering"] = ["cell", centring, "cell"]
                path = self.field("field.h5", noise(12, points, 10), attributes=box)
                with h5py.File(path, "a") as file:
                    file["positions/y"] = x
                report = self.solve("--middle", "transform", "--vtk", "u.vtkhdf", "--preview", "u.png")
                step = (x[-1] - x[0]) / 16
                self.assertEqual(report["problem"]["steps"], {})
                self.assertEqual(report["problem"]["spacing"], [0.125, step, 0.5])
                u = self.solution()
                with h5py.File(self.dir / "field.solution.h5") as file, h5py.File(self.dir / "u.vtkhdf") as vtk:
                    np.testing.assert_array_equal(file["positions/y"], x)
                    self.assertEqual(file["solution"].attrs["spacing"][1], step)
                    self.assertEqual(file["solution"].attrs["origin"][1], -1)
                    for image in (file, vtk):
                        self.assertEqual(image["VTKHDF"].attrs["Type"], b"ImageData")
                        np.testing.assert_array_equal(image["VTKHDF"].attrs["Spacing"], [0.5, step, 0.125])
                self.run_well("-i", "field.h5", "--spacing", f"y={step!r}", "-q", "-o", "plain.h5")
                np.testing.assert_array_equal(u, self.solution("plain.h5"))
                self.solve("--discretization", "spectral")
                self.solve("--helmholtz", -1000)
                with h5py.File(path, "a") as file:
                    file["positions/y"][8] += 20 * np.finfo(float).eps
                self.refuse(2, ["axis y has positions"], "-i", "field.h5", "--middle", "transform")
                report = self.solve()
                self.assertEqual(list(report["problem"]["steps"]), ["y"])
                self.assertLess(np.abs(self.solution() - u).max(), 1e-13 * np.abs(u).max())

    def test_robin_faces_of_positions_uniform_to_rounding(self):
        """Eliminated, by the same step."""
        box = {"spacing": (0.125, 0.1, 0.5), "boundary": "neumann"}
        path = self.field("field.h5", noise(12, 17, 10), attributes=box)
        options = ("--boundary", "y=robin:1:0.5:dirichlet", "-q")
        self.run_well("-i", "field.h5", "--spacing", f"y={(0.7 - 0.1) / 17!r}", *options, "-o", "plain.h5")
        with h5py.File(path, "a") as file:
            file["positions/y"] = np.linspace(0.1, 0.7, 18)
        self.run_well("-i", "field.h5", *options)
        np.testing.assert_array_equal(self.solution(), self.solution("plain.h5"))


if __name__ == "__main__":
    main()
