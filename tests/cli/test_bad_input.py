"""Files that cannot be solved: exit code 3, and a sentence that names what was found and what is wanted."""

import os
import unittest

from program import UNIT_BOX, ProgramTest, h5py, main, noise, np


class BadFile(ProgramTest):
    def refuse_file(self, name, words, *options):
        self.refuse(3, [name, *words], "--input", name, *options)

    def test_missing_file(self):
        self.refuse_file("missing.h5", ["no such file"])

    def test_directory(self):
        (self.dir / "folder.h5").mkdir()
        self.refuse_file("folder.h5", ["directory"])

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable(self):
        self.field("secret.h5", noise(4, 4, 4)).chmod(0)
        self.refuse_file("secret.h5", ["ermission"])

    def test_not_hdf5(self):
        (self.dir / "text.h5").write_text("x y z\n1 2 3\n" * 100)
        self.refuse_file("text.h5", ["HDF5"])

    def test_empty_file(self):
        (self.dir / "empty.h5").write_bytes(b"")
        self.refuse_file("empty.h5", ["HDF5"])

    def test_truncated_file(self):
        whole = self.field("whole.h5", noise(16, 16, 16)).read_bytes()
        for part in (0.05, 0.5, 0.95):
            with self.subTest(part=part):
                (self.dir / "cut.h5").write_bytes(whole[: int(len(whole) * part)])
                self.refuse_file("cut.h5", ["truncated"])

    def test_damaged_chunk(self):
        path = self.field("field.h5", noise(16, 16, 16), chunks=(4, 16, 16), compression="gzip", fletcher32=True)
        with h5py.File(path) as file:
            chunk = file["rhs"].id.get_chunk_info(2)
        data = bytearray(path.read_bytes())
        for i in range(chunk.byte_offset + 20, chunk.byte_offset + 60):
            data[i] ^= 0x55
        path.write_bytes(data)
        self.refuse_file("field.h5", ["/rhs"])

    def test_chunks_of_other_sizes(self):
        """HDF5 would take what stood in memory for the rest of them, or write past it."""
        for storage in ({"shuffle": True}, {"fletcher32": True}, {"compression": "gzip"}):
            for size in (8, 4 * 16 * 16 * 8 + 8):
                with self.subTest(storage=storage, size=size):
                    path = self.field("field.h5", noise(16, 16, 16), chunks=(4, 16, 16), **storage)
                    with h5py.File(path, "a") as file:
                        # no filter was used for this chunk
                        file["rhs"].id.write_direct_chunk((4, 0, 0), bytes(size), filter_mask=0xFFFFFFFF)
                    self.refuse_file("field.h5", ["/rhs", f"{size} bytes", "8192", "damaged"])

    def test_missing_dataset(self):
        self.field("field.h5", noise(4, 4, 4), dataset="/density")
        self.refuse_file("field.h5", ["/rhs", "--dataset"])
        self.refuse_file("field.h5", ["/charge"], "--dataset", "/charge")
        self.run_well("--input", "field.h5", "--dataset", "/density")

    def test_group_instead_of_dataset(self):
        self.field("field.h5", noise(4, 4, 4), dataset="/rhs/inner")
        self.refuse_file("field.h5", ["/rhs"])

    def test_wrong_rank(self):
        for shape in ((), (8,), (8, 8), (2, 2, 2, 2)):
            with self.subTest(shape=shape):
                self.field("field.h5", noise(*shape))
                self.refuse_file("field.h5", ["/rhs", "3"])

    def test_zero_extent(self):
        self.field("field.h5", np.zeros((4, 0, 4)))
        self.refuse_file("field.h5", ["/rhs", "0"])

    def test_types(self):
        for dtype in ("c16", "S4", "?"):
            with self.subTest(dtype=dtype):
                self.field("field.h5", np.zeros((4, 4, 4), dtype))
                self.refuse_file("field.h5", ["/rhs", "float"])

    def test_numbers_that_are_none(self):
        for value, word in ((np.nan, "nan"), (np.inf, "inf"), (-np.inf, "inf")):
            for dtype in ("f4", "f8", ">f8"):
                with self.subTest(value=value, dtype=dtype):
                    values = noise(5, 6, 7, dtype=dtype)
                    values[3, 2, 1] = value
                    self.field("field.h5", values)
                    done = self.refuse(3, ["field.h5", "/rhs", "3", "2", "1"], "--input", "field.h5")
                    self.assertIn(word, done.stderr.lower())

    def test_too_large_for_single(self):
        values = noise(4, 4, 4)
        values[1, 2, 3] = 1e300
        self.field("field.h5", values)
        self.refuse_file("field.h5", ["/rhs"], "--precision", "single")

    def test_exact_is_missing(self):
        self.field("field.h5", noise(4, 4, 4))
        self.refuse_file("field.h5", ["/exact"], "--exact", "/exact")

    def test_exact_has_another_shape(self):
        with h5py.File(self.field("field.h5", noise(4, 4, 4)), "a") as file:
            file["exact"] = noise(4, 4, 5)
        self.refuse_file("field.h5", ["/exact", "5"], "--exact", "/exact")

    def test_info_says_the_same(self):
        self.field("field.h5", noise(4, 4))
        self.refuse(3, ["field.h5", "/rhs"], "info", "field.h5")
        self.refuse(3, ["missing.h5"], "info", "missing.h5")

    def test_json(self):
        for args in (["--input", "missing.h5"], ["info", "missing.h5"]):
            done = self.run_well(*args, "--json", "-", status=3)
            self.assertEqual(set(done.json), {"status", "message"})
            self.assertEqual(done.json["status"], 3)
            self.assertIn("missing.h5", done.json["message"])

    def test_json_file(self):
        """A report of an older run must not look like that of this one."""
        (self.dir / "report.json").write_text("old")
        self.run_well("--input", "missing.h5", "--json", "report.json", status=3)
        self.assertIn('"status": 3', (self.dir / "report.json").read_text())


