"""make, info, devices and bench: what they write and what they tell."""

import ctypes

from program import UNIT_BOX, ProgramTest, h5py, main, noise, np, strings


class Make(ProgramTest):
    def make(self, *options):
        self.run_well("make", *options, "-o", "made.h5")
        with h5py.File(self.dir / "made.h5") as file:
            return {name: file[name][...] for name in ("rhs", "exact") if name in file}, dict(file["rhs"].attrs)

    def test_attributes(self):
        data, attributes = self.make(
            "random", "--points", "5,6,7", "--boundary", "x=periodic,y=dirichlet:neumann,z=neumann", "--centering",
            "z=node", "--helmholtz", "2", "--length", "1,2,3", "--origin", "-1,0,1")
        self.assertEqual(set(data), {"rhs"})
        self.assertEqual(data["rhs"].shape, (5, 6, 7))
        self.assertEqual(data["rhs"].dtype, np.dtype("f8"))
        np.testing.assert_allclose(attributes["spacing"], (1 / 5, 2 / 6, 3 / 6))
        np.testing.assert_array_equal(attributes["origin"], (-1, 0, 1))
        self.assertEqual(attributes["helmholtz"], 2)
        self.assertEqual(strings(attributes["centering"]), ["cell", "cell", "node"])
        self.assertEqual(strings(attributes["boundary"]),
                         ["periodic", "periodic", "dirichlet", "neumann", "neumann", "neumann"])

    def test_values(self):
        """The formula at the points themselves, cells and nodes."""
        for centering, points in (("cell", (np.arange(8) + 0.5) / 8), ("node", np.arange(8) / 7)):
            data, _ = self.make("sine", "--points", "8", "--centering", centering)
            x, y, z = np.ix_(points, points, points)
            exact = np.sin(np.pi * x) * np.sin(2 * np.pi * y) * np.sin(3 * np.pi * z)
            np.testing.assert_allclose(data["exact"], exact, atol=1e-14)
            np.testing.assert_allclose(data["rhs"], -14 * np.pi**2 * exact, atol=1e-12)

    def test_taylor_green_has_its_own_box(self):
        _, attributes = self.make("taylor-green", "--points", "16")
        np.testing.assert_allclose(attributes["spacing"], [2 * np.pi / 16] * 3)

    def test_spacing(self):
        _, attributes = self.make("sine", "--points", "16", "--spacing", "0.25")
        np.testing.assert_array_equal(attributes["spacing"], [0.25] * 3)

    def test_precision(self):
        for precision, dtype in (("single", "f4"), ("double", "f8")):
            data, _ = self.make("waves", "--points", "8", "--precision", precision)
            self.assertEqual(data["rhs"].dtype, np.dtype(dtype))
            self.assertEqual(data["exact"].dtype, np.dtype(dtype))

    def test_seed(self):
        one = self.make("random", "--points", "8")[0]["rhs"]
        same = self.make("random", "--points", "8", "--seed", "0")[0]["rhs"]
        other = self.make("random", "--points", "8", "--seed", "1")[0]["rhs"]
        np.testing.assert_array_equal(one, same)
        self.assertGreater(np.abs(one - other).max(), 0.1)

    def test_boundary_of_a_formula(self):
        self.refuse(2, ["--boundary", "taylor-green"], "make", "taylor-green", "--boundary", "dirichlet")
        self.run_well("make", "taylor-green", "--points", "8", "--boundary", "periodic")

    def test_default_name_and_report(self):
        report = self.report("make", "sine", "--points", "8,9,10")
        self.assertEqual(report["output"], "sine.h5")
        self.assertEqual(report["problem"]["points"], [8, 9, 10])
        self.assertTrue(report["exact"])
        self.assertEqual(set(self.contents()), {"sine.h5"})
        self.assertIn("8 × 9 × 10", self.run_well("make", "sine", "--points", "8x9x10").stdout)
        self.assertEqual(self.run_well("make", "sine", "-q").stdout, "")

    def test_discrete_dirichlet_nodes_are_zero(self):
        data, _ = self.make("random", "--discrete", "--points", "6", "--boundary", "x=dirichlet,y=periodic,z=neumann",
                            "--centering", "node")
        self.assertEqual(np.abs(data["exact"][[0, -1]]).max(), 0)
        self.assertGreater(np.abs(data["exact"][1:-1]).max(), 0.5)


