"""Axes of a million points and more, of prime lengths above all: planned at once, solved to rounding."""

import subprocess

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
            self.solve(f"1x200003x1", boundary, centering)
            self.solve(f"1x200003x1", boundary, centering, "--precision", "single")

    def test_a_million(self):
        self.solve(f"1x{PRIME}x1", "periodic", "cell")
        self.solve(f"1x{1 << 20}x1", "dirichlet", "cell")

    def test_too_long_for_the_memory_is_said_at_once(self):
        """The longest axis there may be: its workspace is hundreds of gigabytes."""
        try:
            self.run_any("bench", "solve", "--points", "1x1073741789x1", "--engine", "host", timeout=60)
        except subprocess.TimeoutExpired:
            self.fail("no answer")


if __name__ == "__main__":
    main()
