"""Axes by conductances and weights: from the file to the solution, its gradient and what goes with it."""

from program import ProgramTest, h5py, main, noise, np

WALLS = ("dirichlet", "neumann", "robin:2:0.5", "robin:0:1", "dirichlet:neumann", "robin:1:0.25:dirichlet",
         "neumann:robin:0.5:3", "periodic")


def of_steps(w, centring, walls):
    """Conductances and weights of an axis with these steps."""
    if centring == "cell":
        between = 2 / (w[1:] + w[:-1])
        ends = [2 / (w[0] + w[-1])] * 2 if walls == "periodic" else [2 / w[0], 2 / w[-1]]
        if walls.startswith("neumann"):
            ends[0] = 0.0  # a wall that nothing goes through
        return np.concatenate([ends[:1], between, ends[1:]]), w
    below, above = (w[-1:], w[:-1]) if walls == "periodic" else ([0.0], w)
    lower, upper = np.concatenate([below, above]), np.append(w, [] if walls == "periodic" else 0.0)
    return 1 / w, 0.5 * (lower + upper)


class CoefficientsTest(ProgramTest):
    def make(self, *options):
        self.run_well("make", *options, "-q", "-o", "steps.h5")

    def turn_into_coefficients(self, label, centring="cell", walls="dirichlet", keep_positions=False):
        """coefficients.h5: the same problem as steps.h5, the axis by its numbers."""
        with h5py.File(self.dir / "steps.h5") as before, h5py.File(self.dir / "coefficients.h5", "w") as after:
            for name in before:
                before.copy(name, after)
            after[f"conductances/{label}"], after[f"weights/{label}"] = of_steps(
                np.diff(before[f"positions/{label}"][...]), centring, walls)
            if not keep_positions:
                del after[f"positions/{label}"]

    def solve(self, name, *options):
        report = self.run_well("-i", f"{name}.h5", *options, "--json", "-").json
        return self.solution(f"{name}.solution.h5"), report


class SameAsSteps(CoefficientsTest):
    def test_each_wall_on_each_axis(self):
        """With boundary values, which noise has none of, in every other problem."""
        for axis, label in enumerate("xyz"):
            for walls in WALLS:
                spec = ",".join(f"{other}={walls if other == label else kind}"
                                for other, kind in zip("xyz", ("neumann", "periodic", "neumann:robin:0:2")))
                for field, centring in (("random", "cell"), ("random", "node"), ("linear", "cell"), ("linear", "node")):
                    with self.subTest(spec=spec, field=field, centring=centring):
                        self.make(field, "--points", "9,11,10", "--boundary", spec, "--centering", centring,
                                  "--stretch", f"{label}=random:{axis}")
                        self.turn_into_coefficients(label, centring, walls)
                        u, report = self.solve("steps")
                        v, same = self.solve("coefficients")
                        self.assertLess(np.abs(u - v).max(), 2e-14 * np.abs(u).max())
                        self.assertLess(same["residual"]["backward"], 2e-15)
                        self.assertEqual(same["singular"], report["singular"])
                        self.assertEqual(same["singular"], walls in ("neumann", "robin:0:1", "periodic"))
                        self.assertAlmostEqual(same["mean_removed"], report["mean_removed"], delta=1e-14)

    def test_three_axes_in_both_precisions(self):
        self.make("random", "--points", "8,9,7", "--boundary", "dirichlet", "--stretch",
                  "x=tanh:2,y=random:1,z=geometric:1.3")
        u, _ = self.solve("steps")
        with h5py.File(self.dir / "steps.h5", "a") as file:
            for label in "xyz":
                file[f"conductances/{label}"], file[f"weights/{label}"] = of_steps(
                    np.diff(file[f"positions/{label}"][...]), "cell", "dirichlet")
            del file["positions"]
        for precision, allowed in (("double", 1e-14), ("single", 5e-6), ("mixed", 1e-14)):
            v, _ = self.solve("steps", "--precision", precision)
            self.assertLess(np.abs(u - v).max(), allowed * np.abs(u).max(), precision)

    def test_numbers_of_no_grid(self):
        """Twice the conductances and weights, a quarter of the conductances: what they say is what is solved."""
        self.make("random", "--points", "8,9,7", "--boundary", "neumann", "--stretch", "y=tanh:2", "--helmholtz", 1)
        self.turn_into_coefficients("y", walls="neumann")
        path = self.dir / "coefficients.h5"
        u, _ = self.solve("coefficients")
        with h5py.File(path, "a") as file:
            for group in ("conductances", "weights"):
                file[f"{group}/y"][...] *= 2
        np.testing.assert_allclose(self.solve("coefficients")[0], u, rtol=0, atol=1e-14 * np.abs(u).max())
        with h5py.File(path, "a") as file:
            file["conductances/y"][...] /= 4
        v, report = self.solve("coefficients")
        self.assertGreater(np.abs(u - v).max(), 0.01 * np.abs(u).max())
        self.assertLess(report["residual"]["backward"], 2e-15)