class Stretched(ProgramTest):
    def positions(self, word, *options, points=8):
        self.run_well("make", "quadratic", "--points", points, "--stretch", f"y={word}", "-o", "s.h5", *options)
        with h5py.File(self.dir / "s.h5") as file:
            self.assertEqual(list(file["positions"]), ["y"])
            self.attrs = dict(file["rhs"].attrs)
            self.exact = file["exact"][...]
            return file["positions/y"][...]

    def test_formulas(self):
        t = np.linspace(0, 1, 9)
        np.testing.assert_allclose(
            self.positions("tanh:2"), 0.5 + 0.5 * np.tanh(2 * (2 * t - 1)) / np.tanh(2), atol=1e-15
        )
        np.testing.assert_allclose(self.positions("chebyshev"), 0.5 - 0.5 * np.cos(np.pi * t), atol=1e-15)
        steps = np.diff(self.positions("geometric:1.25"))
        np.testing.assert_allclose(steps[1:] / steps[:-1], 1.25, rtol=1e-12)
        first, again, other = (self.positions(f"random:{seed}", points=64) for seed in (1, 1, 2))
        np.testing.assert_array_equal(first, again)
        self.assertGreater(np.abs(first - other).max(), 0.01)
        self.assertLess(np.ptp(np.diff(first) * 64) / 1.2, 1.2)
        self.assertGreater(np.ptp(np.diff(first) * 64), 0.9)

    def test_box_and_centring(self):
        x = self.positions("tanh:2", "--length", 3, "--origin", -1)
        self.assertEqual((x[0], x[-1], len(x)), (-1, 2, 9))
        x = self.positions("tanh:2", "--centering", "node")
        self.assertEqual((x[0], x[-1], len(x)), (0, 1, 8))
        x = self.positions("tanh:2", "--centering", "node", "--boundary", "y=periodic,x=neumann,z=neumann")
        self.assertEqual((x[0], x[-1], len(x)), (0, 1, 9))
        self.assertEqual(self.attrs["spacing"][1], 1 / 8)

    def test_fields_belong_to_the_points(self):
        x = self.positions("geometric:1.3")
        y = 0.5 * (x[1:] + x[:-1])
        wanted = self.exact[0, 0, 0] - 0.75 * (y - y[0]) + 0.375 * (y**2 - y[0] ** 2)
        wanted += (0.625 - 0.25) / 16 * (y - y[0])  # 5/8 XY - YZ/4 at the first centres of x and z
        np.testing.assert_allclose(self.exact[0, :, 0], wanted, rtol=1e-14)

    def test_robin_faces(self):
        self.run_well("make", "linear", "--points", 4, "--boundary", "x=robin:2:0.5:dirichlet,y=neumann,z=neumann",
                      "-o", "r.h5")
        with h5py.File(self.dir / "r.h5") as file:
            np.testing.assert_array_equal(file["rhs"].attrs["robin_x_lower"], [2.0, 0.5])
            self.assertNotIn("robin_x_upper", file["rhs"].attrs)
            y, z = np.meshgrid((np.arange(4) + 0.5) / 4, (np.arange(4) + 0.5) / 4, indexing="ij")
            np.testing.assert_allclose(file["boundary_values/x_lower"], 2 * (2 - 0.75 * y + 0.5 * z) - 0.5, rtol=1e-14)
        told = self.run_well("info", "r.h5", "--json", "-").json
        self.assertEqual(told["robin"], {"x_lower": [2.0, 0.5]})
        self.assertIn("robin:2:0.5:dirichlet", self.run_well("info", "r.h5").stdout)

    def test_report(self):
        report = self.run_well("make", "sine", "--points", 8, "--stretch", "z=chebyshev", "--json", "-").json
        steps = report["problem"]["steps"]["z"]
        self.assertAlmostEqual(steps["min"], 0.5 - 0.5 * np.cos(np.pi / 8))
        self.assertAlmostEqual(steps["max"], 0.5 * np.sin(np.pi / 8))
        self.assertEqual(report["problem"]["robin"], {})
        told = self.run_well("info", "sine.h5", "--json", "-").json
        with h5py.File(self.dir / "sine.h5") as file:
            rhs = file["rhs"][...]
        self.assertEqual((told["values"]["min"], told["values"]["max"]), (rhs.min(), rhs.max()))
        self.assertAlmostEqual(told["values"]["mean"], rhs.mean(), delta=1e-12 * abs(rhs).max())
        self.assertEqual(told["positions"], {"z": {"count": 9, "first": 0.0, "last": 1.0}})

    def test_three_axes(self):
        """All stretched: solved to second order, and the plan says how."""
        errors = []
        for points in (16, 32):
            self.run_well("make", "sine", "--points", points, "--stretch", "chebyshev", "-o", "field.h5", "-q")
            report = self.run_well("-i", "field.h5", "--exact", "/exact", "--json", "-", "-q").json
            errors.append(report["error"]["max"])
        self.assertGreater(errors[0] / errors[1], 3.5)
        said = self.run_well("-i", "field.h5").stdout
        self.assertIn("x eliminated, y as a matrix, z as a matrix", said)

    def test_usage(self):
        for word in ("y=tanh", "y=tanh:0", "y=tanh:-1", "y=cubic:2", "y=chebyshev:1", "y=random:-1", "y=geometric:x"):
            with self.subTest(word=word):
                self.refuse(2, ["--stretch", word[2:].split(":")[-1]], "make", "sine", "--stretch", word)
        self.refuse(2, ["mixed", "Robin"], "make", "mixed", "--boundary", "z=robin:1:1,y=neumann,x=neumann")


