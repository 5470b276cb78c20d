"""Whole runs against dense linear algebra in NumPy, and against the operator they invert."""

import itertools

from program import ProgramTest, h5py, main, noise, np
from reference import KINDS, solve

# Boundaries and centring per axis: every kind on every axis at least once, singular ones among them.
MIXES = [
    (("periodic", "dirichlet", "neumann"), ("cell", "cell", "cell")),
    (("dirichlet:neumann", "neumann:dirichlet", "periodic"), ("cell", "cell", "node")),
    (("neumann", "periodic", "dirichlet"), ("node", "cell", "node")),
    (("neumann:dirichlet", "neumann", "dirichlet:neumann"), ("node", "node", "node")),
    (("dirichlet", "dirichlet:neumann", "neumann:dirichlet"), ("node", "node", "cell")),
    (("neumann", "neumann", "neumann"), ("node", "cell", "node")),
    (("periodic", "neumann", "periodic"), ("cell", "node", "node")),
    (("periodic", "periodic", "periodic"), ("cell", "cell", "cell")),
]
SHAPE = (7, 6, 9)
SPACING = (0.3, 0.5, 0.2)
EPS = {"f4": 2.0**-23, "f8": 2.0**-52}


def spec(words):
    return ",".join(f"{axis}={word}" for axis, word in zip("xyz", words))


def words(boundary):
    """Six words, lower and upper of each axis."""
    return list(itertools.chain.from_iterable((kind.split(":") * 2)[:2] for kind in boundary))


class AgainstDense(ProgramTest):
    def check(self, values, boundary, centering, helmholtz=0.0, precision="f8", options=()):
        self.field("field.h5", values, attributes={
            "spacing": SPACING, "boundary": words(boundary), "centering": list(centering), "helmholtz": helmholtz})
        report = self.report("-i", "field.h5", *options)
        found = self.solution()
        expected, mean = solve(values.astype("f8"), SPACING, centering, boundary, helmholtz)
        self.assertEqual(found.dtype, np.dtype(precision))
        # The dense solution is a double one itself, and loses more digits than the transforms do.
        allowed = max(50 * EPS[precision], 2000 * EPS["f8"])
        np.testing.assert_allclose(found, expected, rtol=0, atol=allowed * np.abs(expected).max())
        self.assertAlmostEqual(report["mean_removed"], mean, delta=20 * EPS[precision])
        self.assertLess(report["residual"]["backward"], 16 * EPS[precision])

    def test_double(self):
        for boundary, centering in MIXES:
            with self.subTest(boundary=boundary, centering=centering):
                self.check(noise(*SHAPE), boundary, centering)

    def test_single(self):
        for boundary, centering in MIXES:
            with self.subTest(boundary=boundary, centering=centering):
                self.check(noise(*SHAPE, dtype="f4"), boundary, centering, precision="f4")

    def test_mixed(self):
        for boundary, centering in MIXES:
            for dtype in ("f8", "f4"):
                with self.subTest(boundary=boundary, centering=centering, dtype=dtype):
                    self.check(noise(*SHAPE, dtype=dtype), boundary, centering, options=("--precision", "mixed"))
                    attributes = self.attributes("field.solution.h5")
                    self.assertEqual(attributes["precision"], "mixed")
                    self.assertEqual(attributes["refinements"], 2)
        report = self.report("-i", "field.h5", "--precision", "mixed")
        self.assertEqual((report["problem"]["precision"], report["refinements"]), ("mixed", 2))
        self.assertAlmostEqual(report["tolerance"], 64 * EPS["f8"], delta=EPS["f8"])
        self.assertIn("2 refinements", self.run_well("-i", "field.h5", "--precision", "mixed").stdout)

    def test_helmholtz(self):
        for boundary, centering in MIXES[-3:]:
            for helmholtz in (2.0, -0.37):
                with self.subTest(boundary=boundary, helmholtz=helmholtz):
                    self.check(noise(*SHAPE), boundary, centering, helmholtz)

    def test_standard_memory_and_threads(self):
        for options in (["--memory", "standard"], ["--threads", "1"], ["--threads", "3", "--memory", "standard"]):
            with self.subTest(options=options):
                self.check(noise(*SHAPE), *MIXES[1], options=options)


