"""Members on GPUs (--devices): several on one GPU, and on two where there are two. The same answers, files and refusals
as on one GPU. Without a GPU that engine fused can use, everything here is skipped, but for the program whose devices
are host memory (host_devices.cpp): there the environment variable POISSON3D_REFERENCE_ENGINE names another engine to
compare with.
"""

import json
import os
import subprocess
import sys

from program import PROGRAM, SKIPPED, UNIT_BOX, ProgramTest, h5py, main, noise, np

EPS = {"double": 2.0**-52, "single": 2.0**-23}
MIXED = {"spacing": (0.1, 0.2, 0.15), "boundary": ["periodic", "dirichlet", "neumann"],
         "centering": ["cell", "node", "node"]}
DEVICES = json.loads(subprocess.run([PROGRAM, "devices", "--json", "-"], capture_output=True, check=True).stdout)
FUSED = next(engine for engine in DEVICES["engines"] if engine["name"] == "fused")
REFERENCE = os.environ.get("POISSON3D_REFERENCE_ENGINE", "fused")
LISTS = ["0,0,0", "0,1"] if len(DEVICES["gpus"]) > 1 else ["0,0,0"]


class DevicesTest(ProgramTest):
    def compare(self, *options, method="automatic", lists=LISTS):
        """Members against one GPU, which needs no method: its report, and those of members."""
        one = self.report("-i", "field.h5", "-o", "one.h5", "--engine", REFERENCE, *options)
        expected, eps = self.solution("one.h5"), EPS[one["problem"]["precision"]]
        reports = []
        for numbers in lists:
            with self.subTest(devices=numbers, method=method, options=options):
                report = self.report("-i", "field.h5", "-o", "many.h5", "--devices", numbers, "--method", method, *options)
                found = self.solution("many.h5")
                self.assertEqual(found.dtype, expected.dtype)
                np.testing.assert_allclose(found, expected, rtol=0, atol=64 * eps * np.abs(expected).max())
                self.assertAlmostEqual(report["mean_removed"], one["mean_removed"], delta=64 * eps)
                if "--no-verify" not in options:
                    self.assertLess(report["residual"]["backward"], 16 * eps)
                reports.append(report)
        return one, reports

    def bytes_of(self, devices, *options):
        self.run_well("-i", "field.h5", "-o", "u.h5", "--devices", devices, "--method", "transpose", *options)
        return (self.dir / "u.h5").read_bytes()