class Info(ProgramTest):
    def test_all_there(self):
        path = self.field("field.h5", noise(8, 9, 10, dtype=">f4"), chunks=(4, 9, 10), compression="gzip",
                          attributes={**UNIT_BOX, "boundary": "neumann", "helmholtz": 0.0})
        with h5py.File(path, "a") as file:
            file["exact"] = noise(8, 9, 10)
            file["boundary_values/x_lower"] = 1.0
        done = self.run_well("info", "field.h5")
        for word in ("/rhs", "float32 big endian", "chunked", "8 × 9 × 10", "neumann", "cell", "standard",
                     "/exact", "x_lower", "constant"):
            self.assertIn(word, done.stdout)
        report = self.report("info", "field.h5")
        self.assertEqual(report["points"], [8, 9, 10])
        self.assertEqual(report["boundary"], ["neumann"] * 6)
        self.assertEqual(report["centering"], ["cell"] * 3)
        self.assertTrue(report["singular"])
        self.assertTrue(report["exact"])
        self.assertEqual(report["boundary_values"], ["x_lower"])
        self.assertEqual(report["bytes"]["field"], 8 * 9 * 10 * 4)
        # Those of the host, which has no internal fields: line buffers, the same in all modes for so short lines.
        self.assertGreater(report["bytes"]["low"], 0)
        self.assertEqual(report["bytes"]["fast"], report["bytes"]["low"])
        self.assertEqual(report["bytes"]["standard"], report["bytes"]["low"])
        self.assertEqual(report["boundary_value_ranges"], {"x_lower": {"array": None, "min": 1, "max": 1}})
        self.assertEqual(self.report("-i", "field.h5")["boundary_values"], ["x_lower"])

    def test_boundary_values(self):
        face = noise(8, 10, dtype=">f4")
        with h5py.File(self.field("field.h5", noise(8, 9, 10)), "a") as file:
            file["boundary_values/x_upper"] = -0.125
            file["boundary_values/y_lower"] = face
        done = self.run_well("info", "field.h5")
        self.assertIn("x_upper: -0.125", done.stdout)
        self.assertIn(f"y_lower: array 8 × 10, {face.min():.3g} … {face.max():.3g}", done.stdout)
        ranges = self.report("info", "field.h5")["boundary_value_ranges"]
        self.assertEqual(ranges["x_upper"], {"array": None, "min": -0.125, "max": -0.125})
        self.assertEqual(ranges["y_lower"], {"array": [8, 10], "min": float(face.min()), "max": float(face.max())})
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["boundary_values/z_lower"] = face
        self.refuse(3, ["field.h5", "/boundary_values/z_lower", "8 x 10", "8 x 9"], "info", "field.h5")

    def test_workspace_is_what_a_solve_takes(self):
        self.field("field.h5", noise(18, 19, 20))
        bytes_ = self.report("info", "field.h5")["bytes"]
        for mode in ("fast", "standard", "low"):
            report = self.report("-i", "field.h5", "--engine", "host", "--memory", mode)
            self.assertEqual(report["bytes"]["workspace"], bytes_[mode])

    def test_disk_mode(self):
        """What a solve in slabs moves and stores; free faces have none."""
        for boundary, dtype in (("neumann", "f4"), ("dirichlet", "f8")):
            self.field("field.h5", noise(29, 17, 31, dtype=dtype), attributes={**UNIT_BOX, "boundary": boundary})
            told = self.report("info", "field.h5")["bytes"]
            disk = self.report("-i", "field.h5", "--engine", "host", "--memory", "disk")["disk"]
            self.assertEqual((told["disk"]["scratch"], told["disk"]["moved"]), (disk["scratch"], disk["moved"]))
            self.assertGreater(told["disk"]["memory"], 0)
            self.assertTrue(told["fits"])
        self.assertNotIn("does not fit", self.run_well("info", "field.h5").stdout)
        self.field("field.h5", noise(5, 6, 7), attributes={**UNIT_BOX, "boundary": "free"})
        self.assertIsNone(self.report("info", "field.h5")["bytes"]["disk"])
        self.assertIn("disk: found free faces on axis x", self.run_well("info", "field.h5").stdout)

    def test_a_field_that_does_not_fit(self):
        """3.2 TiB that were never written."""
        with h5py.File(self.dir / "field.h5", "w") as file:
            rhs = file.create_dataset("rhs", (100000, 2100, 2100), "f8", chunks=(1, 64, 64))
            rhs.attrs.update(UNIT_BOX)
        report = self.report("info", "field.h5", "--allow-fill")["bytes"]
        self.assertFalse(report["fits"])
        self.assertEqual(report["disk"]["scratch"], report["field"])
        self.assertEqual(report["disk"]["moved"], 8 * report["field"])
        told = self.run_well("info", "field.h5", "--allow-fill").stdout
        for word in ("does not fit", "--memory disk", "--max-memory"):
            self.assertIn(word, told)

    def test_what_happens_along_the_axes(self):
        """37 nodes between walls are transforms of 36; the slowest length is eliminated, and the next one is not."""
        self.run_well("make", "random", "--points", "37x97x83", "--boundary",
                      "x=dirichlet:neumann,y=dirichlet,z=periodic", "--centering", "x=node", "-o", "field.h5")
        axes = self.report("info", "field.h5")["solve"]["axes"]
        self.assertEqual(axes["x"], {"way": "transformed", "transform": "DST-III", "length": 36, "largest_prime": 3,
                                     "faster_points": None})
        self.assertEqual((axes["y"]["way"], axes["y"]["transform"], axes["y"]["length"]), ("eliminated", None, 97))
        self.assertEqual(axes["z"], {"way": "transformed", "transform": "DFT", "length": 83, "largest_prime": 83,
                                     "faster_points": [81, 84]})
        told = self.run_well("info", "field.h5").stdout
        for line in ("x +DST-III of 36\n", "y +eliminated, 97 unknowns\n", "z +DFT of 83, slow: prime factor 83\n",
                     "faster points +81 or 84 along z\n"):
            self.assertRegex(told, line)
        self.run_well("make", "random", "--points", "5x53x47", "--boundary", "x=periodic,y=dirichlet,z=free",
                      "--centering", "node", "-o", "nodes.h5")
        axes = self.report("info", "nodes.h5")["solve"]["axes"]
        self.assertEqual([axes[a]["way"] for a in "xyz"], ["transformed", "transformed", "eliminated"])
        self.assertEqual((axes["y"]["transform"], axes["y"]["length"], axes["y"]["faster_points"]),
                         ("DST-I", 52, None))

    def test_points_that_are_faster(self):
        """The nearest below and above whose half period has no prime factor above 7, by trial."""
        def smooth(n):
            for p in (2, 3, 5, 7):
                while n % p == 0:
                    n //= p
            return n == 1

        for points, faces, centering, less in ((89, "dirichlet", "cell", 0), (90, "neumann", "node", 1),
                                               (34, "periodic", "node", 0)):
            with self.subTest(points=points, centering=centering):
                self.run_well("make", "random", "--points", f"4x101x{points}", "--boundary",
                              f"x=periodic,y=dirichlet,z={faces}", "--centering", f"z={centering}", "-o", "field.h5")
                told = self.report("info", "field.h5")["solve"]["axes"]["z"]
                self.assertEqual(told["length"], points - less)
                expected = [next(n for n in range(points - 1, 0, -1) if smooth(n - less)),
                            next(n for n in range(points + 1, 2 * points) if smooth(n - less))]
                self.assertEqual(told["faster_points"], expected)

    def test_time_is_estimated(self):
        """From the box itself, or from smaller ones: within a factor of 10 of what a solve takes."""
        for points, source in (("90x140x131", "this size"), ("280x150x131", "smaller boxes"),
                               ("9x810x877", "smaller boxes")):
            with self.subTest(points=points):
                self.run_well("make", "random", "--points", points, "--boundary", "x=neumann,y=dirichlet,z=periodic",
                              "-o", "field.h5")
                told = self.report("info", "field.h5")["solve"]
                self.assertEqual(told["from"], source)
                report = self.report("-i", "field.h5", "--engine", told["engine"])
                self.assertEqual(told["device"], report["device"])
                self.assertGreater(told["seconds"], report["seconds"]["solve"] / 10)
                self.assertLess(told["seconds"], report["seconds"]["solve"] * 10)
                self.assertGreater(told["copies"], report["copies"] / 10)
                self.assertLess(told["copies"], report["copies"] * 10)
                self.assertIn("an estimate, from solving " + ("noise of " if source == "this size" else "") + source,
                              self.run_well("info", "field.h5").stdout)

    def test_time_grows_with_the_points(self):
        """A file that says much and holds nothing: 10⁹ points take about 250 times as long as 4 · 10⁶."""
        seconds = []
        for extents in ((160, 160, 160), (1000, 1024, 1000)):
            with h5py.File(self.dir / "field.h5", "w") as file:
                rhs = file.create_dataset("rhs", extents, "f8", chunks=(1, 64, 64))
                rhs.attrs.update(UNIT_BOX)
            told = self.report("info", "field.h5", "--allow-fill")["solve"]
            seconds.append(told["seconds"])
        ratio = seconds[1] / seconds[0] / (1000 * 1024 * 1000 / 160**3)
        self.assertGreater(ratio, 1 / 8)
        self.assertLess(ratio, 8)

    def test_time_is_not_estimated(self):
        with h5py.File(self.dir / "field.h5", "w") as file:
            rhs = file.create_dataset("rhs", (3, 10000, 10000), "f4", chunks=(1, 64, 64))
            rhs.attrs.update(UNIT_BOX)
        report = self.report("info", "field.h5", "--allow-fill")
        told = report["solve"]
        self.assertIsNone(told["seconds"])
        self.assertIn("plane", told["not_estimated"])
        self.assertIsNone(report["values"])
        self.assertIn("more than 1.00 GiB", report["values_problem"])
        self.assertIn("not estimated: a plane", self.run_well("info", "field.h5", "--allow-fill").stdout)

    def test_values(self):
        """Of all numbers, the first and the last."""
        f = noise(3, 5, 7, dtype=">f4")
        f[0, 0, 0], f[2, 4, 6] = -9, 11
        self.field("field.h5", f, chunks=(1, 5, 7), compression="gzip")
        report = self.report("info", "field.h5")
        self.assertEqual((report["values"]["min"], report["values"]["max"]), (-9, 11))
        self.assertAlmostEqual(report["values"]["mean"], float(f.astype("f8").mean()), places=12)
        self.assertIsNone(report["values_problem"])

    def test_what_is_missing(self):
        self.field("field.h5", noise(4, 5, 6), attributes={"centering": "node"})
        done = self.run_well("info", "field.h5")
        for word in ("--spacing", "--boundary", "node"):
            self.assertIn(word, done.stdout)
        report = self.report("info", "field.h5")
        self.assertIsNone(report["spacing"])
        self.assertIsNone(report["boundary"])
        self.assertNotIn("solve", report)

    def test_other_dataset(self):
        self.field("field.h5", noise(4, 5, 6), dataset="/charge")
        self.assertEqual(self.report("info", "field.h5", "--dataset", "/charge")["dataset"], "/charge")


