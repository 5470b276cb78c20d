"""plot: planes, profiles and convergence of any data set."""

import json
import re
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

    def test_where_points_are(self):
        """From origin, centring, spacing or positions, as the file has them; of a cube from its first point."""
        values = np.arange(3.0 * 4 * 5).reshape(3, 4, 5)
        box = {"spacing": (0.5, 2.0, 3.0), "origin": (10.0, -20.0, 30.0), "centering": ["cell", "node", "cell"],
               "boundary": "neumann"}
        with h5py.File(self.field("box.h5", values, attributes=box), "a") as file:
            file["positions/z"] = [30.0, 31.0, 33.0, 36.0, 37.0, 39.0]
        (self.dir / "box.cube").write_text("t\nt\n0 10.25 -20 30.5\n3 0.5 0 0\n4 0 2 0\n5 0 0 1\n"
                                           + " ".join(map(str, values.ravel())))
        for name, lines in (("box.h5", {"x": 10.25 + 0.5 * np.arange(3), "y": -20 + 2.0 * np.arange(4),
                                        "z": np.array([30.5, 32, 34.5, 36.5, 38])}),
                            ("box.cube", {"x": 10.25 + 0.5 * np.arange(3), "y": -20 + 2.0 * np.arange(4),
                                          "z": 30.5 + np.arange(5)})):
            for axis, line in lines.items():
                for index, position in enumerate(line):
                    with self.subTest(file=name, axis=axis, index=index):
                        near = position - 0.01 if index else position + 0.01
                        found = self.plot(name, "--at", f"{axis}={near}", "-o", "a.png")["fields"][0]
                        self.assertEqual(found["sections"][0][axis]["index"], index)
                        self.assertAlmostEqual(found["sections"][0][axis]["position"], position, places=12)

    def test_a_profile_goes_through_its_points(self):
        """In the picture: up with the values, to the right with the positions of steps that differ."""
        line = np.array([0.0, 1.0, 9.0, 4.0, 25.0, 16.0, 30.0])
        field = np.zeros((2, 7, 3))
        field[1, :, 2] = line
        faces = np.array([0.0, 0.1, 0.3, 0.6, 0.7, 1.1, 1.2, 2.0])
        with h5py.File(self.field("line.h5", field, attributes={"spacing": (1.0, 1.0, 1.0), "boundary": "neumann"}),
                       "a") as file:
            file["positions/y"] = faces
        self.plot("line.h5", "--line", "y", "--index", "x=1,z=2", "-o", "line.svg")
        paths = re.findall(r'd="M ([-\d. L]+)"', (self.dir / "line.svg").read_text())
        curves = [np.array([[float(word) for word in point.split()] for point in path.strip().split("L")])
                  for path in paths if path.count("L") == 6]
        x, y = next(curve.T for curve in curves if curve.shape == (7, 2) and (np.diff(curve[:, 0]) > 0).all())
        for pixels, wanted in ((x, (faces[1:] + faces[:-1]) / 2), (-y, line)):
            slope, start = np.polyfit(wanted, pixels, 1)
            self.assertGreater(slope, 1)
            np.testing.assert_allclose(start + slope * wanted, pixels, atol=0.05)

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

    def test_orders_of_both_errors(self):
        """By the largest spacing; a least-squares line, which noise of equal sizes does not turn."""
        names = []
        for n, noise in ((8, 1.1), (16, 0.9), (32, 0.9), (64, 1.1)):
            names.append(f"{n}.json")
            (self.dir / names[-1]).write_text(json.dumps({
                "problem": {"spacing": [1 / n, 0.001, 3 / n]}, "error": {"max": noise * 3 / n, "l2": noise / n**2}}))
        order = self.plot("--convergence", *names[::-1], "-o", "c.png")["order"]
        self.assertAlmostEqual(order["max"], 1.0, places=12)
        self.assertAlmostEqual(order["l2"], 2.0, places=12)

    def test_planes_of_a_field_of_several_slabs(self):
        field = np.zeros((21, 400, 300))
        field[20] = 7.0
        field[:, 3] = -2.0
        self.field("large.h5", field)
        self.assertGreater(field.nbytes, 16 << 20)
        for place, least, greatest in (("x=20", -2.0, 7.0), ("x=0", -2.0, 0.0), ("y=3", -2.0, -2.0), ("z=299", -2.0, 7.0)):
            found = self.plot("large.h5", "--index", place, "-o", "a.png")["fields"][0]
            self.assertEqual((found["min"], found["max"]), (least, greatest), place)

    def test_arrows_where_values_lie_beyond_the_colours(self):
        """Above and below the bar, as open lines of three points whose ends are level."""
        self.field("ramp.h5", np.arange(3.0 * 4 * 5).reshape(3, 4, 5))
        for limits, wanted in (("0,59", []), ("-5,70", []), ("10,59", ["down"]), ("0,50", ["up"]),
                               ("10,50", ["down", "up"])):
            with self.subTest(range=limits):
                self.plot("ramp.h5", "--index", "x=0", "--index", "x=2", f"--range={limits}", "-o", "a.svg")
                found = []
                for path in re.findall(r'd="M ([-\d. L]+)"', (self.dir / "a.svg").read_text()):
                    points = [[float(word) for word in point.split()] for point in path.strip().split("L")]
                    if len(points) == 3 and points[0][1] == points[2][1] != points[1][1]:
                        found.append("up" if points[1][1] < points[0][1] else "down")
                self.assertEqual(sorted(found), wanted)

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
