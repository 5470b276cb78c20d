"""Very large and very small numbers: solved to the promised accuracy, or refused with a sentence."""

from program import ProgramTest, h5py, main, noise, np

EPS = np.finfo(float).eps


class Range(ProgramTest):
    def solve(self, values, name="field.h5", attributes=None, status=0, options=(), **data):
        self.field(name, values, attributes=attributes)
        with h5py.File(self.dir / name, "a") as file:
            for key, value in data.items():
                file[key] = value
        return self.report("-i", name, *options, status=status)

    def test_large_and_small_right_hand_sides(self):
        values = noise(11, 9, 10)
        plain = self.solve(values)
        u = self.solution()
        for power in (-960, -600, 600, 990):
            with self.subTest(power=power):
                report = self.solve(np.ldexp(values, power), exact=np.ldexp(u, power), options=("--exact", "/exact"))
                self.assertEqual(report["residual"]["backward"], plain["residual"]["backward"])
                self.assertEqual(report["residual"]["l2"], np.ldexp(plain["residual"]["l2"], power))
                self.assertEqual(report["error"], {"max": 0, "l2": 0, "constant": 0})
                np.testing.assert_array_equal(self.solution(), np.ldexp(u, power))

    def test_an_error_of_any_size_is_measured(self):
        values = noise(6, 5, 7)
        wall = {"spacing": (0.1, 0.2, 0.15), "boundary": "neumann"}
        self.solve(values, attributes=wall)
        u = self.solution()
        off = noise(6, 5, 7, seed=3)
        plain = self.solve(values, attributes=wall, exact=u + off, options=("--exact", "/exact"))["error"]
        for power in (-900, 900, 990):
            error = self.solve(np.ldexp(values, power), attributes=wall, exact=np.ldexp(u + off, power),
                               options=("--exact", "/exact"))["error"]
            for key, value in plain.items():
                self.assertAlmostEqual(np.ldexp(error[key], -power), value, delta=1e-14, msg=(power, key))

    def test_single_and_mixed(self):
        values = noise(11, 9, 10)
        for precision, powers, eps in (("single", (-100, 100), 2**-23), ("mixed", (-950, 950), EPS)):
            for power in powers:
                with self.subTest(precision=precision, power=power):
                    report = self.solve(np.ldexp(values, power), options=("--precision", precision))
                    self.assertLess(report["residual"]["backward"], 4 * eps)
                    self.assertGreater(report["residual"]["l2"], 0)

    def test_beyond_is_refused_before_solving(self):
        for value, precision, words in (
            (1e307, "double", ("1e+307", "--scale")),
            (1e-306, "double", ("1e-306", "--scale")),
            (1e307, "mixed", ("1e+307",)),
            (1e37, "single", ("1e+37", "--precision double")),
            (1e-37, "single", ("1e-37", "--precision double")),
        ):
            with self.subTest(value=value, precision=precision):
                self.field("field.h5", np.full((11, 9, 10), value))
                self.refuse(3, ("right-hand side", "wanted", precision, *words),
                            "-i", "field.h5", "--precision", precision)

    def test_a_scale_brings_it_back(self):
        values = noise(11, 9, 10)
        self.solve(values)
        u = self.solution()
        self.solve(np.ldexp(values, 1020), options=("--scale", repr(2.0**-1020)))
        np.testing.assert_array_equal(self.solution(), u)

    def test_values_at_walls_count(self):
        self.field("field.h5", noise(5, 5, 5))
        for value, words in ((1e304, "2e+306"), (1e307, "infinity")):  # times 2/h²
            with h5py.File(self.dir / "field.h5", "a") as file:
                file.pop("boundary_values", None)
                file["boundary_values/x_lower"] = value
            self.refuse(3, ("right-hand side", "boundary values", words), "-i", "field.h5")

    def test_zero_is_no_small_number(self):
        self.solve(np.zeros((5, 6, 7)))
        self.assertFalse(self.solution().any())

    def test_a_solution_out_of_range(self):
        wide = {"spacing": (1e10, 1e10, 1e10), "boundary": "dirichlet"}
        self.field("field.h5", np.full((8, 8, 8), 1e299), attributes=wide)
        for more in ((), ("--no-verify",)):
            self.refuse(3, ("solution", "beyond the range of double precision"), "-i", "field.h5", *more)
        thin = {"spacing": (1e-12, 1e-12, 1e-12), "boundary": "dirichlet"}
        self.field("field.h5", noise(8, 8, 8) * 1e-289, attributes=thin)
        self.refuse(3, ("solution", "largest value", "units of length"), "-i", "field.h5")

    def test_a_huge_constant_divides_all_of_f(self):
        values = noise(11, 9, 10)
        for precision, eps in (("double", EPS), ("single", 2**-23), ("mixed", EPS)):
            for helmholtz in (1e19, 1e25, 1e30):
                with self.subTest(precision=precision, helmholtz=helmholtz):
                    report = self.solve(values, options=("--helmholtz", helmholtz, "--precision", precision))
                    self.assertLess(report["residual"]["backward"], 5 * eps)
                    np.testing.assert_allclose(self.solution(), -values / helmholtz, rtol=0,
                                               atol=8 * eps / helmholtz)


if __name__ == "__main__":
    main()
