"""Solving in the memory of a GPU: the same answers, reports and refusals as on the host. Without a GPU that engine
cufft can use, everything here is skipped.
"""

import json
import signal
import subprocess
import sys
import time

from program import PROGRAM, SKIPPED, UNIT_BOX, ProgramTest, h5py, main, noise, np, strings

EPS = {"double": 2.0**-52, "single": 2.0**-23, "mixed": 2.0**-52}
MIXED = {"spacing": (0.1, 0.2, 0.15), "boundary": ["periodic", "dirichlet", "neumann"],
         "centering": ["cell", "node", "node"]}
DEVICES = json.loads(subprocess.run([PROGRAM, "devices", "--json", "-"], capture_output=True, check=True).stdout)
ENGINES = {engine["name"]: engine for engine in DEVICES["engines"]}


def keys(value):
    """The shape of a JSON value: its keys, without its numbers."""
    if isinstance(value, dict):
        return {key: keys(inner) for key, inner in value.items()}
    return [keys(inner) for inner in value] if isinstance(value, list) else None


def transforms(report):
    """[(axis, direction)] of the passes; those that go through the field together stand one after the other."""
    found = []
    for number, one in enumerate(report["passes"], 1):
        counted, *words = one["name"].split()
        if counted != str(number):
            raise ValueError(f"pass {number} is called {one['name']}")
        found += [(word, " ".join(words[-2:] if words[-1] == "ways" else words[-1:])) for word in words if len(word) == 1]
    return found


class GpuTest(ProgramTest):
    def both(self, *options, status=0):
        """Reports and solutions of engine host and engine cufft."""
        found = []
        for engine in ("host", "cufft"):
            report = self.report("-i", "field.h5", "-o", f"{engine}.h5", "--engine", engine, *options, status=status)
            self.assertEqual(report["engine"], engine)
            found += [report, self.solution(f"{engine}.h5")]
        return found

    def compare(self, *options):
        host, expected, cufft, found = self.both(*options)
        eps = EPS[host["problem"]["precision"]]
        self.assertEqual(found.dtype, expected.dtype)
        np.testing.assert_allclose(found, expected, rtol=0, atol=64 * eps * np.abs(expected).max())
        self.assertLess(cufft["residual"]["backward"], 16 * eps)
        self.assertAlmostEqual(cufft["mean_removed"], host["mean_removed"], delta=64 * eps)
        return host, cufft


