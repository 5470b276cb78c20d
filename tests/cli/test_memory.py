"""Peak memory of whole runs on the host, measured from outside as the largest resident size of the process: at most
two fields, the workspace of the plan, and 64 MB; with memory low one field, 2 % of it, and 64 MB. That a field and
little more is enough in every mode, and what is said where there is less: exit code 5.
"""

import os
import resource
import subprocess
import sys
import unittest

from program import PROGRAM, SANITIZED, UNIT_BOX, ProgramTest, h5py, main, noise

POINTS = 224
SLACK = 64_000_000


@unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
@unittest.skipUnless(sys.platform == "linux", "resident sizes are told in kilobytes on Linux")
class PeakMemory(ProgramTest):
    def measure(self, *options):
        """Runs in a child of this child, so that only the program's own peak is counted."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                report = self.report(*options)
                peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
                workspace = report.get("bytes", {}).get("workspace", 0)
                os.write(write, f"{peak} {workspace}".encode())
                status = 0
            finally:
                os._exit(status)
        os.close(write)
        with os.fdopen(read) as pipe:
            words = pipe.read().split()
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        return map(int, words)

    def check_solve(self, size, *options):
        peak, workspace = self.measure("-i", "field.h5", "--engine", "host", *options)
        allowed = 2 * POINTS**3 * size + workspace + SLACK
        print(f"{' '.join(options) or 'default':60} peak {peak / 1e6:7.1f} MB, allowed {allowed / 1e6:7.1f} MB")
        self.assertLessEqual(peak, allowed)

    def check_low(self, size, fields, *options):
        """What `--memory low` is for. The workspace is within the 2 %, or it would not be needed."""
        peak, workspace = self.measure("-i", "field.h5", "--engine", "host", "--memory", "low", *options)
        field = POINTS**3 * size
        allowed = fields * field + field // 50 + SLACK
        print(f"low {' '.join(options):56} peak {peak / 1e6:7.1f} MB, allowed {allowed / 1e6:7.1f} MB")
        self.assertLessEqual(peak, allowed)
        self.assertLessEqual(workspace, field // 50)

    def test_low(self):
        """The slack is less than a second field."""
        self.assertGreater(POINTS**3 * 8, SLACK)
        self.run_well("make", "random", "--points", POINTS, "--boundary", "dirichlet", "-o", "field.h5")
        for options in (
            [],
            ["--centering", "node", "--boundary", "neumann:dirichlet"],
            ["--boundary", "periodic", "--gauge", "3,2,1", "--scale", "2"],
            ["--discretization", "spectral"],
            ["--boundary", "neumann", "--exact", "/rhs", "--gradient"],
        ):
            with self.subTest(options=options):
                self.check_low(8, 1, "--threads", "2", *options)
        # Mixed precision keeps the right-hand side, and a field of single.
        peak, _ = self.measure("-i", "field.h5", "--engine", "host", "--memory", "low", "--precision", "mixed")
        self.assertLessEqual(peak, 2.5 * POINTS**3 * 8 * 1.02 + SLACK)

    def test_steps(self):
        """Many right-hand sides take the memory of one, also where checking one takes the memory of the next."""
        with h5py.File(self.dir / "field.h5", "w") as file:
            file["rhs"] = noise(2, POINTS, POINTS, POINTS)
            file["rhs"].attrs.update(UNIT_BOX)
        for options in [], ["--discretization", "spectral"]:
            with self.subTest(options=options):
                self.check_low(8, 1, "--threads", "2", "--step", "all", *options)

    def test_low_in_single(self):
        """A larger box, that a second field would not fit the slack. L u is computed in double."""
        points = 296
        self.assertGreater(points**3 * 4, SLACK)
        self.run_well("make", "random", "--points", points, "--precision", "single", "-o", "field.h5")
        for fields, options in (1, []), (1, ["--discretization", "spectral", "--no-verify"]), (
            2, ["--discretization", "spectral"]):
            with self.subTest(options=options):
                peak, _ = self.measure("-i", "field.h5", "--engine", "host", "--memory", "low", *options)
                self.assertLessEqual(peak, (fields + 0.02) * points**3 * 4 + SLACK)

    def test_double(self):
        self.run_well("make", "random", "--points", POINTS, "--boundary", "dirichlet", "-o", "field.h5")
        for options in (
            [],
            ["--memory", "standard"],
            ["--memory", "standard", "--centering", "node"],
            ["--memory", "standard", "--discretization", "spectral"],
            ["--memory", "standard", "--precision", "single"],
            ["--memory", "standard", "--boundary", "periodic", "--exact", "/rhs"],
            ["--memory", "standard", "--gradient"],
            ["--memory", "standard", "--gradient", "--discretization", "spectral", "--no-verify"],
        ):
            with self.subTest(options=options):
                self.check_solve(4 if "single" in options else 8, *options)

    def test_single(self):
        self.run_well("make", "random", "--points", POINTS, "--precision", "single", "-o", "field.h5")
        self.check_solve(4)
        self.check_solve(4, "--memory", "standard")
        self.check_solve(4, "--memory", "fast", "--discretization", "spectral")

    def test_make_needs_no_field(self):
        """Formulas are written slab by slab."""
        peak, _ = self.measure("make", "waves", "--points", POINTS, "-o", "field.h5")
        self.assertLessEqual(peak, 2 * 2 * 16 * 2**20 + SLACK)


def limit_address_space(limit):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def address_space_to_start():
    """What the program takes before it does anything: its libraries, which with CUDA are large."""
    step = 16 * 2**20
    for limit in range(4 * step, 200 * step, step):
        done = subprocess.run([PROGRAM, "--version"], capture_output=True, preexec_fn=limit_address_space(limit))
        if done.returncode == 0:
            return limit
    raise AssertionError("the program does not start in 3 GiB")


class TooLarge(ProgramTest):
    def test_more_than_the_machine_has(self):
        """A file may promise what no memory holds; it is small, because nothing was ever written to it."""
        for extents in ((100_000,) * 3, (16_000,) * 3, (1, 2**20, 2**25)):
            with self.subTest(extents=extents):
                with h5py.File(self.dir / "field.h5", "w") as file:
                    rhs = file.create_dataset("rhs", extents, "f8", chunks=tuple(min(n, 64) for n in extents))
                    rhs.attrs.update(UNIT_BOX)
                done = self.refuse(5, ["out of", "memory", "available"], "-i", "field.h5", "--allow-fill")
                self.assertRegex(done.stderr, r"needs \d+\.\d+ [TPE]iB")
                self.run_well("info", "field.h5", "--allow-fill")

    @unittest.skipIf(SANITIZED, "sanitizers take address space of their own")
    def test_limited_address_space(self):
        self.field("field.h5", noise(160, 160, 160))
        limit = address_space_to_start() + 12 * 2**20  # such a field is 31 MiB
        done = self.refuse(5, ["memory"], "-i", "field.h5", "--engine", "host", "--threads", "1",
                           before=limit_address_space(limit))
        self.assertNotIn("defect", done.stderr)

    @unittest.skipIf(SANITIZED, "sanitizers take address space of their own")
    def test_a_field_and_little_more_is_enough(self):
        """In every mode: all work inside the field."""
        self.run_well("make", "random", "--points", 288, "--discrete", "--boundary", "dirichlet", "-o", "field.h5")
        field = 288**3 * 8  # 182 MiB
        limit = limit_address_space(address_space_to_start() + field + field // 50 + SLACK)
        solve = ["-i", "field.h5", "--engine", "host", "--threads", "1"]
        for memory in "automatic", "fast", "standard", "low":
            with self.subTest(memory=memory):
                done = self.run_well(*solve, "--json", "-", "--memory", memory, before=limit)
                used = "fast" if memory == "automatic" else memory
                report = done.json
                self.assertEqual(report["memory"], used)
                self.assertIn(f"{used} memory", report["plan"])
                self.assertLess(report["bytes"]["workspace"], field // 50)
                self.assertLess(report["residual"]["backward"], report["tolerance"])
                self.assertEqual(self.attributes()["memory"], used)
        self.assertIn("fast memory", self.run_well(*solve, before=limit).stdout)


if __name__ == "__main__":
    main()