class Solutions(DevicesTest):
    def test_boundaries(self):
        self.field("field.h5", noise(13, 15, 33))
        for boundary, centering, precision, method in (
                ("periodic", "cell", "double", "transpose"), ("neumann", "node", "single", "eliminate"),
                ("dirichlet:neumann", "cell", "single", "transpose"),
                ("periodic,neumann,dirichlet", "node", "double", "eliminate")):
            self.compare("--boundary", boundary, "--centering", centering, "--precision", precision, method=method)

    def test_the_bytes_do_not_depend_on_the_number_of_members(self):
        """Singular, with boundary values on cut and uncut faces; one GPU named once, thrice, and with another."""
        attributes = {"spacing": (0.1, 0.2, 0.15), "boundary": "neumann"}
        with h5py.File(self.field("field.h5", noise(17, 20, 48) + 0.5, attributes=attributes), "a") as file:
            file["boundary_values/x_lower"] = noise(20, 48, seed=2)
            file["boundary_values/x_upper"] = 0.25
            file["boundary_values/y_upper"] = noise(17, 48, seed=3)
            file["boundary_values/z_lower"] = noise(17, 20, seed=4)
        for options in (["--gradient"], ["--precision", "single"], ["--gauge", "9,2,3"],
                        ["--boundary", "periodic", "--discretization", "spectral", "--gradient"]):
            if "spectral" in options:
                self.field("field.h5", noise(17, 20, 48), attributes=attributes)
            expected = self.bytes_of("1", *options)
            for numbers in LISTS:
                with self.subTest(devices=numbers, options=options):
                    self.assertEqual(self.bytes_of(numbers, *options), expected)

    def test_boundary_values_and_gradient(self):
        with h5py.File(self.field("field.h5", noise(13, 12, 33), attributes=MIXED), "a") as file:
            file["boundary_values/x_lower"] = noise(12, 33, seed=5)
            file["boundary_values/x_upper"] = noise(12, 33, seed=6)
            file["boundary_values/y_lower"] = noise(13, 33, seed=2)
            file["boundary_values/y_upper"] = noise(13, 33, seed=3)
            file["boundary_values/z_upper"] = noise(13, 12, seed=4)
        for boundary in ("x=dirichlet", "x=neumann:dirichlet"):
            self.compare("--boundary", boundary, "--gradient", "--vtk", "u.vtkhdf")
            for label in "xyz":
                expected = self.solution("one.h5", f"/gradient/{label}")
                np.testing.assert_allclose(self.solution("many.h5", f"/gradient/{label}"), expected, rtol=0,
                                           atol=128 * EPS["double"] * np.abs(self.solution("one.h5")).max() / 0.1)
            found = self.solution("u.vtkhdf", "/VTKHDF/PointData/solution")
            np.testing.assert_array_equal(found, self.solution("many.h5").transpose())

    def test_many_slabs(self):
        """Several of each member, which end where its planes do; read and written, and planes fetched to verify."""
        self.field("field.h5", noise(250, 180, 160), attributes=MIXED)
        self.compare()
        self.run_well("make", "waves", "--points", "160,180,200", "-o", "field.h5")
        for precision in ("double", "single"):
            _, reports = self.compare("--discretization", "spectral", "--precision", precision, "--exact", "/exact")
            for report in reports:
                self.assertLess(report["error"]["max"], 64 * EPS[precision])

    def test_scale_gauge_and_helmholtz(self):
        self.field("field.h5", noise(9, 10, 11) + 0.25, attributes={**UNIT_BOX, "boundary": "neumann"})
        self.compare("--scale", "-12.5")
        self.compare("--gauge", "7,2,3")
        self.assertEqual(self.solution("many.h5")[7, 2, 3], 0)
        self.compare("--helmholtz", "2.5", "--centering", "node")
        self.compare("--helmholtz", "-2.5", "--boundary", "periodic")  # which cannot be eliminated

    def test_few_planes(self):
        """Some members have none."""
        for planes, method in ((1, "eliminate"), (2, "transpose"), (2, "eliminate")):
            self.field("field.h5", noise(planes, 9, 33))
            self.compare(method=method, lists=["0,0,0"])

    def test_steps_that_differ_along_the_cut_axis(self):
        self.run_well("make", "quadratic", "--boundary", "x=robin:2:0.5:neumann,y=periodic,z=dirichlet", "--centering",
                      "node", "--stretch", "x=tanh:1.5", "--points", "24,16,20", "-o", "field.h5", "-q")
        _, reports = self.compare("--exact", "/exact")
        for report in reports:
            self.assertLess(report["error"]["max"], 1e-12)

    def test_right_hand_sides_one_after_the_other(self):
        self.field("field.h5", noise(3, 11, 9, 33), attributes=UNIT_BOX)
        one, reports = self.compare("--step", "all", "--precision", "single", "--discretization", "spectral",
                                    method="transpose")
        for report in reports:
            self.assertEqual(len(report["steps"]), len(one["steps"]))

    def test_a_free_face(self):
        self.field("field.h5", noise(12, 10, 8))
        options = ("--boundary", "x=free,y=periodic,z=periodic")
        self.compare(*options, "--no-verify")
        self.refuse(2, ["free faces", "--no-verify"], "-i", "field.h5", "--devices", "0,0", *options)


