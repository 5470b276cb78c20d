"""Axes of a million points and more, of prime lengths above all: planned at once, solved to rounding."""

import time

from program import ProgramTest, main

PRIME = 1_000_003  # the search for its convolution once took minutes
KINDS = (
    ("periodic", "cell"), ("dirichlet", "cell"), ("neumann", "cell"), ("dirichlet:neumann", "cell"),
    ("dirichlet", "node"), ("neumann", "node"),
)


class LongLines(ProgramTest):
    def solve(self, points, boundary, centering, *options):
        self.run_well("make", "random", "--points", points, "--boundary", f"x=periodic,y={boundary},z=periodic",
                      "--centering", f"x=cell,y={centering},z=cell", "--helmholtz", "0.5", "-o", "field.h5")
        self.run_well("-i", "field.h5", "--engine", "host", *options)  # ends with 1 if it is not accurate
        (self.dir / "field.h5").unlink()
        (self.dir / "field.solution.h5").unlink()

    def test_primes_of_every_kind(self):
        for boundary, centering in KINDS:
            self.solve("1x100003x1", boundary, centering)
            self.solve("1x100003x1", boundary, centering, "--precision", "single")

    def test_a_million(self):
        self.solve(f"1x{PRIME}x1", "periodic", "cell")
        self.solve(f"1x{1 << 20}x1", "dirichlet", "cell")

    def test_what_no_machine_holds_is_refused_at_once(self):
        """Workspaces of hundreds of gigabytes; the second is the longest prime axis there may be."""
        for points, status, word in (("1x900000011x1", 5, "memory"), ("1x1073741789x1", 5, "memory")):
            begin = time.monotonic()
            done = self.run_any("bench", "solve", "--points", points, "--engine", "host", "--boundary", "periodic")
            self.assertEqual(done.status, status, done.stderr)
            self.assertIn(word, done.stderr)
            self.assertLess(time.monotonic() - begin, 30)


if __name__ == "__main__":
    main()
