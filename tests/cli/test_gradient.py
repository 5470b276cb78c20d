"""--gradient: what it holds, against differences and transforms of the solution taken here, and where it stands in
the file."""

import unittest

from program import ProgramTest, h5py, main, noise, np, strings


def central(u, axis, spacing):
    """On a periodic axis."""
    return (np.roll(u, -1, axis) - np.roll(u, 1, axis)) / (2 * spacing)


def through_the_modes(u, axis, spacing):
    """On a periodic axis; the mode n/2 of even n is a cosine without slope at the points."""
    n = u.shape[axis]
    kappa = 2 * np.pi * np.fft.fftfreq(n, spacing)
    if n % 2 == 0:
        kappa[n // 2] = 0
    shape = [1, 1, 1]
    shape[axis] = n
    return np.fft.ifft(1j * kappa.reshape(shape) * np.fft.fft(u, axis=axis), axis=axis).real


class Gradient(ProgramTest):
    def check_periodic(self, expected, *options, labels="xyz", dtype="f8"):
        """Noise has every mode; its 300 planes come in several slabs."""
        spacing = (0.1, 0.3, 0.2)
        rhs = noise(300, 57, 64)
        rhs -= rhs.mean()
        self.field("field.h5", rhs.astype(dtype),
                   attributes={"spacing": spacing, "boundary": "periodic", "axis_labels": list(labels)})
        self.run_well("-i", "field.h5", "--gradient", *options)
        solution = self.solution().astype("f8")
        for axis, label in enumerate(labels):
            with self.subTest(axis=label):
                found = self.solution(dataset=f"/gradient/{label}")
                self.assertEqual(found.dtype, np.dtype(dtype))
                wanted = expected(solution, axis, spacing[axis])
                allowed = 64 * np.finfo(dtype).eps * np.abs(solution).max() / spacing[axis]
                self.assertLessEqual(np.abs(found - wanted).max(), allowed)

    def test_differences(self):
        self.check_periodic(central)
        self.check_periodic(central, "--threads", "1", dtype="f4")

    def test_modes(self):
        self.check_periodic(through_the_modes, "--discretization", "spectral")
        self.check_periodic(through_the_modes, "--discretization", "spectral", "--no-verify", dtype="f4")

    def test_axis_labels(self):
        """Names and directions go with the labels, not with the order of the indices."""
        self.check_periodic(central, labels="zyx")
        self.check_periodic(central, labels="rst")

    def test_known_slope(self):
        """Of second order: 20 and 40 points of a wave."""
        errors = []
        for points in (20, 40):
            self.run_well("make", "waves", "--points", points, "-o", "field.h5")
            self.run_well("-i", "field.h5", "--gradient")
            with h5py.File(self.dir / "field.h5") as file:
                spacing, exact = file["rhs"].attrs["spacing"], file["exact"][...]
            errors.append([np.abs(self.solution(dataset=f"/gradient/{label}") -
                                  through_the_modes(exact, axis, spacing[axis])).max()
                           for axis, label in enumerate("xyz")])
        for coarse, fine in zip(*errors):
            self.assertGreater(np.log2(coarse / fine), 1.9)

    def check_linear(self, dtype, *options):
        """A linear u, whose gradient is exact to rounding up to the walls, from data on all faces."""
        n, spacing, slopes = (5, 6, 7), (0.5, 0.25, 0.2), (2.0, -3.0, 0.5)
        kinds = [["dirichlet", "neumann"], ["dirichlet", "dirichlet"], ["neumann", "dirichlet"]]
        lengths = [count * h for count, h in zip(n, spacing)]
        places = [(np.arange(count) + 0.5) * h for count, h in zip(n, spacing)]
        self.field("field.h5", np.zeros(n, dtype), attributes={"spacing": spacing, "boundary": sum(kinds, [])})
        with h5py.File(self.dir / "field.h5", "a") as file:
            for axis, label in enumerate("xyz"):
                for side, name in enumerate(("lower", "upper")):
                    at = list(places)
                    at[axis] = np.array([side * lengths[axis]])
                    value = 1 + sum(slope * x for slope, x in zip(slopes, np.meshgrid(*at, indexing="ij")))
                    if kinds[axis][side] == "neumann":
                        value = np.full_like(value, slopes[axis] * (1 if side == 1 else -1))
                    file[f"/boundary_values/{label}_{name}"] = np.squeeze(value, axis)
        self.run_well("-i", "field.h5", "--gradient", *options)
        for label, slope in zip("xyz", slopes):
            np.testing.assert_allclose(self.solution(dataset=f"/gradient/{label}"), slope, atol=1e-12)

    def test_boundary_values(self):
        self.check_linear("f8")

    def test_mixed_precision(self):
        """Solution, boundary values and derivatives in double, whatever the right-hand side comes in."""
        self.check_periodic(central, "--precision", "mixed")
        for dtype in ("f8", "f4"):
            self.check_linear(dtype, "--precision", "mixed")
            self.assertEqual(self.solution(dataset="/gradient/x").dtype, np.dtype("f8"))
            self.assertEqual(strings(self.attributes()["precision"]), ["mixed"])

    def test_file(self):
        """The attributes of the problem, a description, and links for VTK where the layout is VTK's."""
        self.run_well("make", "mixed", "--points", "9x8x7", "--centering", "x=node", "--helmholtz", "0.5",
                      "-o", "field.h5")
        for labels in ("xyz", "zyx"):
            with self.subTest(labels=labels):
                with h5py.File(self.dir / "field.h5", "a") as file:
                    file["rhs"].attrs["axis_labels"] = list(labels)
                self.run_well("-i", "field.h5", "--gradient")
                self.check_file(labels)

    def check_file(self, labels):
        solution = self.attributes()
        with h5py.File(self.dir / "field.solution.h5") as file:
            self.assertEqual(set(file), {"gradient", "solution", "x", "y", "z"} | ({"VTKHDF"} if labels == "zyx" else set()))
            self.assertEqual(set(file["gradient"]), {"x", "y", "z"})
            if labels == "zyx":
                points = file["VTKHDF/PointData"]
                self.assertEqual(set(points), {"solution", "gradient_x", "gradient_y", "gradient_z"})
                for label in "xyz":
                    self.assertEqual(points[f"gradient_{label}"], file[f"gradient/{label}"])
            for label in "xyz":
                with self.subTest(axis=label):
                    found = file[f"gradient/{label}"].attrs
                    for name in ("spacing", "origin", "helmholtz"):
                        np.testing.assert_array_equal(found[name], solution[name])
                    for name in ("boundary", "centering", "axis_labels", "discretization"):
                        self.assertEqual(strings(found[name]), strings(solution[name]))
                    self.assertIn(f"along {label}", strings(found["description"])[0])

    def test_report_is_the_same(self):
        """And the solution, too: --gradient adds to the file and changes nothing."""
        self.run_well("make", "mixed", "--points", "9x8x7", "-o", "field.h5")
        plain = self.report("-i", "field.h5")
        solution = self.solution()
        with h5py.File(self.dir / "field.solution.h5") as file:
            self.assertNotIn("gradient", file)
        for options in ([], ["--precision", "single", "--discretization", "spectral"]):
            with self.subTest(options=options):
                report = self.report("-i", "field.h5", "--gradient", *options)
                self.assertEqual(set(report), set(plain))
                self.assertLess(report["residual"]["backward"], report["tolerance"])
                if not options:
                    np.testing.assert_array_equal(self.solution(), solution)


if __name__ == "__main__":
    main()