class Reports(DevicesTest):
    def test_keys(self):
        self.field("field.h5", noise(19, 20, 21))
        one, reports = self.compare()
        for numbers, report in zip(LISTS, reports):
            self.assertEqual(set(report) - set(one), {"members"})
            self.assertEqual((report["engine"], report["device"]), ("fused", DEVICES["gpus"][0]["name"]))
            members = report["members"]
            self.assertEqual(members["devices"], [int(number) for number in numbers.split(",")])
            self.assertEqual((members["count"], members["method"]), (len(members["devices"]), "eliminate"))
            self.assertEqual(members["decomposition"], [members["count"], 1])
            for value in (*report["seconds"].values(), report["copies"], report["bytes"]["workspace"], members["bytes"]):
                self.assertGreater(value, 0)
        table = self.run_well("-i", "field.h5", "--devices", "0,0,0").stdout
        self.assertIn("3, on GPUs 0, 0, 0, by elimination", table)
        self.assertIn(DEVICES["gpus"][0]["name"], table)
        self.assertEqual(self.report("-i", "field.h5", "--devices", "1")["members"]["devices"], [0])

    def test_links(self):
        links = self.report("devices", "--measure")["links"]
        count = len(DEVICES["gpus"])
        self.assertEqual(len(links), count * (count - 1))
        for link in links:
            self.assertNotEqual(link["from"], link["to"])
            self.assertEqual(link["direct"], link["to"] in DEVICES["gpus"][link["from"]]["peers"])
            self.assertGreater(link["gigabytes_per_second"], 0)
        self.assertEqual([link["gigabytes_per_second"] for link in DEVICES["links"]], [None] * len(links))

    def test_bench(self):
        for numbers in LISTS:
            for method in ("eliminate", "transpose"):
                report = self.report("bench", "solve", "--points", "16x17x40", "--precision", "double,single", "--repeat",
                                     "2", "--batch", "2", "--devices", numbers, "--method", method)
                for case in report["cases"]:
                    self.assertEqual((case["engine"], case["members"]["method"], case["batch"]), ("fused", method, 2))
                    self.assertEqual(case["bytes"]["field"], 2 * 16 * 17 * 40 * (
                        8 if case["problem"]["precision"] == "double" else 4))
                    for value in (case["copies"], case["copy_gigabytes_per_second"], case["seconds"]["solve"]["min"]):
                        self.assertGreater(value, 0)


class Refusals(DevicesTest):
    """Exit codes, and that nothing is left behind."""

    def refuse_members(self, status, words, *options, devices="0,0"):
        self.refuse(status, words, "-i", "field.h5", "--devices", devices, *options)

    def test_options(self):
        self.field("field.h5", noise(12, 13, 14) + 0.5)
        for option in (["--engine", "host"], ["--engine", "cufft"], ["--middle", "eliminate"], ["--memory", "low"],
                       ["--precision", "mixed"]):
            self.refuse_members(2, ["members on GPUs", " ".join(option)], *option)
        self.refuse_members(2, ["--memory disk"], "--memory", "disk")
        self.refuse_members(2, ["pencils"], "--decomposition", "1x2")
        self.refuse_members(2, ["17 members", "16"], devices=",".join(["0"] * 17))
        self.refuse_members(2, ["axis y", "free face"], "--boundary", "y=free", "--no-verify")
        self.refuse_members(2, ["axis y", "Robin"], "--boundary", "y=robin:1:1")
        self.refuse_members(2, ["eliminated"], "--method", "eliminate", "--discretization", "spectral")
        self.refuse_members(4, ["mean", "--strict"], "--boundary", "neumann", "--strict")
        self.refuse_members(5, ["--devices", "counted from 0"], devices="0,99")
        self.refuse_members(6, ["nowhere/u.h5"], "-o", "nowhere/u.h5")

    def test_bad_number_in_a_late_slab(self):
        """Of the last member, found while the slab before it is on its way."""
        values = noise(250, 180, 160)
        values[249, 7, 9] = np.nan
        self.field("field.h5", values)
        self.refuse_members(3, ["249", "nan"])

    def test_more_than_devices_have(self):
        with h5py.File(self.dir / "field.h5", "w") as file:
            rhs = file.create_dataset("rhs", (16_000,) * 3, "f8", chunks=(64,) * 3)
            rhs.attrs.update(UNIT_BOX)
        for numbers in LISTS:
            self.refuse_members(5, ["out of device memory", "GPU 0 wants", "TiB", "free"], "--allow-fill", devices=numbers)
        self.run_well("bench", "solve", "--points", "16000", "--devices", "0,0", "-q", status=5)


if __name__ == "__main__":
    if REFERENCE == "fused" and not FUSED["available"]:
        print(f"skipped: engine fused: {FUSED['reason']}")
        sys.exit(SKIPPED)
    main()
