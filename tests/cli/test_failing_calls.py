"""System calls that fail on the last steps of an output: exit code 6, the older files whole, nothing left."""

import os
import resource
import unittest

from program import PROGRAM, SANITIZED, ProgramTest, main, noise

SHIM = os.environ.get("POISSON3D_FAIL_LIBRARY_CALL", "")


@unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
@unittest.skipUnless(os.path.exists(SHIM), "the library that makes calls fail was not built")
class FailingCalls(ProgramTest):
    OUTPUTS = ("u.h5", "u.png", "u.vtkhdf", "u.json")

    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(8, 8, 8))

    def run_with(self, rule, *words, **options):
        environment = dict(os.environ, LD_PRELOAD=SHIM, CALL_LOG=str(self.dir / "calls"), FAIL_CALL=rule)
        return self.run_any("-i", "field.h5", "-o", "u.h5", "--preview", "u.png", "--vtk", "u.vtkhdf",
                            "--json", "u.json", "-q", *words, env=environment, **options)

    def calls(self):
        """The calls that the last run made, and no file of them."""
        log = self.dir / "calls"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return [line.strip() for line in lines]

    def write_older(self):
        for name in self.OUTPUTS:
            (self.dir / name).write_text("older " + name)

    def older(self):
        return {name for name in self.OUTPUTS if (self.dir / name).read_bytes() == b"older " + name.encode()}

    def check_failure(self, rule, unchanged):
        self.write_older()
        done = self.run_with(rule)
        said = f"{rule}: status {done.status}, {done.stderr}"
        self.assertEqual(done.status, 6, said)
        self.assertEqual(done.stderr.count("\n"), 1, said)
        self.assertIn("Input/output error", done.stderr, said)
        self.calls()
        self.assertEqual(set(self.contents()), {"field.h5", *self.OUTPUTS}, said)
        self.assertEqual(self.older() & set(unchanged), set(unchanged), said)
        return done

    def test_synced_before_it_appears(self):
        """Files, then their names, then the directory."""
        self.assertEqual(self.run_with("").status, 0)
        order = [call for call in self.calls() if call.split()[0] in ("fsync", "linkat", "rename", "flock")]
        self.assertEqual(order, ["fsync file"] * 4 + ["flock"] + ["linkat"] * 4 + ["rename"] * 4 +
                         ["flock", "fsync directory"])

    def test_named_files_where_unnamed_ones_cannot_be(self):
        for number in ("EOPNOTSUPP", "EISDIR", "ENOENT", "EINVAL"):
            with self.subTest(number=number):
                self.assertEqual(self.run_with(f"tmpfile:0:{number}").status, 0)
                self.assertNotIn("linkat", self.calls())
                self.assertEqual(set(self.contents()), {"field.h5", *self.OUTPUTS})

    def test_before_any_name_is_given(self):
        """Solution, picture, VTK file and report, each with its own call."""
        for call, count in (("fsync", 4), ("close", 6), ("linkat", 4)):
            for nth in range(1, count + 1):
                for extra in ("", ",tmpfile:0:EOPNOTSUPP"):
                    if call == "linkat" and extra:
                        continue
                    with self.subTest(call=call, nth=nth, extra=extra):
                        # The report says what went wrong, if it can.
                        self.check_failure(f"{call}:{nth}:EIO{extra}", ("u.h5", "u.png", "u.vtkhdf"))

    def test_report_tells_of_the_failure(self):
        for call in ("fsync:1", "rename:1"):
            self.check_failure(call + ":EIO", ("u.h5", "u.png", "u.vtkhdf"))
            self.assertIn('"status": 6', (self.dir / "u.json").read_text())

    def test_after_the_first_name(self):
        """What is new and what is not."""
        done = self.check_failure("rename:2:EIO", ("u.png", "u.vtkhdf"))
        self.assertNotIn("u.h5", self.older())
        self.assertIn("new: u.h5; as before: u.png, u.vtkhdf, u.json", done.stderr)

    def test_directory(self):
        done = self.check_failure("fsync:5:EIO", ())
        self.assertIn("new: u.h5, u.png, u.vtkhdf, u.json", done.stderr)
        self.write_older()
        self.assertEqual(self.run_with("fsync:5:EINVAL").status, 0, "a directory that cannot be synced is no error")

    def test_no_lock(self):
        for number in ("ENOSPC", "EINVAL"):
            self.write_older()
            self.assertEqual(self.run_with(f"flock:0:{number}").status, 0)
            self.assertFalse(self.older())

    def test_lock_of_somebody_else(self):
        """A script may hold a lock on the directory while it runs the program: it is not waited for for ever."""
        self.assertEqual(self.run_with("flock:0:EWOULDBLOCK").status, 0)
        self.assertFalse([name for name in self.contents() if name.startswith(".")])

    def test_make(self):
        self.write_older()
        for call in ("fsync:1", "close:1", "close:2", "rename:1"):
            environment = dict(os.environ, LD_PRELOAD=SHIM, FAIL_CALL=call + ":EIO")
            self.refuse(6, ["u.h5"], "make", "sine", "--points", "8", "-o", "u.h5", env=environment)

    def test_crash(self):
        """Even a defect is an exit code and one line, and removes a file that has a name."""
        for signal in ("SIGSEGV", "SIGABRT"):
            for rule in (f"rename:2:{signal}", f"pwrite:3:{signal},tmpfile:0:EISDIR"):
                with self.subTest(rule=rule):
                    done = self.run_with(rule)
                    self.assertEqual((done.status, done.stderr.count("\n")), (7, 1), done.stderr)
                    self.calls()
                    self.assertFalse([name for name in self.contents() if name.startswith(".")])

    def test_leftover_of_a_killed_run(self):
        """Killed between two calls a run leaves a hidden link; the next one with the same outputs removes it."""
        self.assertEqual(self.run_with("rename:1:SIGKILL").status, -9)
        left = [name for name in self.contents() if name.startswith(".")]
        self.assertEqual(len(left), len(self.OUTPUTS))
        self.assertEqual(self.run_with("").status, 0)
        self.calls()
        self.assertEqual(set(self.contents()), {"field.h5", *self.OUTPUTS})

    def test_no_free_descriptor(self):
        for limit in range(3, 12):
            done = self.run_any("-i", "field.h5", "-q",
                                before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
            self.assertIn(done.status, (0, 3, 5, 6, 127), f"{limit}: {done.stderr}")
            self.assertFalse([name for name in self.contents() if name.startswith(".")])


if __name__ == "__main__":
    main()