class Layouts(ProgramTest):
    """The same numbers, however they are stored."""

    def test_layouts(self):
        values = noise(12, 9, 10, dtype="f4")
        box = {"spacing": SPACING, "boundary": "neumann"}
        self.field("plain.h5", values.astype("f8"), attributes=box)
        self.run_well("-i", "plain.h5", "-o", "expected.h5")
        expected = self.solution("expected.h5")
        for name, dtype, storage in (
            ("big endian chunked gzip", ">f4", {"chunks": (5, 4, 3), "compression": "gzip"}),
            ("big endian shuffled", ">f8", {"chunks": (12, 9, 10), "compression": "gzip", "shuffle": True}),
            ("extendible", "<f8", {"maxshape": (None, None, None), "chunks": (1, 9, 10)}),
            ("checked", "<f4", {"chunks": (2, 2, 2), "fletcher32": True}),
        ):
            with self.subTest(name=name):
                self.field("field.h5", values.astype(dtype), attributes=box, **storage)
                self.run_well("-i", "field.h5", "--precision", "double")
                np.testing.assert_array_equal(self.solution(), expected)

    def test_input_is_not_touched(self):
        path = self.field("field.h5", noise(4, 5, 6))
        path.chmod(0o444)
        before = path.read_bytes()
        self.run_well("-i", "field.h5")
        self.assertEqual(path.read_bytes(), before)


class Discrete(ProgramTest):
    """make --discrete applies the operator, solving must give /exact back to rounding."""

    def check(self, name, *make_options, eps=EPS["f8"], solve_options=()):
        self.run_well("make", name, "--discrete", "-o", "field.h5", *make_options)
        report = self.report("-i", "field.h5", "--exact", "/exact", *solve_options)
        with h5py.File(self.dir / "field.h5") as file:
            largest = np.abs(file["exact"][...]).max()
        self.assertLess(report["error"]["max"], 100 * eps * largest)
        return report

    def test_all_kinds(self):
        """Every boundary pair and centring on every axis, in a Latin square of them."""
        kinds = list(itertools.product(KINDS, ("cell", "node")))
        for i, kind in enumerate(kinds):
            three = (kind, kinds[(3 * i + 1) % 10], kinds[(7 * i + 2) % 10])
            with self.subTest(kinds=three):
                self.check("random", "--points", "17,12,15", "--boundary", spec(k for k, _ in three),
                           "--centering", spec(c for _, c in three), "--seed", str(i))

    def test_single(self):
        for boundary in KINDS:
            with self.subTest(boundary=boundary):
                report = self.check("random", "--points", "15,16,9", "--boundary", boundary, "--precision", "single",
                                    eps=EPS["f4"])
                self.assertEqual(report["problem"]["precision"], "single")

    def test_spectral(self):
        options = ["--discretization", "spectral"]
        for boundary in KINDS:
            with self.subTest(boundary=boundary):
                self.check("random", "--points", "15,16,9", "--boundary", boundary, *options, solve_options=options)

    def test_formulas(self):
        for name in ("sine", "cosine", "waves", "mixed", "channel", "taylor-green", "polynomial"):
            with self.subTest(name=name):
                self.check(name, "--points", "16")

    def test_helmholtz(self):
        self.check("random", "--points", "11,12,13", "--boundary", "neumann", "--helmholtz", "4.5")


class Exact(ProgramTest):
    """Fields with a continuous solution: second order converges as h squared, spectral is exact for waves."""

    def error(self, name, points, *options):
        self.run_well("make", name, "--points", points, "-o", "field.h5")
        return self.report("-i", "field.h5", "--exact", "/exact", *options)["error"]["l2"]

    def test_second_order(self):
        for name in ("sine", "cosine", "mixed", "polynomial", "taylor-green"):
            with self.subTest(name=name):
                ratio = self.error(name, 24) / self.error(name, 48)
                self.assertTrue(3.5 < ratio < 4.6, ratio)

    def test_spectral(self):
        for name in ("sine", "cosine", "waves", "mixed", "taylor-green"):
            with self.subTest(name=name):
                self.assertLess(self.error(name, 32, "--discretization", "spectral"), 1e-13)

    def test_spectral_in_single(self):
        self.run_well("make", "mixed", "--points", "20", "--precision", "single", "-o", "field.h5")
        report = self.report("-i", "field.h5", "--exact", "/exact", "--discretization", "spectral")
        self.assertLess(report["error"]["max"], 1e-4)
        self.assertLess(report["residual"]["backward"], 16 * EPS["f4"])


if __name__ == "__main__":
    main()
