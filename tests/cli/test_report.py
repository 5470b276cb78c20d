"""What is told and where: the table, the JSON, the attributes; stdout for results and stderr for the rest."""

import json
import math
import os
import pty
import subprocess

from program import PROGRAM, UNIT_BOX, ProgramTest, h5py, main, noise, np, strings

EPS = np.finfo(float).eps


class Report(ProgramTest):
    def setUp(self):
        super().setUp()
        self.values = noise(9, 10, 11)
        self.field("field.h5", self.values)

    def check_number(self, value, low=0.0, high=math.inf):
        self.assertIsInstance(value, (int, float))
        self.assertTrue(low <= value <= high, value)

    def test_json_schema(self):
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["exact"] = noise(9, 10, 11)
        report = self.report("-i", "field.h5", "--exact", "/exact", "--helmholtz", "2.5")
        for key in ("version", "revision", "engine", "device"):
            self.assertIsInstance(report[key], str)
        self.assertIn(report["engine"], ("host", "cufft", "fused"))
        self.assertIn(report["memory"], ("fast", "standard"))
        problem = report["problem"]
        self.assertEqual(problem["points"], [9, 10, 11])
        self.assertEqual(problem["spacing"], [0.1] * 3)
        self.assertEqual(problem["boundary"], ["dirichlet"] * 6)
        self.assertEqual(problem["centering"], ["cell"] * 3)
        self.assertEqual(problem["discretization"], "second-order")
        self.assertEqual(problem["helmholtz"], 2.5)
        self.assertEqual(problem["precision"], "double")
        self.assertEqual(report["mean_removed"], 0)
        for key in ("max", "l2", "relative", "backward"):
            self.check_number(report["residual"][key], 0, 1e-10)
        self.assertLess(report["residual"]["backward"], 16 * EPS)
        self.assertLessEqual(report["residual"]["l2"], report["residual"]["max"])
        for key in ("max", "l2"):
            self.check_number(report["error"][key], 0.1, 2)
        self.assertEqual(set(report["seconds"]), {"read", "plan", "solve", "verify", "write"})
        for seconds in report["seconds"].values():
            self.check_number(seconds, 0, 60)
        self.check_number(report["bytes"]["workspace"], 11 * 8)
        self.check_number(report["bytes"]["moved"], len(report["passes"]) * 2 * 9 * 10 * 11 * 8)
        directions = [one["name"].split(" ", 1)[1] for one in report["passes"]]
        if report["engine"] == "host":  # in three sweeps, or on many threads in five
            self.assertIn(directions, (["z y forward", "x both ways", "y z backward"],
                                       ["z forward", "y forward", "x both ways", "y backward", "z backward"]))
        else:
            self.assertEqual(len(directions), 5)
        for one in report["passes"]:
            self.assertIsInstance(one["name"], str)
            self.check_number(one["seconds"], 0, 60)
            self.check_number(one["gigabytes_per_second"])
        self.check_number(report["copies"], 0.01)

    def test_error_only_where_asked(self):
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["exact"] = noise(9, 10, 11)
        self.assertNotIn("error", self.report("-i", "field.h5"))

    def test_error_is_the_difference(self):
        exact = noise(9, 10, 11, seed=5)
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["truth"] = exact
        error = self.report("-i", "field.h5", "--exact", "/truth")["error"]
        difference = self.solution() - exact
        self.assertAlmostEqual(error["max"], np.abs(difference).max(), delta=1e-14)
        self.assertAlmostEqual(error["l2"], np.sqrt((difference**2).mean()), delta=1e-14)

    def test_error_of_a_singular_problem_leaves_the_constant_out(self):
        """... weighted by half at Neumann nodes, as the mean of the solution is."""
        box = {**UNIT_BOX, "boundary": "neumann", "centering": ["node", "cell", "node"]}
        path = self.field("field.h5", self.values, attributes=box)
        self.run_well("-i", "field.h5", "-o", "u.h5")
        with h5py.File(path, "a") as file:
            file["exact"] = self.solution("u.h5") + 1000.0
        report = self.report("-i", "field.h5", "--exact", "/exact")
        self.assertLess(report["error"]["max"], 1e-12)
        self.assertAlmostEqual(report["error"]["constant"], -1000.0, delta=1e-9)

    def test_not_verified(self):
        report = self.report("-i", "field.h5", "--no-verify")
        self.assertIsNone(report["residual"])
        self.assertEqual(report["seconds"]["verify"], 0)
        self.assertNotIn("residual_max", self.attributes())
        self.assertIn("not measured", self.run_well("-i", "field.h5", "--no-verify").stdout)

    def test_tolerance(self):
        done = self.run_well("-i", "field.h5", "--tolerance", "0", status=1)
        self.assertIn("backward error", done.stderr)
        self.assertIn("above the tolerance", done.stdout)
        self.assertEqual(self.solution().shape, (9, 10, 11))  # written all the same
        report = self.report("-i", "field.h5", "--tolerance", "1e-30", status=1)
        self.assertIn("message", report)
        self.assertEqual(report["tolerance"], 1e-30)
        self.assertEqual(self.report("-i", "field.h5")["tolerance"], 64 * EPS)
        single = self.report("-i", "field.h5", "--precision", "single")
        self.assertEqual(single["tolerance"], 64 * 2.0**-23)

    def test_overflow_is_refused(self):
        """Numbers beyond the type are no result: a sentence, in valid JSON."""
        self.field("field.h5", np.full((4, 5, 6), 1e200))
        done = self.run_well("-i", "field.h5", "--scale", "1e300", "--json", "-", status=3)
        self.assertEqual(set(done.json), {"status", "message"})
        self.assertIn("infinity", done.json["message"])
        self.assertFalse((self.dir / "field.solution.h5").exists())

    def test_json_file(self):
        done = self.run_well("-i", "field.h5", "--json", "report.json")
        self.assertIn("backward error", done.stdout)
        self.assertEqual(json.loads((self.dir / "report.json").read_text())["status"], 0)
        self.assertEqual(set(self.contents()), {"field.h5", "field.solution.h5", "report.json"})

    def test_json_to_a_pipe(self):
        read, write = os.pipe()
        self.run_well("-i", "field.h5", "-q", "--json", f"/dev/fd/{write}", pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as pipe:
            self.assertEqual(json.load(pipe)["status"], 0)

    def test_names_that_are_no_text(self):
        """File names may hold any byte, JSON may not."""
        name = os.fsencode(str(self.dir)) + b"/\xff\"\\\n\x01\xc3\xa4.h5"
        os.rename(self.dir / "field.h5", name)
        done = subprocess.run([PROGRAM, "-i", name, "--json", "-"], capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(json.loads(done.stdout.decode())["input"].endswith('\ufffd"\\\n\x01ä.h5'))

    def test_table(self):
        done = self.run_well("-i", "field.h5", "--scale", "-2", "--helmholtz", "3")
        self.assertEqual(done.stderr, "")
        for word in ("∇²u − 3 u = -2 f", "9 × 10 × 11", "dirichlet", "engine", "µs", "backward error",
                     "field.solution.h5", "double"):
            self.assertIn(word, done.stdout)
        self.assertNotIn("copies", done.stdout)  # of a field in the caches
        self.assertLess(max(map(len, done.stdout.splitlines())), 110)

    def test_quiet_and_verbose(self):
        done = self.run_well("-i", "field.h5", "-q")
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        done = self.run_well("-i", "field.h5", "-q", "--json", "-")
        self.assertEqual(done.json["status"], 0)
        self.assertEqual(done.stderr, "")
        plain = self.run_well("-i", "field.h5").stdout
        told = self.run_well("-i", "field.h5", "-v").stdout
        self.assertNotIn("GB/s", plain)
        self.assertEqual(told.count("GB/s"), 5)
        self.assertNotEqual(self.run_well("-i", "missing.h5", "-q", status=3).stderr, "")

    def test_progress(self):
        """Bars when asked or when stderr is a terminal, never otherwise, and gone at the end."""
        self.assertEqual(self.run_well("-i", "field.h5").stderr, "")
        self.assertEqual(self.run_well("-i", "field.h5", "--progress", "never").stderr, "")
        done = self.run_well("-i", "field.h5", "--progress", "always", "--json", "-")
        for word in ("reading", "writing", "verifying", "100 %"):
            self.assertIn(word, done.stderr)
        self.assertEqual(done.json["status"], 0)
        self.assertEqual(done.stderr.splitlines()[-1].strip(), "")

    def test_progress_on_a_terminal(self):
        try:
            controller, terminal = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had: {error}")
        self.addCleanup(os.close, controller)
        self.run_well("-i", "field.h5", stderr=terminal)
        os.close(terminal)
        self.assertIn(b"reading", os.read(controller, 100_000))

    def test_attributes_of_the_solution(self):
        box = {"spacing": (0.1, 0.2, 0.3), "origin": (1.0, 2.0, 3.0), "centering": ["node", "cell", "cell"],
               "boundary": ["dirichlet", "neumann", "neumann", "neumann", "periodic", "periodic"],
               "axis_labels": ["r", "s", "t"], "helmholtz": 0.5}
        self.field("field.h5", self.values, attributes=box)
        report = self.report("-i", "field.h5", "--scale", "3")
        found = self.attributes()
        for key in ("spacing", "origin", "helmholtz"):
            np.testing.assert_array_equal(found[key], box[key])
        for key in ("centering", "boundary", "axis_labels"):
            self.assertEqual(strings(found[key]), list(box[key]))
        self.assertEqual(found["scale"], 3)
        self.assertEqual(strings(found["discretization"]), ["second-order"])
        self.assertEqual(strings(found["precision"]), ["double"])
        self.assertEqual(strings(found["engine"]), [report["engine"]])
        self.assertEqual(found["mean_removed"], 0)
        for key in ("max", "l2", "relative", "backward"):
            self.assertEqual(found[f"residual_{key}"], report["residual"][key])

    def test_solution_is_a_field_file(self):
        """... which info reads, and which can be solved in turn."""
        self.run_well("-i", "field.h5")
        self.assertIn("/solution", self.run_well("info", "field.solution.h5", "--dataset", "/solution").stdout)
        self.run_well("-i", "field.solution.h5", "--dataset", "/solution", "-o", "again.h5")

    def test_runs_repeat_to_the_bit(self):
        for threads in (1, 2):
            self.run_well("-i", "field.h5", "--threads", threads, "-o", "a.h5")
            self.run_well("-i", "field.h5", "--threads", threads, "-o", "b.h5")
            np.testing.assert_array_equal(self.solution("a.h5"), self.solution("b.h5"))


if __name__ == "__main__":
    main()
