"""Members on GPUs (--devices): several on one GPU, and on two where there are two. The same answers, files and refusals
as of one solver. Without a GPU that engine fused can use, everything here is skipped, but for the program whose devices
are host memory (host_devices.cpp), where POISSON3D_HOST_DEVICES is set.

Every start of the program with GPUs costs seconds, most of them for its CUDA contexts. So solutions are compared with
those of the host, a run has several subjects, and what is refused before there are devices is tested where they are host
memory.
"""

import json
import os
import subprocess
import sys
import unittest

from program import PROGRAM, SKIPPED, UNIT_BOX, ProgramTest, h5py, main, noise, np

EPS = {"double": 2.0**-52, "single": 2.0**-23}
MIXED = {"spacing": (0.1, 0.2, 0.15), "boundary": ["periodic", "dirichlet", "neumann"],
         "centering": ["cell", "node", "node"]}
DEVICES = json.loads(subprocess.run([PROGRAM, "devices", "--json", "-"], capture_output=True, check=True).stdout)
FUSED = next(engine for engine in DEVICES["engines"] if engine["name"] == "fused")
ON_HOST = "POISSON3D_HOST_DEVICES" in os.environ
LIST = "0,1,0" if len(DEVICES["gpus"]) > 1 else "0,0,0"


class DevicesTest(ProgramTest):
    def compare(self, *options, method="automatic", shared=()):
        """Members against one solver on the host, which needs no method: both reports. `shared`: options of members."""
        one = self.report("-i", "field.h5", "-o", "one.h5", "--engine", "host", *options)
        expected, eps = self.solution("one.h5"), EPS[one["problem"]["precision"]]
        with self.subTest(devices=LIST, method=method, options=options):
            report = self.report("-i", "field.h5", "-o", "many.h5", "--devices", LIST, "--method", method, *options,
                                 *shared)
            found = self.solution("many.h5")
            self.assertEqual(found.dtype, expected.dtype)
            np.testing.assert_allclose(found, expected, rtol=0, atol=64 * eps * np.abs(expected).max())
            self.assertAlmostEqual(report["mean_removed"], one["mean_removed"], delta=64 * eps)
            if "--no-verify" not in options:
                self.assertLess(report["residual"]["backward"], 16 * eps)
            return one, report

    def bytes_of(self, devices, *options):
        self.run_well("-i", "field.h5", "-o", "u.h5", "--devices", devices, "--method", "transpose", *options)
        return (self.dir / "u.h5").read_bytes()