class BadAttribute(ProgramTest):
    def refuse_attributes(self, words, *options, **attributes):
        given = {key: value for key, value in {**UNIT_BOX, **attributes}.items() if value is not None}
        self.field("field.h5", noise(5, 6, 7), attributes=given)
        self.refuse(3, words, "--input", "field.h5", *options)

    def test_missing(self):
        """Never guessed; the sentence names the option to use."""
        self.refuse_attributes(["spacing", "--spacing"], spacing=None)
        self.refuse_attributes(["boundary", "--boundary"], boundary=None)
        self.refuse_attributes(["axis y", "--spacing"], "--spacing", "x=0.1", spacing=None)
        self.refuse_attributes(["axis z", "--boundary"], "--boundary", "x=neumann,y=neumann", boundary=None)

    def test_spacing(self):
        for found, word in ((0.0, "0"), (-0.1, "-0.1"), (np.nan, "nan"), (np.inf, "inf")):
            with self.subTest(found=found):
                self.refuse_attributes([f"spacing: found {word}", "above 0"], spacing=(0.1, found, 0.1))
        self.refuse_attributes(["axis y", "spacing 1e-320"], spacing=(1.0, 1e-320, 1.0))
        for spacing in ((0.1, 0.1), (0.1,) * 4, "0.1", ["a", "b", "c"], np.zeros((3, 3)), (1 + 1j,) * 3):
            with self.subTest(spacing=spacing):
                self.refuse_attributes(["spacing"], spacing=spacing)

    def test_origin(self):
        for origin in ((0.0, 0.0), (0.0, np.nan, 0.0), "here"):
            with self.subTest(origin=origin):
                self.refuse_attributes(["origin"], origin=origin)

    def test_boundary(self):
        self.refuse_attributes(
            ["boundary", "'dirichlett'", "periodic, dirichlet, neumann, robin or free"], boundary="dirichlett"
        )
        self.refuse_attributes(["boundary"], boundary=["periodic", "neumann"])
        self.refuse_attributes(["boundary"], boundary=["periodic"] * 4)
        self.refuse_attributes(["boundary"], boundary=7)
        self.refuse_attributes(["boundary"], boundary=[1.0, 2.0, 3.0])

    def test_periodic_on_one_side(self):
        words = ["neumann", "neumann", "periodic", "dirichlet", "neumann", "neumann"]
        self.refuse_attributes(["y", "periodic", "both sides"], boundary=words)

    def test_centering(self):
        self.refuse_attributes(["centering", "'corner'", "cell or node"], centering="corner")
        self.refuse_attributes(["centering"], centering=["cell", "node"])
        self.refuse_attributes(["centering"], centering=1.5)

    def test_helmholtz(self):
        self.refuse_attributes(["helmholtz"], helmholtz="none")
        self.refuse_attributes(["helmholtz"], helmholtz=[1.0, 2.0])
        self.refuse_attributes(["elmholtz"], helmholtz=np.nan)

    def test_axis_labels(self):
        self.refuse_attributes(["axis_labels"], axis_labels=["x", "y"])
        self.refuse_attributes(["axis_labels"], axis_labels=["x", "y", "x"])
        self.refuse_attributes(["axis_labels"], axis_labels=["x", "y", "zeta"])
        self.refuse_attributes(["axis_labels"], axis_labels=[1, 2, 3])

    def test_too_few_points(self):
        for shape, centering, boundary, wanted in (
            ((2, 6, 7), "node", "dirichlet", "3"),
            ((1, 6, 7), "node", "neumann", "2"),
            ((1, 6, 7), "node", "dirichlet:neumann", "2"),
        ):
            with self.subTest(shape=shape, boundary=boundary):
                words = [word for word in (boundary.split(":") * 2)[:2]] * 3
                self.field("field.h5", noise(*shape), attributes={
                    "spacing": (1.0, 1.0, 1.0), "boundary": words, "centering": centering})
                self.refuse(3, ["axis x", f"{shape[0]} points", f"at least {wanted}"], "--input", "field.h5")

    def test_resonance(self):
        """lambda < 0 that meets an eigenvalue: no solution as posed."""
        n, h = 8, 0.1
        lowest = -3 * 4 / h**2 * np.sin(np.pi / (2 * n)) ** 2
        self.field("field.h5", noise(n, n, n), attributes={**UNIT_BOX, "helmholtz": lowest})
        self.refuse(4, ["eigenvalue"], "--input", "field.h5")


if __name__ == "__main__":
    main()
