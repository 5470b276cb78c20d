"""plot_lengths.py: its table of a made-up report, its picture, and that it reads what `bench solve` writes."""

import importlib
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from plot_lengths import sort_of

SCRIPT = pathlib.Path(__file__).with_name("plot_lengths.py")


def case(copies, points, boundary=("dirichlet",) * 6, centering="cell", precision="double", batch=1):
    points = [points] * 3 if isinstance(points, int) else points
    problem = {"points": points, "boundary": boundary, "centering": [centering] * 3, "precision": precision}
    return {"problem": problem, "batch": batch, "copies": copies}


def has_matplotlib():
    try:
        return bool(importlib.import_module("matplotlib"))
    except ImportError:
        return False


class Lengths(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory, self.number = pathlib.Path(directory.name), itertools.count()

    def report(self, *cases):
        path = self.directory / f"{next(self.number)}.json"
        path.write_text(json.dumps({"version": "0", "revision": "0123456789ab", "device": "a GPU", "cases": cases}))
        return path

    def run_script(self, *arguments, status=0):
        done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def rows(self, *paths):
        lines = self.run_script("table", *paths).stdout.splitlines()
        return {cells[0]: cells[1:] for cells in ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:])}

    def test_table(self):
        rows = self.rows(self.report(*[case(copies, n) for n, copies in (
            (256, 7.04), (257, 31.5), (258, 24.06), (270, 8.5), (286, 11), (343, 9.25), (509, 30))]))
        self.assertEqual(rows, {"dirichlet cells, double": [
            "7", "11.0", "31.5", "343 = 7³ (9.2)",
            "257 (31.5), 509 (30.0), 258 = 2 · 3 · 43 (24.1), 286 = 2 · 11 · 13 (11.0), 343 = 7³ (9.2)"]})

    def test_sorts(self):
        self.assertEqual([sort_of(n) for n in (256, 343, 257, 1021, 258, 286, 529)],
                         ["7-smooth"] * 2 + ["prime"] * 2 + ["other"] * 3)

    def test_kinds_are_kept_apart(self):
        mixed, periodic = ("dirichlet", "neumann") * 3, ("periodic",) * 6
        rows = self.rows(self.report(case(1, 257), case(2, 257, centering="node"), case(3, 257, mixed, "node"),
                                     case(4, 256, periodic, "node", "single"), case(5, 256, mixed, precision="single")))
        self.assertEqual({name: (cells[-2], cells[-1]) for name, cells in rows.items()}, {
            "dirichlet cells, double": ("–", "257 (1.0)"),
            "dirichlet nodes, double": ("256 = 2⁸ (2.0)",) * 2,
            "dirichlet:neumann nodes, double": ("256 = 2⁸ (3.0)",) * 2,
            "periodic nodes, single": ("256 = 2⁸ (4.0)",) * 2,
            "dirichlet:neumann cells, single": ("256 = 2⁸ (5.0)",) * 2})

    def test_what_is_left_out(self):
        other = ("dirichlet",) * 4 + ("neumann",) * 2
        rows = self.rows(self.report(case(1, 11), case(9, [11, 11, 13]), case(9, 13, other), case(9, 13, batch=2)),
                         self.report(case(3, 17)), self.report(case(2, 11)))
        self.assertEqual(rows, {"dirichlet cells, double": ["2", "2.5", "3.0", "–", "17 (3.0), 11 (2.0)"]})

    @unittest.skipUnless(has_matplotlib(), "no Matplotlib")
    def test_picture(self):
        target = self.directory / "lengths.png"
        self.run_script("draw", target, *(self.report(*[case(n / 10, n, centering=centering, precision=precision)
                                                        for n in (256, 257, 258)])
                                          for centering in ("cell", "node") for precision in ("double", "single")),
                        self.report(case(7, 256, ("periodic",) * 6)))
        self.assertEqual(target.read_bytes()[:4], b"\x89PNG")

    def test_usage(self):
        for arguments in ((), ("table",), ("draw", "only.png"), ("every", "file.json")):
            self.assertIn("plot_lengths.py draw", self.run_script(*arguments, status=1).stderr)

    @unittest.skipUnless("POISSON3D" in os.environ, "no program")
    def test_what_the_program_writes(self):
        path = self.directory / "measured.json"
        subprocess.run([os.environ["POISSON3D"], "bench", "solve", "--engine", "host", "--repeat", "1", "--points", "8,11,14",
                        "--boundary", "dirichlet", "--boundary", "neumann:dirichlet", "--boundary", "periodic", "--centering",
                        "cell", "--centering", "node", "--precision", "double,single", "--json", path],
                       capture_output=True, check=True)
        rows = self.rows(path)
        self.assertEqual({cells[0] for cells in rows.values()}, {"3"})
        self.assertEqual(set(rows), {f"{boundary} {centering}s, {precision}"
                                     for boundary in ("dirichlet", "neumann:dirichlet", "periodic")
                                     for centering in ("cell", "node") for precision in ("double", "single")})
        for name, (_, _, worst, smooth, _) in rows.items():
            self.assertGreater(float(worst), 0)
            lengths = (7, 10) if "nodes" in name and "periodic" not in name else (8, 14)
            self.assertIn(int(smooth.split(" ")[0]), lengths)


if __name__ == "__main__":
    unittest.main(verbosity=1)