class Solutions(GpuTest):
    def test_boundaries(self):
        self.field("field.h5", noise(14, 15, 33))
        for boundary in ("periodic", "dirichlet", "neumann", "dirichlet:neumann", "periodic,neumann,dirichlet"):
            for centering in ("cell", "node"):
                for precision in ("double", "single"):
                    with self.subTest(boundary=boundary, centering=centering, precision=precision):
                        self.compare("--boundary", boundary, "--centering", centering, "--precision", precision)

    def test_many_slabs(self):
        """Fields of several slabs, the last of them smaller, from files with and without chunks."""
        for dtype, chunks in (("f8", None), ("f8", (7, 60, 160)), ("f4", None), (">f8", None)):
            with self.subTest(dtype=dtype, chunks=chunks):
                storage = {"chunks": chunks, "compression": "gzip"} if chunks else {}
                self.field("field.h5", noise(250, 180, 160, dtype=dtype), attributes=MIXED, **storage)
                self.compare()

    def test_scale_gauge_and_helmholtz(self):
        self.field("field.h5", noise(9, 10, 11) + 0.25, attributes={**UNIT_BOX, "boundary": "neumann"})
        self.compare("--scale", "-12.5")
        self.compare("--gauge", "1,2,3")
        self.assertEqual(self.solution("cufft.h5")[1, 2, 3], 0)
        self.compare("--helmholtz", "2.5", "--centering", "node")

    def test_boundary_values(self):
        """Numbers and arrays, more than one slab."""
        with h5py.File(self.field("field.h5", noise(150, 180, 160), attributes=MIXED), "a") as file:
            file["boundary_values/y_lower"] = noise(150, 160, seed=2)
            file["boundary_values/y_upper"] = noise(150, 160, seed=3)
            file["boundary_values/z_lower"] = 2.0
            file["boundary_values/z_upper"] = noise(150, 180, seed=4)
        for precision in ("double", "single"):
            with self.subTest(precision=precision):
                self.compare("--precision", precision)
                self.compare("--precision", precision, "--boundary", "neumann", "--centering", "cell")

    def test_mixed_precision_and_gradient(self):
        """With boundary values, which mixed precision wants on the device and the gradient on the host."""
        with h5py.File(self.field("field.h5", noise(150, 180, 160, dtype="f4"), attributes=MIXED), "a") as file:
            file["boundary_values/y_lower"] = noise(150, 160, seed=2)
            file["boundary_values/z_upper"] = noise(150, 180, seed=4)
        for options in ([], ["--boundary", "neumann", "--centering", "cell"]):
            with self.subTest(options=options):
                _, cufft = self.compare("--precision", "mixed", "--gradient", *options)
                self.assertEqual(cufft["refinements"], 2)
                for label in "xyz":
                    expected = self.solution("host.h5", f"/gradient/{label}")
                    found = self.solution("cufft.h5", f"/gradient/{label}")
                    largest = np.abs(self.solution("host.h5")).max() / 0.1
                    np.testing.assert_allclose(found, expected, rtol=0, atol=128 * EPS["mixed"] * largest)

    def test_memory_modes(self):
        self.field("field.h5", noise(20, 21, 22), attributes=MIXED)
        for discretization in ("second-order", "spectral"):
            for precision in ("double", "single"):
                for memory in ("fast", "standard"):
                    with self.subTest(discretization=discretization, precision=precision, memory=memory):
                        _, cufft = self.compare("--discretization", discretization, "--precision", precision,
                                                "--memory", memory)
                        self.assertEqual(cufft["memory"], memory)

    def test_spectral_in_many_slabs(self):
        self.run_well("make", "waves", "--points", "160,180,200", "-o", "field.h5")
        for precision in ("double", "single"):
            self.compare("--discretization", "spectral", "--precision", precision, "--exact", "/exact")

    def test_exact(self):
        self.run_well("make", "mixed", "--points", "40,30,20", "-o", "field.h5")
        host, cufft = self.compare("--exact", "/exact")
        self.assertAlmostEqual(host["error"]["max"], cufft["error"]["max"], delta=1e-12)

    def test_without_verification(self):
        """The solution need not be on the host as a whole; the file is the same."""
        self.field("field.h5", noise(250, 180, 160))
        self.run_well("-i", "field.h5", "--engine", "cufft", "-o", "a.h5")
        self.run_well("-i", "field.h5", "--engine", "cufft", "-o", "b.h5", "--no-verify")
        np.testing.assert_array_equal(self.solution("a.h5"), self.solution("b.h5"))

    def test_for_vtk(self):
        """From the copy of the solution that is kept on the host for it, in several slabs and blocks."""
        self.field("field.h5", noise(130, 131, 133))
        for options in (["--no-verify"], ["--gradient"], ["--precision", "single", "--no-verify"]):
            with self.subTest(options=options):
                self.run_well("-i", "field.h5", "--engine", "cufft", "--vtk", "u.vtkhdf", "-q", *options)
                found = self.solution("u.vtkhdf", "/VTKHDF/PointData/solution")
                np.testing.assert_array_equal(found, self.solution().transpose())
                if "--gradient" in options:
                    found = self.solution("u.vtkhdf", "/VTKHDF/PointData/gradient")
                    for v, label in enumerate("xyz"):
                        np.testing.assert_array_equal(found[..., v],
                                                      self.solution(dataset=f"/gradient/{label}").transpose())

    def test_runs_repeat_to_the_bit(self):
        self.field("field.h5", noise(33, 34, 35), attributes=MIXED)
        for name in ("a.h5", "b.h5"):
            self.run_well("-i", "field.h5", "--engine", "cufft", "-o", name)
        np.testing.assert_array_equal(self.solution("a.h5"), self.solution("b.h5"))


class Reports(GpuTest):
    def setUp(self):
        super().setUp()
        with h5py.File(self.field("field.h5", noise(19, 20, 21)), "a") as file:
            file["exact"] = noise(19, 20, 21)

    def test_keys(self):
        host, _, cufft, _ = self.both("--exact", "/exact")
        # In place x is in the middle, and planes share passes where threads are few; rotations end with y.
        self.assertEqual(transforms(host), [("z", "forward"), ("y", "forward"), ("x", "both ways"), ("y", "backward"),
                                            ("z", "backward")])
        self.assertEqual(transforms(cufft), [("z", "forward"), ("x", "forward"), ("y", "both ways"), ("x", "backward"),
                                             ("z", "backward")])
        for report in (host, cufft):
            self.assertEqual({str(keys(one)) for one in report["passes"]},
                             {str(dict.fromkeys(("name", "seconds", "gigabytes_per_second")))})
        self.assertEqual(keys({**host, "passes": None}), keys({**cufft, "passes": None}))
        for value in (*cufft["seconds"].values(), *cufft["bytes"].values(), cufft["copies"]):
            self.assertGreater(value, 0)
        for one in cufft["passes"]:
            self.assertGreater(one["seconds"], 0)

    def test_device(self):
        report = self.report("-i", "field.h5", "--engine", "cufft", "--device", "0")
        self.assertEqual(report["device"], DEVICES["gpus"][0]["name"])
        table = self.run_well("-i", "field.h5", "--engine", "cufft").stdout
        self.assertIn(report["device"], table)
        self.assertEqual(strings(self.attributes()["engine"]), ["cufft"])

    def test_automatic_takes_a_gpu(self):
        report = self.report("-i", "field.h5")
        self.assertIn(report["engine"], ("cufft", "fused"))
        self.assertNotIn("fallback", report)

    def test_progress(self):
        done = self.run_well("-i", "field.h5", "--engine", "cufft", "--progress", "always")
        for word in ("reading", "writing", "verifying", "100 %"):
            self.assertIn(word, done.stderr)