class Solutions(DevicesTest):
    def test_boundaries_scale_gauge_and_helmholtz(self):
        self.field("field.h5", noise(13, 15, 33) + 0.25, attributes=UNIT_BOX)
        for boundary, centering, precision, method, more in (
                ("periodic", "cell", "double", "automatic", ["--helmholtz", "-2.5"]),  # which cannot be eliminated
                ("neumann", "node", "single", "eliminate", ["--gauge", "7,2,3"]),
                ("dirichlet:neumann", "cell", "single", "transpose", ["--scale", "-12.5"]),
                ("periodic,neumann,dirichlet", "node", "double", "eliminate", ["--helmholtz", "2.5"])):
            _, report = self.compare("--boundary", boundary, "--centering", centering, "--precision", precision, *more,
                                     method=method)
            self.assertEqual(report["members"]["method"], "transpose" if method == "automatic" else method)
            if "--gauge" in more:
                self.assertEqual(self.solution("many.h5")[7, 2, 3], 0)

    def test_the_bytes_do_not_depend_on_the_number_of_members(self):
        """Singular, with boundary values on cut and uncut faces; one GPU, and several members."""
        attributes = {"spacing": (0.1, 0.2, 0.15), "boundary": "neumann"}
        with h5py.File(self.field("field.h5", noise(17, 20, 48) + 0.5, attributes=attributes), "a") as file:
            file["boundary_values/x_lower"] = noise(20, 48, seed=2)
            file["boundary_values/x_upper"] = 0.25
            file["boundary_values/y_upper"] = noise(17, 48, seed=3)
            file["boundary_values/z_lower"] = noise(17, 20, seed=4)
        for options in (["--gradient", "--gauge", "9,2,3"], ["--precision", "single"],
                        ["--boundary", "periodic", "--discretization", "spectral", "--gradient"]):
            if "spectral" in options:
                self.field("field.h5", noise(17, 20, 48), attributes=attributes)
            with self.subTest(devices=LIST, options=options):
                self.assertEqual(self.bytes_of(LIST, *options), self.bytes_of("1", *options))

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
            _, report = self.compare("--discretization", "spectral", "--precision", precision, "--exact", "/exact")
            self.assertLess(report["error"]["max"], 64 * EPS[precision])

    def test_pencils(self):
        """In several slabs of planes, of which each member has some rows; some have none."""
        with h5py.File(self.field("field.h5", noise(70, 180, 162), attributes=MIXED), "a") as file:
            file["boundary_values/y_lower"] = noise(70, 162, seed=6)
            file["boundary_values/z_upper"] = noise(70, 180, seed=4)
        for method in ("eliminate", "transpose"):
            _, report = self.compare("--gradient", method=method, shared=("--decomposition", "1x3"))
            self.assertEqual(report["members"]["decomposition"], [1, 3])
        self.field("field.h5", noise(9, 2, 33))
        self.compare(shared=("--decomposition", "1x3"))

    def test_few_planes(self):
        """Some members have none."""
        for planes, method in ((1, "eliminate"), (2, "transpose")):
            self.field("field.h5", noise(planes, 9, 33))
            self.compare(method=method)

    def test_steps_that_differ_along_the_cut_axis(self):
        self.run_well("make", "quadratic", "--boundary", "x=robin:2:0.5:neumann,y=periodic,z=dirichlet", "--centering",
                      "node", "--stretch", "x=tanh:1.5", "--points", "24,16,20", "-o", "field.h5", "-q")
        _, report = self.compare("--exact", "/exact")
        self.assertLess(report["error"]["max"], 1e-12)

    def test_right_hand_sides_one_after_the_other(self):
        self.field("field.h5", noise(3, 11, 9, 33), attributes=UNIT_BOX)
        one, report = self.compare("--step", "all", "--precision", "single", "--discretization", "spectral",
                                   method="transpose")
        self.assertEqual(len(report["steps"]), len(one["steps"]))

    def test_a_free_face(self):
        self.field("field.h5", noise(12, 10, 8))
        for boundary in ("x=free,y=periodic,z=periodic", "x=periodic,y=neumann,z=free"):
            _, report = self.compare("--boundary", boundary, "--gradient")
            self.assertLess(report["freeness"], 64 * EPS["double"])
            for label in "xyz":
                expected = self.solution("one.h5", f"/gradient/{label}")
                np.testing.assert_allclose(self.solution("many.h5", f"/gradient/{label}"), expected, rtol=0,
                                           atol=64 * EPS["double"] * np.abs(self.solution("one.h5")).max())

    def test_gauges_beside_free_faces(self):
        self.field("field.h5", noise(12, 10, 8), attributes={"spacing": (0.1, 0.2, 0.15)})
        for boundary, gauge, more in (("x=free,y=neumann,z=neumann", "5,4,3", []),
                                      ("x=neumann,y=free,z=free", "mean", []),
                                      ("x=neumann,y=free,z=free", "5,4,3", ["--discretization", "spectral"])):
            self.compare("--boundary", boundary, "--gauge", gauge, *more, *(["--no-verify"] if more else []))
            if gauge != "mean":
                self.assertEqual(self.solution("many.h5")[5, 4, 3], 0)

    def test_padded_axes(self):
        self.field("field.h5", noise(13, 12, 33), attributes={"spacing": (0.1, 0.2, 0.15)})
        for boundary in ("free", "x=periodic,y=free,z=dirichlet", "x=neumann:free,y=dirichlet,z=free"):
            self.compare("--boundary", boundary, "--discretization", "spectral", "--no-verify")