class Devices(ProgramTest):
    def test_report(self):
        report = self.report("devices")
        self.assertGreaterEqual(report["processor"]["threads"], 1)
        engines = {engine["name"]: engine for engine in report["engines"]}
        self.assertEqual(set(engines), {"host", "cufft", "fused"})
        for engine in engines.values():
            self.assertEqual(engine["available"], engine["reason"] is None)
        if not report["gpus"]:
            self.assertTrue(report["gpus_reason"])
            self.assertFalse(engines["fused"]["available"])
        try:
            ctypes.CDLL("libcuda.so.1")
        except OSError:
            wanted = "found no NVIDIA driver (libcuda.so.1)"
            wanted = wanted if report["cuda"] != "built without CUDA" else "no CUDA support"
            for reason in (report["gpus_reason"], engines["fused"]["reason"], engines["cufft"]["reason"]):
                self.assertIn(wanted, reason)
        pairs = [(a["number"], b["number"]) for a in report["gpus"] for b in report["gpus"] if a is not b]
        for options in ([], ["--measure"]):
            links = self.report("devices", *options)["links"]
            self.assertEqual([(link["from"], link["to"]) for link in links], pairs)
        text = self.run_well("devices").stdout
        for name in engines:
            self.assertIn(f"engine {name}", text)


