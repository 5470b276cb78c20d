"""Memory that ends while the program starts: exit code 5 with one line, or it all goes well; nothing is left behind.
The limits are RLIMIT_DATA, which the heap meets first, and RLIMIT_AS, in steps from where the system cannot even load
the program."""

import resource
import sys
import unittest

from program import SANITIZED, ProgramTest, main

LOADER = 127  # shared libraries that could not be loaded: no line of the program's has run
KILOBYTE = 1024


@unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
@unittest.skipUnless(sys.platform == "linux", "the heap counts as data on Linux")
class LittleMemory(ProgramTest):
    def check(self, limit, more, step, *words, output=None):
        """From the least limit with which the program is loaded on, until `more` kilobytes above it."""
        seen = []
        first, last = 0, more
        while self.limited(limit, last, "--version").status not in (0, 5):  # CUDA's libraries take gigabytes
            self.assertLess(last, 1 << 30, "the program cannot be loaded")
            last *= 2
        while last - first > step:  # the loader's end, by halves
            middle = (first + last) // 2
            if self.limited(limit, middle, "--version").status in (0, 5):
                last = middle
            else:
                first = middle
        most = last + more
        fine = range(last, last + 4 * step, step // 4)  # what is needed at the start, bit by bit
        for kilobytes in (*fine, *range(last + 4 * step, most, 4 * step), most):
            before = self.contents()
            done = self.limited(limit, kilobytes, *words)
            said = f"{words} with {kilobytes} kB: status {done.status}\n{done.stdout}\n{done.stderr}"
            if done.status == LOADER:
                continue
            self.assertIn(done.status, (0, 5), said)
            if done.status == 0:
                self.assertEqual(done.stderr, "", said)
            else:
                self.assertRegex(done.stderr, r"\Apoisson3d: [^\n]+\n\Z", said)
                self.assertEqual(self.contents(), before, said)
            if done.status == 0 and output:
                (self.dir / output).unlink()
            seen.append(done.status)
        self.assertEqual(seen[-1], 0, "the last limit was meant to be enough")
        self.assertIn(5, seen, "the first limit was meant to be too little")

    def limited(self, limit, kilobytes, *words):
        bytes_ = kilobytes * KILOBYTE
        return self.run_any(*words, before=lambda: resource.setrlimit(limit, (bytes_, bytes_)))

    def test_data(self):
        self.run_well("make", "mixed", "--points", "6x7x8", "-o", "field.h5")
        for words, output in (
            (("--help",), None),
            (("make", "mixed", "--points", "6x7x8", "-o", "made.h5"), "made.h5"),
            (("info", "field.h5"), None),
            (("-i", "field.h5", "--engine", "host", "--threads", "1"), "field.solution.h5"),
        ):
            self.check(resource.RLIMIT_DATA, 24_000, 400, *words, output=output)

    def test_address_space(self):
        self.check(resource.RLIMIT_AS, 200_000, 4_000, "make", "mixed", "--points", "6x7x8", "-o", "made.h5",
                   output="made.h5")


if __name__ == "__main__":
    main()