class Reports(DevicesTest):
    def test_keys(self):
        self.field("field.h5", noise(19, 20, 21))
        one = self.report("-i", "field.h5", "--engine", "fused")
        table = self.run_well("-i", "field.h5", "--devices", LIST, "--json", "report.json").stdout
        report = json.loads((self.dir / "report.json").read_text())
        self.assertEqual(set(report) - set(one), {"members"})
        self.assertEqual((report["engine"], report["device"]), ("fused", one["device"]))
        members = report["members"]
        self.assertEqual(members["devices"], [int(number) for number in LIST.split(",")])
        self.assertEqual((members["count"], members["method"]), (len(members["devices"]), "eliminate"))
        self.assertEqual(members["decomposition"], [members["count"], 1])
        for value in (*report["seconds"].values(), report["copies"], report["bytes"]["workspace"], members["bytes"]):
            self.assertGreater(value, 0)
        self.assertIn(f"3, on GPUs {LIST.replace(',', ', ')}, by elimination", table)
        self.assertIn(one["device"], table)

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
        for method in ("eliminate", "transpose"):
            report = self.report("bench", "solve", "--points", "16x17x40", "--precision", "double,single", "--repeat", "2",
                                 "--batch", "2", "--devices", LIST, "--method", method)
            for case in report["cases"]:
                self.assertEqual((case["engine"], case["members"]["method"], case["batch"]), ("fused", method, 2))
                self.assertEqual(case["bytes"]["field"], 2 * 16 * 17 * 40 * (
                    8 if case["problem"]["precision"] == "double" else 4))
                for value in (case["copies"], case["copy_gigabytes_per_second"], case["seconds"]["solve"]["min"]):
                    self.assertGreater(value, 0)


class Refused(DevicesTest):
    """Exit codes, and that nothing is left behind."""

    def refuse_members(self, status, words, *options, devices="0,0"):
        self.refuse(status, words, "-i", "field.h5", "--devices", devices, *options)


class Choices(Refused):
    """What is refused the same with devices of any kind."""

    @unittest.skipUnless(ON_HOST, "tested where devices are host memory")
    def test_options(self):
        self.field("field.h5", noise(12, 13, 14) + 0.5)
        for option in (["--engine", "host"], ["--engine", "cufft"], ["--middle", "eliminate"], ["--memory", "low"],
                       ["--precision", "mixed"]):
            self.refuse_members(2, ["members on GPUs", " ".join(option)], *option)
        self.refuse_members(2, ["--memory disk"], "--memory", "disk")
        self.refuse_members(2, ["--max-memory"], "--max-memory", "1G")
        self.refuse_members(2, ["--device", "give only one of them"], "--device", "0")
        self.refuse_members(2, ["eliminated"], "--method", "eliminate", "--discretization", "spectral")
        self.refuse_members(4, ["mean", "--strict"], "--boundary", "neumann", "--strict")
        self.refuse_members(5, ["--devices", "counted from 0"], devices="0,99")
        self.refuse_members(6, ["nowhere/u.h5"], "-o", "nowhere/u.h5")


class Refusals(Refused):
    """What GPUs refuse, or what comes to light while they work."""

    def test_what_members_on_gpus_have_not(self):
        self.field("field.h5", noise(12, 13, 14) + 0.5)
        self.refuse_members(2, ["17 members", "16"], devices=",".join(["0"] * 17))
        self.refuse_members(2, ["axis y", "Robin"], "--boundary", "y=robin:1:1")

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
        self.refuse_members(5, ["out of device memory", "for its planes alone GPU 0 needs", "TiB", "free"], "--allow-fill", devices=LIST)
        self.run_well("bench", "solve", "--points", "16000", "--devices", "0,0", "-q", status=5)


if __name__ == "__main__":
    if not ON_HOST and not FUSED["available"]:
        print(f"skipped: engine fused: {FUSED['reason']}")
        sys.exit(SKIPPED)
    main()