class Bench(ProgramTest):
    def test_rows(self):
        done = self.run_well("bench", "solve", "--points", "12,9x8x10", "--boundary", "neumann", "--boundary",
                             "x=periodic,y=dirichlet:neumann,z=dirichlet", "--repeat", "2", "-v")
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.count("12x12x12"), 2)
        self.assertEqual(done.stdout.count("9x8x10"), 2)
        self.assertEqual(done.stdout.count("GB/s"), 1 + 4 * 5)

    def test_axes_left_out_are_dirichlet(self):
        report = self.report("bench", "solve", "--points", "8", "--boundary", "y=periodic", "--repeat", "1")
        self.assertEqual(report["cases"][0]["problem"]["boundary"],
                         ["dirichlet"] * 2 + ["periodic"] * 2 + ["dirichlet"] * 2)

    def test_robin_faces_have_their_numbers(self):
        report = self.report("bench", "solve", "--points", "8", "--boundary", "x=robin:1:0.5", "--repeat", "1")
        robin = report["cases"][0]["problem"]["robin"]
        self.assertEqual(robin, {"x_lower": [1.0, 0.5], "x_upper": [1.0, 0.5]})

    def test_json(self):
        report = self.report("bench", "solve", "--points", "12", "--boundary", "periodic", "--repeat", "3",
                             "--precision", "single", "--memory", "standard", "--threads", "2")
        for key in ("version", "revision", "device"):
            self.assertTrue(report[key])
        (case,) = report["cases"]
        self.assertEqual(case["problem"]["points"], [12] * 3)
        self.assertEqual(case["problem"]["precision"], "single")
        self.assertEqual(case["memory"], "standard")
        self.assertEqual(case["seconds"]["solve"]["runs"], 3)
        self.assertLessEqual(case["seconds"]["solve"]["min"], case["seconds"]["solve"]["median"])
        self.assertLessEqual(case["seconds"]["solve"]["median"], case["seconds"]["solve"]["max"])
        self.assertGreater(case["copies"], 0)
        self.assertEqual(len(case["passes"]), 5)

    def test_lists(self):
        """A row for every size, centring, boundary and precision; all of them are checked before the first runs."""
        done = self.run_well("bench", "solve", "--points", "6,7x8x9", "--centering", "cell", "--centering",
                             "node,cell,node", "--boundary", "neumann", "--boundary", "all", "--precision",
                             "double,single", "--repeat", "1", "--json", "-")
        cases = done.json["cases"]
        self.assertEqual(len(cases), 2 * 2 * 7 * 2)
        problems = {str(case["problem"]) for case in cases}
        self.assertEqual(len(problems), 2 * 2 * 6 * 2)  # neumann is one of all
        self.assertEqual([case["problem"]["precision"] for case in cases[:2]], ["double", "single"])
        self.refuse(2, ["axis x", "2 points"], "bench", "solve", "--points", "8,2x8x8", "--boundary", "neumann",
                    "--boundary", "dirichlet", "--centering", "node", "--repeat", "1")

    def test_usage(self):
        solve = ("bench", "solve", "--points", "8")
        self.refuse(2, ["--precision", "'half'", "double, single"], *solve, "--precision", "double,half")
        self.refuse(2, ["--precision", "''"], *solve, "--precision", "double,")
        self.refuse(2, ["--boundary", "'every'"], *solve, "--boundary", "every")
        self.refuse(2, ["--centering", "'edge'"], *solve, "--centering", "cell", "--centering", "edge")
        self.refuse(5, ["--device", "99"], *solve, "--device", "99")

    def test_transposes_in_place(self):
        transpose = ("bench", "transpose", "--in-place", "--backend", "host", "--repeat", "1")
        report = self.report(*transpose, "--points", "9,1x8x8,6x7x5", "--permutation", "yzx,xzy", "--element", "4,16",
                             "--algorithm", "all", "--order", "v1,v1b", "--band", "2,3")
        used = {}
        for case in report["cases"]:
            self.assertIs(case["in_place"], True)
            self.assertGreater(case["fraction_of_copy"], 0)
            self.assertLessEqual(case["scratch_bytes"], 64 << 20)
            if case["element_bytes"] == 4:
                shape = "x".join(str(n) for n in case["points"])
                used.setdefault((shape, case["permutation"]), []).append((case["used"], case["order"], case["band"]))
        squares = [("thread-wise", "automatic", 0)] + [
            (name, order, band) for name in ("exchange", "super-grid") for order in ("v1", "v1b") for band in (2, 3)
            if (name, order, band) != ("exchange", "v1", 3)]
        squares[1] = ("exchange", "v1", 0)
        any_box = [("rectangle", "automatic", 0), ("cycles", "automatic", 0)]
        self.assertEqual(used["9x9x9", "xyz-xzy"], squares + any_box + [("exchange", "automatic", 0)])
        self.assertEqual(used["1x8x8", "xyz-xzy"], used["9x9x9", "xyz-xzy"])
        self.assertEqual(used["9x9x9", "xyz-yzx"], [("cube", "automatic", 0)] + any_box + [("cube", "automatic", 0)])
        self.assertEqual(used["6x7x5", "xyz-yzx"], any_box + [("rectangle", "automatic", 0)])
        self.assertEqual(self.run_well(*transpose, "--points", "9", "--element", "8").stdout.count("GB/s"), 1)

    def test_random_transposes_in_place(self):
        random = ("bench", "transpose", "--in-place", "--backend", "host", "--repeat", "1", "--element", "8",
                  "--random", "5", "--sides", "3,40")
        report = self.report(*random, "--seed", "3")
        fractions = sorted(case["fraction_of_copy"] for case in report["cases"])
        (median,) = report["median"]
        self.assertEqual(median["cases"], 5)
        self.assertEqual(median["fraction_of_copy"], fractions[2])
        shapes = [case["points"] for case in report["cases"]]
        self.assertTrue(all(x == 1 and 3 <= y <= 40 and 3 <= z <= 40 for x, y, z in shapes))
        self.assertEqual(shapes, [case["points"] for case in self.report(*random, "--seed", "3")["cases"]])
        self.assertNotEqual(shapes, [case["points"] for case in self.report(*random, "--seed", "4")["cases"]])

    def test_usage_of_transposes(self):
        transpose = ("bench", "transpose", "--backend", "host", "--points", "8", "--repeat", "1")
        self.assertEqual(self.run_well(*transpose, "--element", "8").stdout.count("GB/s"), 1)
        self.refuse(2, ["--random", "--in-place"], *transpose, "--random", "3")
        self.refuse(2, ["--random", "--points"], *transpose, "--random", "3", "--in-place")
        self.refuse(2, ["--sides", "'9,8'"], *transpose, "--in-place", "--sides", "9,8")
        self.refuse(2, ["--element", "found 2"], *transpose, "--in-place", "--element", "8,2")
        self.refuse(2, ["--algorithm", "'cube'"], *transpose, "--algorithm", "cube")
        self.refuse(2, ["--algorithm", "'thin'"], *transpose, "--algorithm", "thin", "--in-place")
        self.refuse(2, ["--order", "'v1bf'"], *transpose, "--order", "v1bf", "--in-place")
        self.refuse(2, ["cube", "does not fit"], *transpose, "--algorithm", "cube", "--in-place", "--permutation",
                    "xzy")

    def test_nothing_is_written(self):
        self.run_well("bench", "solve", "--points", "8", "--repeat", "1", "-q")
        self.assertEqual(self.contents(), {})


if __name__ == "__main__":
    main()