class WhereThePointsAre(CoefficientsTest):
    def setUp(self):
        super().setUp()
        self.make("linear", "--points", "6,7,8", "--boundary", "y=robin:2:0.5:neumann,x=periodic,z=dirichlet",
                  "--stretch", "y=chebyshev", "--origin", "0,2,0")
        self.turn_into_coefficients("y", walls="robin:2:0.5:neumann", keep_positions=True)

    def test_positions_serve_gradients_and_pictures(self):
        self.solve("steps", "--gradient", "--vtk", "steps.vtkhdf", "--preview", "steps.png")
        self.solve("coefficients", "--gradient", "--vtk", "same.vtkhdf", "--preview", "same.png")
        for label in "xyz":
            np.testing.assert_allclose(self.solution("coefficients.solution.h5", dataset=f"/gradient/{label}"),
                                       self.solution("steps.solution.h5", dataset=f"/gradient/{label}"), atol=1e-12)
        with h5py.File(self.dir / "steps.vtkhdf") as wanted, h5py.File(self.dir / "same.vtkhdf") as found:
            for name in ("XCoordinates", "YCoordinates", "ZCoordinates"):
                np.testing.assert_array_equal(found[f"VTKHDF/{name}"][...], wanted[f"VTKHDF/{name}"][...])
        self.assertEqual((self.dir / "same.png").read_bytes()[:4], b"\x89PNG")

    def test_the_option_spacing_moves_points_and_nothing_else(self):
        u, _ = self.solve("coefficients")
        v, report = self.solve("coefficients", "--spacing", "y=0.5")
        np.testing.assert_array_equal(u, v)
        self.assertEqual(report["problem"]["spacing"][1], 0.5)
        self.assertEqual(report["problem"]["steps"], {})
        self.assertEqual(list(report["problem"]["coefficients"]), ["y"])

    def test_an_axis_whose_points_are_nowhere(self):
        path = self.field("open.h5", noise(3, 4, 5), attributes={"boundary": "dirichlet"})
        with h5py.File(path, "a") as file:
            for label, n in zip("xyz", (3, 4, 5)):
                file[f"conductances/{label}"], file[f"weights/{label}"] = np.ones(n + 1), np.ones(n)
        self.refuse(3, ["open.h5", "spacing", "axis x", "--spacing"], "-i", "open.h5")
        told = self.run_well("info", "open.h5").stdout
        self.assertIn("5 conductances, 4 weights", told)
        self.run_well("-i", "open.h5", "--spacing", 1, "-q")

    def test_the_output_says_it_all(self):
        self.solve("coefficients")
        with h5py.File(self.dir / "coefficients.h5") as before, h5py.File(self.dir / "again.h5", "w") as again:
            with h5py.File(self.dir / "coefficients.solution.h5") as after:
                for name in ("positions/y", "conductances/y", "weights/y"):
                    np.testing.assert_array_equal(before[name], after[name])
                for name in ("positions", "conductances", "weights"):  # an output is as good a problem as its input
                    after.copy(name, again)
                again.create_dataset("rhs", data=before["rhs"][...])
                for key in ("spacing", "origin", "boundary", "robin_y_lower"):
                    again["rhs"].attrs[key] = after["solution"].attrs[key]
            before.copy("boundary_values", again)
        self.solve("again")
        np.testing.assert_array_equal(self.solution("again.solution.h5"), self.solution("coefficients.solution.h5"))

    def test_what_is_told(self):
        told = self.run_well("info", "coefficients.h5", "--json", "-").json
        with h5py.File(self.dir / "coefficients.h5") as file:
            g, d = file["conductances/y"][...], file["weights/y"][...]
        self.assertEqual(told["coefficients"], {"y": {
            "conductances": {"count": 8, "min": g.min(), "max": g.max()},
            "weights": {"count": 7, "min": d.min(), "max": d.max()}}})
        _, report = self.solve("coefficients")
        self.assertEqual(report["problem"]["coefficients"], {"y": {
            "conductances": {"min": g.min(), "max": g.max()}, "weights": {"min": d.min(), "max": d.max()}}})
        for command in (("info", "coefficients.h5"), ("-i", "coefficients.h5")):
            box = [line for line in self.run_well(*command).stdout.splitlines() if "cell" in line]
            self.assertEqual(["by coefficients" in line for line in box], [False, True, False])


if __name__ == "__main__":
    main()
