"""plot: planes, profiles and convergence of any data set."""

import json
import xml.etree.ElementTree as xml

from program import ProgramTest, h5py, main, np  # first: it skips where NumPy or h5py is missing
from picture import lightness, read_png


class Plot(ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_well("make", "polynomial", "--points", "9,12,7", "-o", "field.h5", "-q")

    def plot(self, *arguments):
        return json.loads(self.run_well("plot", *arguments, "--json", "-").stdout)

    def test_planes(self):
        report = self.plot("field.h5", "--dataset", "/exact", "--at", "x=0.3,z=1", "--index", "y=11", "-o", "a.png")
        self.assertEqual([[*section] for section in report["fields"][0]["sections"]], [["x"], ["z"], ["y"]])
        self.assertEqual(report["fields"][0]["sections"][0]["x"]["index"], 2)
        self.assertEqual(report["fields"][0]["sections"][1]["z"]["index"], 6)
        with h5py.File(self.dir / "field.h5") as file:
            exact = file["exact"][...]
        planes = [exact[2], exact[:, :, 6], exact[:, 11]]
        self.assertAlmostEqual(report["fields"][0]["max"], max(plane.max() for plane in planes))
        self.assertAlmostEqual(report["fields"][0]["min"], min(plane.min() for plane in planes))

    def test_default_is_the_solution_beside_the_file(self):
        self.run_well("-i", "field.h5", "-q")
        report = self.plot("field.solution.h5")
        self.assertEqual(report["output"], "field.solution.png")
        self.assertEqual(report["fields"][0]["dataset"], "/solution")
        self.assertGreater(np.ptp(lightness(read_png(self.dir / "field.solution.png").astype(int))), 200)

    def test_formats_and_same_bytes(self):
        for ending in ("png", "pdf", "svg"):
            for options in ((), ("--line", "y"), ("--log", "--range", "90%")):
                found = []
                for name in (f"a.{ending}", f"b.{ending}"):
                    self.plot("field.h5", *options, "-o", name)
                    found.append((self.dir / name).read_bytes())
                self.assertEqual(*found)
        self.assertTrue((self.dir / "a.pdf").read_bytes().startswith(b"%PDF-"))
        self.assertTrue(xml.parse(self.dir / "a.svg").getroot().tag.endswith("svg"))

    def test_units_are_drawn(self):
        def pictures():
            self.plot("field.h5", "-o", "planes.svg")
            self.plot("field.h5", "--line", "y", "-o", "line.svg")
            self.run_well("-i", "field.h5", "-o", "u.h5", "--preview", "u.svg", "-q")
            return [(self.dir / name).read_bytes() for name in ("planes.svg", "line.svg", "u.svg")]

        before = pictures()
        for name, text in (("units", "C/m^3"), ("length_units", "m")):
            with h5py.File(self.dir / "field.h5", "a") as file:
                file["rhs"].attrs[name] = text
            after = pictures()
            # the units of the solution are known once both are
            self.assertEqual([a != b for a, b in zip(after, before)], [True, True, name == "length_units"])
            before = after

    def test_convergence(self):
        reports = []
        for n in (8, 16, 32):
            self.run_well("make", "sine", "--points", str(n), "-o", "s.h5", "-q")
            self.run_well("-i", "s.h5", "--exact", "/exact", "--json", f"{n}.json", "-q")
            reports.append(f"{n}.json")
        self.assertAlmostEqual(self.plot("--convergence", *reports, "-o", "c.png")["order"]["l2"], 2.0, delta=0.1)
        self.refuse(3, ["one spacing"], "plot", "--convergence", reports[0], "-o", "d.png")
        self.refuse(3, ["field.h5", "no JSON"], "plot", "--convergence", "field.h5", "-o", "d.png")

    def test_refusals(self):
        for words, options in (
            (["--at", "x=7", "from 0 to 1"], ["--at", "x=7"]),
            (["--index", "y=12", "from 0 to 11"], ["--index", "y=12"]),
            (["--at", "q"], ["--at", "q=1"]),
            (["--at", "'0.3'", "x=0"], ["--at", "0.3"]),
            (["--line", "'xy'"], ["--line", "xy"]),
            (["--at", "--line"], ["--line", "x", "--at", "x=0.5"]),
            (["--range", "'2,1'"], ["--range", "2,1"]),
            (["--range", "--log"], ["--range=-2,1", "--log", "--dataset", "/exact"]),
            (["--output", ".png, .pdf or .svg"], ["-o", "a.jpg"]),
            (["--dataset", "2 names for 3 files"], ["field.h5", "field.h5", "--dataset", "/a,/b"]),
        ):
            with self.subTest(options=options):
                self.refuse(2, words, "plot", "field.h5", *options)
        self.refuse(3, ["/gone"], "plot", "field.h5", "--dataset", "/gone")


if __name__ == "__main__":
    main()
