"""Formats of inputs and outputs: the same numbers give the same solution from each, and come back from each."""

import io
import subprocess
import warnings

from program import PROGRAM, ProgramTest, h5py, main, noise, np

BOX = ("--spacing", "0.1,0.2,0.3", "--boundary", "dirichlet")
SHAPES = ((5, 7, 3), (1, 1, 1), (1, 2, 13), (3, 1, 1))


class Formats(ProgramTest):
    def expected(self, values):
        self.field("plain.h5", values, attributes={"spacing": (0.1, 0.2, 0.3), "boundary": "dirichlet"})
        self.run_well("-i", "plain.h5", "-q")
        return self.solution("plain.solution.h5")

    def solved(self, name, *options):
        self.run_well("-i", name, *BOX, "-o", "out.npy", *options)
        return np.load(self.dir / "out.npy")

    def test_arrays_of_numpy(self):
        for shape in SHAPES:
            f = noise(*shape)
            u = self.expected(f)
            for stored in (f, np.asfortranarray(f), f.astype(">f8"), np.asfortranarray(f.astype(">f8"))):
                np.save(self.dir / "f.npy", stored)
                np.testing.assert_array_equal(self.solved("f.npy"), u)
            for save in (np.savez, np.savez_compressed):
                save(self.dir / "f.npz", rhs=f, exact=np.asfortranarray(u), other=np.arange(3))
                np.testing.assert_array_equal(self.solved("f.npz", "--exact", "/exact"), u)
                np.testing.assert_array_equal(self.solved("f.npz", "--dataset", "rhs"), u)
        np.savez(self.dir / "one.npz", density=f)
        np.testing.assert_array_equal(self.solved("one.npz"), u)
        self.assertEqual(self.report("info", "one.npz")["dataset"], "/density")

    def test_large_fortran_array(self):
        f = noise(130, 90, 210, dtype="f4")
        u = self.expected(f)
        np.save(self.dir / "f.npy", np.asfortranarray(f))
        np.testing.assert_array_equal(self.solved("f.npy"), u)

    def test_converted_numbers(self):
        f = np.random.default_rng(1).integers(0, 100, (4, 3, 5))
        for dtype in ("i1", "<i2", ">i4", "i8", "u1", ">u8", "<f2", ">f2"):
            u = self.expected(f.astype("f4" if "f" in dtype else "f8"))
            np.save(self.dir / "f.npy", f.astype(dtype))
            self.field("f.h5", f.astype(dtype))
            for name in ("f.npy", "f.h5"):
                report = self.report("-i", name, *BOX, "-o", "out.npy")
                self.assertIn("was converted to", report["notes"][0])
                np.testing.assert_array_equal(np.load(self.dir / "out.npy"), u)

    def test_numbers_at_the_ends_of_their_types(self):
        """Where a sign that is not there, or one that is lost, would change them."""
        for dtype in ("<i1", "<u1", ">i2", ">u2", "<i4", ">u4", "<i8", ">u8"):
            limits = np.iinfo(dtype)
            f = np.resize(np.array([limits.min, limits.max, 1, limits.max // 2 + 1], dtype), (3, 5, 7))
            u = self.expected(f.astype("f8"))
            np.save(self.dir / "f.npy", f)
            np.testing.assert_array_equal(self.solved("f.npy"), u)

    def test_versions_of_npy(self):
        f = noise(3, 5, 7)
        u = self.expected(f)
        for version in ((1, 0), (2, 0), (3, 0)):
            with open(self.dir / "f.npy", "wb") as file, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                np.lib.format.write_array(file, f, version)
            np.testing.assert_array_equal(self.solved("f.npy"), u)

    def cube(self, name="f.cube", sign=1, atoms="2", more=""):
        values = noise(3, 4, 5)
        text = f"title\nmore\n{atoms} 0.1 0.2 0.3\n"
        text += f"{sign * 3} 0.5 0 0\n{sign * 4} 0 0.25 0\n{sign * 5} 0 0 1\n8 0 1 1 1\n1 0 2 2 2\n{more}"
        (self.dir / name).write_text(text + "\n".join(f"{x:.17e}".replace("e", "D") for x in values.ravel()))
        return values

    def test_cube(self):
        for sign, unit, more, atoms in ((1, "bohr", "", "2"), (-1, "angstrom", "1 7\n", "-2")):
            values = self.cube(sign=sign, more=more, atoms=atoms)
            report = self.report("-i", "f.cube", "--boundary", "dirichlet", "-o", "u.h5")
            self.assertEqual(report["units"], {"length": unit})
            self.assertEqual(report["problem"]["spacing"], [0.5, 0.25, 1])
            np.testing.assert_allclose(report["problem"]["origin"], [-0.15, 0.075, -0.2], atol=1e-15)
            self.field("plain.h5", values, attributes={"spacing": (0.5, 0.25, 1.0), "boundary": "dirichlet"})
            self.run_well("-i", "plain.h5", "-q")
            u = self.solution("u.h5")
            np.testing.assert_array_equal(u, self.solution("plain.solution.h5"))
            with h5py.File(self.dir / "u.h5") as file:
                np.testing.assert_allclose(file["solution"].dims[1][0][...], 0.2 + 0.25 * np.arange(4))
            self.run_well("-i", "f.cube", "--boundary", "dirichlet", "-o", "u.cube")
            lines = (self.dir / "u.cube").read_text().splitlines()
            head = [[float(word) for word in line.split()] for line in lines[2:8]]
            self.assertEqual(head[0], [2, 0.1, 0.2, 0.3])
            self.assertEqual(head[1][0], sign * 3)
            self.assertEqual(head[4:], [[8, 0, 1, 1, 1], [1, 0, 2, 2, 2]])
            numbers = np.array([float(word) for line in lines[8:] for word in line.split()])
            np.testing.assert_allclose(numbers.reshape(u.shape), u, rtol=1e-5)
            again = self.report("info", "u.cube")
            self.assertEqual((again["points"], again["spacing"]), ([3, 4, 5], [0.5, 0.25, 1]))
            self.assertEqual(again["first_point"], [0.1, 0.2, 0.3])
            np.testing.assert_allclose(again["origin"], [-0.15, 0.075, -0.2], atol=1e-15)
            self.assertRegex(self.run_well("info", "u.cube").stdout, "first point +0.1, 0.2, 0.3\n")

    def test_cube_whose_first_vector_is_not_x(self):
        """Vectors along z, x and y: names, spacing and first point go with them, in and out."""
        values = noise(3, 4, 5)
        (self.dir / "f.cube").write_text(
            "title\nmore\n1 0.1 0.2 0.3\n3 0 0 0.5\n4 0.25 0 0\n5 0 1 0\n8 0 1 2 3\n"
            + "\n".join(f"{x:.17e}" for x in values.ravel()))
        boundary = ("--boundary", "z=dirichlet,x=neumann,y=periodic")
        report = self.report("-i", "f.cube", *boundary, "-o", "u.h5")
        problem = report["problem"]
        self.assertEqual((problem["axis_labels"], problem["spacing"]), (["z", "x", "y"], [0.5, 0.25, 1]))
        np.testing.assert_allclose(problem["origin"], [0.3 - 0.25, 0.1 - 0.125, 0.2 - 0.5], atol=1e-15)
        self.field("plain.h5", values, attributes={"spacing": (0.5, 0.25, 1.0),
                                                   "boundary": ["dirichlet", "neumann", "periodic"]})
        self.run_well("-i", "plain.h5", "-q")
        np.testing.assert_array_equal(self.solution("u.h5"), self.solution("plain.solution.h5"))
        self.run_well("-i", "f.cube", *boundary, "-o", "u.cube")
        lines = (self.dir / "u.cube").read_text().splitlines()
        self.assertEqual([[float(word) for word in line.split()] for line in lines[2:7]],
                         [[1, 0.1, 0.2, 0.3], [3, 0, 0, 0.5], [4, 0.25, 0, 0], [5, 0, 1, 0], [8, 0, 1, 2, 3]])

    def test_numbers_as_fortran_writes_them(self):
        """Exponents of three digits leave no room for the letter."""
        (self.dir / "f.cube").write_text("t\nt\n0 0 0 0\n1 1 0 0\n1 0 1 0\n4 0 0 1\n 1.5-103 -2.5D-3 +1.0d+00 2.5+001\n")
        values = self.report("info", "f.cube")["values"]
        self.assertEqual((values["min"], values["max"]), (-2.5e-3, 25))
        self.assertAlmostEqual(values["mean"], (1 + 25 - 2.5e-3) / 4, places=14)

    def test_openpmd(self):
        f = noise(3, 4, 5)
        for order, centering in (("C", ["cell"] * 3), ("F", ["node", "node", "cell"]), ("C", ["node", "cell", "cell"])):
            along = (lambda values: values) if order == "C" else (lambda values: values[::-1])
            box = {"spacing": (1, 2, 3), "boundary": "neumann", "centering": centering}
            self.field("plain.h5", 4 * f, attributes=box)
            self.run_well("-i", "plain.h5", "-q")
            with h5py.File(self.dir / "mesh.h5", "w") as file:
                made = file.create_dataset("data/0/meshes/E/x", data=f)
                made.attrs.update({"unitSI": 4.0, "position": along([0.5 if word == "cell" else 0.0 for word in centering])})
                file["data/0/meshes/E"].attrs.update({
                    "gridSpacing": along([2.0, 4.0, 6.0]), "gridUnitSI": 0.5, "gridGlobalOffset": along([1.0, 0, 0]),
                    "axisLabels": along(["z", "y", "x"]), "dataOrder": order, "geometry": "cartesian"})
            options = ("-i", "mesh.h5", "--dataset", "/data/0/meshes/E/x", "-o", "u.h5")
            self.refuse(3, ["openPMD", "boundary"], *options)
            report = self.report(*options, "--boundary", "neumann")
            np.testing.assert_array_equal(self.solution("u.h5"), self.solution("plain.solution.h5"))
            problem = report["problem"]
            self.assertEqual((problem["spacing"], problem["origin"]), ([1, 2, 3], [0.5, 0, 0]))
            self.assertEqual((problem["axis_labels"], problem["centering"]), (["z", "y", "x"], centering))
            self.assertEqual((report["units"]["length"], len(report["notes"])), ("m", 1))

    def test_streams(self):
        f = noise(4, 5, 6)
        u = self.expected(f)
        stream = io.BytesIO()
        np.save(stream, f)
        done = subprocess.run([PROGRAM, "-i", "-", *BOX, "-o", "-"], input=stream.getvalue(), capture_output=True,
                              cwd=self.dir, timeout=60, check=True)
        np.testing.assert_array_equal(np.load(io.BytesIO(done.stdout)), u)
        np.save(self.dir / "f.npy", f)
        self.refuse(2, ["--output"], "-i", "-")
        done = self.run_well("-i", "f.npy", *BOX, "-o", "-", "--json", "-", status=2)
        self.assertIn("standard output", done.json["message"])

    def test_refused(self):
        np.save(self.dir / "f.npy", noise(4, 5, 6))
        self.refuse(3, ["npy", "boundary", "--boundary"], "-i", "f.npy", "--spacing", "1")
        self.refuse(3, ["npy", "spacing", "--spacing"], "-i", "f.npy", "--boundary", "periodic")
        self.refuse(2, [".foo", ".npy", ".cube", ".h5"], "-i", "f.npy", *BOX, "-o", "u.foo")
        self.refuse(2, ["one field"], "-i", "f.npy", *BOX, "-o", "u.npy", "--gradient")
        self.refuse(2, ["compression"], "-i", "f.npy", *BOX, "-o", "u.npy", "--compress", "1")
        self.refuse(3, ["no data set"], "-i", "f.npy", *BOX, "--dataset", "/other")
        whole = (self.dir / "f.npy").read_bytes()
        for count in (0, 5, 40, len(whole) - 1):
            (self.dir / "cut.npy").write_bytes(whole[:count])
            self.refuse(3, ["cut.npy", "cut off"], "-i", "cut.npy", *BOX)
        for values, word in ((noise(4, 5), "2-D"), (noise(2, 2, 2) * 1j, "complex"), (np.zeros((0, 2, 2)), "one point")):
            np.save(self.dir / "f.npy", values)
            self.refuse(3, ["f.npy", word], "-i", "f.npy", *BOX)
        holed = noise(3, 4, 5)
        holed[1, 2, 3] = np.nan
        np.save(self.dir / "f.npy", np.asfortranarray(holed))
        self.refuse(3, ["nan", "[1, 2, 3]"], "-i", "f.npy", *BOX)
        np.savez_compressed(self.dir / "f.npz", a=noise(4, 4, 4), b=noise(4, 4, 4))
        self.refuse(3, ["f.npz", "it has a, b"], "-i", "f.npz", *BOX)
        damaged = bytearray((self.dir / "f.npz").read_bytes())
        damaged[200] ^= 4
        (self.dir / "f.npz").write_bytes(damaged)
        self.refuse(3, ["damaged"], "-i", "f.npz", *BOX, "--dataset", "a")
        self.cube()
        whole = (self.dir / "f.cube").read_text()
        for text, word in ((whole[:-40], "cut off"), (whole + " 1", "more than"), (whole.replace("0.5 0 0", "0.5 0.1 0"), "along"),
                           (whole.replace("D", "x", 1), "wanted a number")):
            (self.dir / "f.cube").write_text(text)
            self.refuse(3, ["f.cube", word], "-i", "f.cube", "--boundary", "periodic")

    def test_one_name_for_two_data_sets(self):
        with h5py.File(self.field("f.h5", noise(4, 5, 6)), "a") as file:
            file["other"] = noise(4, 5, 6, seed=2)
        self.run_well("-i", "f.h5", "-q")
        self.run_well("-i", "f.h5", "-q")
        self.refuse(2, ["f.solution.h5", "rhs", "other", "--output"], "-i", "f.h5", *BOX, "--dataset", "other")
        self.run_well("-i", "f.h5", *BOX, "--dataset", "other", "-o", "f.solution.h5")

    def test_scales_and_units(self):
        box = {"spacing": (0.1, 0.2, 0.3), "boundary": "dirichlet", "centering": ["cell", "node", "cell"]}
        self.field("f.h5", noise(3, 4, 5), attributes={**box, "units": "V/m^2", "length_units": "m"})
        report = self.report("-i", "f.h5", "--gradient")
        self.assertEqual(report["units"], {"length": "m", "rhs": "V/m^2", "solution": "(V/m^2) m^2"})
        with h5py.File(self.dir / "f.solution.h5") as file:
            for name in ("solution", "gradient/x"):
                scales = [dimension[0] for dimension in file[name].dims]
                self.assertEqual([scale.name for scale in scales], ["/x", "/y", "/z"])
            for scale, points in zip(scales, (0.1 * np.arange(0.5, 3), 0.2 * np.arange(4), 0.3 * np.arange(0.5, 5))):
                np.testing.assert_allclose(scale[...], points)
                self.assertEqual(scale.attrs["units"], "m")
            self.assertEqual({file["gradient"][axis].attrs["units"] for axis in "xyz"}, {"((V/m^2) m^2)/m"})
        self.assertNotIn("solution", self.report("-i", "f.h5", "--scale", "2")["units"])

    def test_compressed(self):
        for shape in SHAPES + ((33, 70, 90),):
            np.save(self.dir / "f.npy", noise(*shape))
            self.run_well("-i", "f.npy", *BOX, "-o", "plain.h5")
            self.run_well("-i", "f.npy", *BOX, "-o", "packed.h5", "--compress", "4", "--vtk", "u.vtkhdf")
            with h5py.File(self.dir / "packed.h5") as file:
                self.assertEqual((file["solution"].compression, file["solution"].shuffle), ("gzip", True))
            np.testing.assert_array_equal(self.solution("packed.h5"), self.solution("plain.h5"))


if __name__ == "__main__":
    main()