class Refusals(GpuTest):
    """Exit codes, and that nothing is left behind."""

    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(12, 13, 14) + 0.5)

    def refuse_gpu(self, status, words, *options):
        self.refuse(status, words, "-i", "field.h5", "--engine", "cufft", *options)

    def test_memory_low(self):
        for engine in "cufft", "fused":
            for precision in "double", "single":
                options = ["-i", "field.h5", "--engine", engine, "--precision", precision]
                report = self.report(*options, "--memory", "low")
                self.assertEqual([report["engine"], report["memory"]], [engine, "low"])
                self.assertLessEqual(report["bytes"]["workspace"], 64 * 2**20)
                low = self.solution()
                self.run_well(*options)
                np.testing.assert_allclose(low, self.solution(), rtol=0, atol=2e-5 if precision == "single" else 1e-13)

    def test_exit_codes(self):
        self.run_well("-i", "field.h5", "--engine", "cufft", "-o", "u.h5", "--tolerance", "0", status=1)
        self.assertEqual(self.solution("u.h5").shape, (12, 13, 14))
        self.refuse_gpu(2, ["gauge", "99"], "--boundary", "neumann", "--gauge", "99,0,0")
        self.refuse_gpu(3, ["/missing"], "--exact", "/missing")
        self.refuse_gpu(4, ["mean", "--strict"], "--boundary", "neumann", "--strict")
        self.refuse_gpu(5, ["--device", "99", "counted from 0"], "--device", "99")
        self.refuse(5, ["--device", "99"], "-i", "field.h5", "--device", "99")
        self.refuse_gpu(6, ["nowhere/u.h5"], "-o", "nowhere/u.h5")

    def test_bad_number_in_a_late_slab(self):
        """Found while the slab before it is on its way."""
        values = noise(250, 180, 160)
        values[249, 7, 9] = np.nan
        self.field("field.h5", values)
        self.refuse_gpu(3, ["249", "nan"])

    def test_resonance(self):
        lowest = sum(-4 / 0.1**2 * np.sin(np.pi / (2 * n)) ** 2 for n in (12, 13, 14))
        self.refuse_gpu(4, ["eigenvalue"], "--helmholtz", repr(float(lowest)))

    def test_more_than_the_device_has(self):
        with h5py.File(self.dir / "field.h5", "w") as file:
            rhs = file.create_dataset("rhs", (16_000,) * 3, "f8", chunks=(64,) * 3)
            rhs.attrs.update(UNIT_BOX)
        self.refuse_gpu(5, ["out of device memory", "needs", "TiB", "free"], "--allow-fill")
        # automatic tried the host as well
        self.refuse(5, ["out of host memory", "available"], "-i", "field.h5", "--allow-fill")

    def test_interrupt(self):
        self.field("large.h5", noise(250, 180, 160))
        before = self.contents()
        for wait in (0.1, 0.5, 1.0):
            with self.subTest(wait=wait):
                process = subprocess.Popen([PROGRAM, "-i", "large.h5", "--engine", "cufft"], cwd=self.dir,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                time.sleep(wait)
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=60)
                if process.returncode == -signal.SIGINT:
                    self.assertEqual(self.contents(), before)
                else:
                    self.assertEqual(process.returncode, 0)  # it was done before the signal came
                    (self.dir / "large.solution.h5").unlink()


class Bench(GpuTest):
    def test_solve(self):
        cases = {}
        for engine in ("host", "cufft"):
            report = self.report("bench", "solve", "--points", "8,9x10x11", "--boundary", "all", "--precision",
                                 "double,single", "--repeat", "2", "--engine", engine)
            cases[engine] = report["cases"]
        self.assertEqual(report["device"], DEVICES["gpus"][0]["name"])
        self.assertEqual(keys(cases["host"]), keys(cases["cufft"]))
        self.assertEqual(len(cases["cufft"]), 2 * 6 * 2)
        for case in cases["cufft"]:
            self.assertEqual(case["engine"], "cufft")
            self.assertEqual(case["seconds"]["solve"]["runs"], 2)
            for value in (case["copies"], case["copy_gigabytes_per_second"], case["seconds"]["solve"]["min"]):
                self.assertGreater(value, 0)
            # A periodic box is one transform, whose time stands with the first pass and the last.
            self.assertGreater(sum(one["gigabytes_per_second"] for one in case["passes"]), 0)

    def test_rows(self):
        done = self.run_well("bench", "solve", "--points", "16", "--engine", "cufft", "--repeat", "2", "-v")
        self.assertEqual(done.stdout.count("GB/s"), 1 + 5)
        report = self.report("bench", "solve", "--points", "16", "--engine", "cufft")
        self.assertGreaterEqual(report["cases"][0]["seconds"]["solve"]["runs"], 20)

    def test_more_than_the_device_has(self):
        done = self.run_well("bench", "solve", "--points", "16000", "--engine", "cufft", "-q", status=5)
        self.assertIn("device memory", done.stderr)


if __name__ == "__main__":
    if not ENGINES["cufft"]["available"]:
        print(f"skipped: engine cufft: {ENGINES['cufft']['reason']}")
        sys.exit(SKIPPED)
    main()
