"""The program by ranks that share files, in a build with the parallel HDF5: to the last byte what one process reads
and writes. Skipped in other builds.
"""

import os
import subprocess
import sys
import unittest

from program import PROGRAM, SANITIZED, SKIPPED, h5py, main, noise, np
from test_failing_calls import SHIM
from test_ranks import ENVIRONMENT, MIXED, MPIEXEC, MembersTest

PARALLEL = os.environ.get("POISSON3D_PARALLEL_HDF5", "") not in ("", "OFF", "0")
SHARED = "files shared by all ranks"
BITS = ("--method", "transpose", "--decomposition", "slabs")


class ParallelFiles(MembersTest):
    def same_bytes(self, *options, ranks=(2, 3, 4), shared=True):
        asked = ("-i", "field.h5", *options)
        self.run_well(*asked, "-o", "one.h5", "--middle", "transform")
        one = (self.dir / "one.h5").read_bytes()
        for count in (1, *ranks):
            before = self.contents().keys() | {"many.h5"}
            report = self.run_by(count, *asked, *BITS, "-o", "many.h5", "--json", "-").json
            self.assertEqual(SHARED in report["plan"], shared and count > 1)
            self.assertEqual((self.dir / "many.h5").read_bytes(), one, f"{count} ranks, {options}")
            self.assertEqual(self.contents().keys(), before)

    def test_types_and_layouts(self):
        """Uneven slabs, other types and byte orders than the program's, chunks, packed data."""
        for dtype in ("f8", "f4", ">f8", ">f4"):
            with self.subTest(dtype=dtype):
                self.field("field.h5", noise(13, 8, 32, dtype=dtype), attributes=MIXED)
                self.same_bytes()
        self.field("field.h5", noise(13, 8, 32), attributes=MIXED, chunks=(5, 3, 8), compression="gzip")
        self.same_bytes("--precision", "single", "--scale", "-2.5")
        self.field("field.h5", noise(13, 8, 32, dtype="f4"), attributes=MIXED)
        self.same_bytes("--precision", "double", "--gradient")

    def test_ranks_without_planes(self):
        self.field("field.h5", noise(2, 8, 32), attributes=MIXED)
        self.same_bytes(ranks=[3])

    def test_singular_problems_judge_their_mean(self):
        """Without and with --strict, which want the least and the largest value of all ranks."""
        field = noise(9, 8, 32)
        self.field("field.h5", field - field.mean(), attributes={"spacing": (1, 1, 1), "boundary": "periodic"})
        self.same_bytes("--strict", "--no-verify")
        self.field("field.h5", np.ones((9, 8, 32)), attributes={"spacing": (1, 1, 1), "boundary": "periodic"})
        self.assertIn("warning", self.run_by(3, "-i", "field.h5", "--no-verify", "-o", "u.h5", "--json", "-").json)
        self.refuse_by(3, 4, ["no solution"], "-i", "field.h5", "--strict")

    def test_what_one_rank_reads_and_writes_for_all(self):
        """Boundary values, free faces, steps, packed outputs, pencils, and a file for VTK: the same as ever."""
        path = self.field("field.h5", noise(13, 8, 32), attributes={**MIXED, "boundary": "dirichlet"})
        with h5py.File(path, "a") as file:
            file["/boundary_values/x_lower"] = noise(8, 32, seed=3)
        self.same_bytes(ranks=[2])
        self.same_bytes("--compress", "4", ranks=[2])
        self.same_bytes("--vtk", "u.vtkhdf", ranks=[2])
        self.field("field.h5", noise(9, 8, 32), attributes=MIXED)
        self.same_bytes("--discretization", "spectral", ranks=[3])
        self.field("field.h5", noise(2, 13, 8, 32), attributes=MIXED)
        self.same_bytes("--step", "all", ranks=[2])

    def test_a_value_that_is_none_is_named(self):
        field = noise(13, 8, 32)
        field[11, 2, 30] = np.nan
        self.field("field.h5", field, attributes=MIXED)
        alone = self.run_well("-i", "field.h5", "-q", status=3)
        self.refuse_by(3, 3, [alone.stderr.strip().removeprefix("poisson3d: ")], "-i", "field.h5", "-q")

    def test_other_formats(self):
        self.field("field.h5", noise(13, 8, 32), attributes=MIXED)
        np.save(self.dir / "field.npy", noise(13, 8, 32))
        asked = ("-i", "field.npy", "--spacing", "1,1,1", "--boundary", "dirichlet")
        for words in (("-i", "field.h5", "-o", "u.npy"), (*asked, "-o", "u.h5")):
            self.run_well(*words, "--middle", "transform")
            one = (self.dir / words[-1]).read_bytes()
            self.run_by(3, *words, *BITS)
            self.assertEqual((self.dir / words[-1]).read_bytes(), one)

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    @unittest.skipUnless(os.path.exists(SHIM), "the library that makes calls fail was not built")
    def test_a_rank_that_cannot_write_ends_all(self):
        """Its disk is full: one sentence, which names the file as its user does, and nothing is left."""
        self.field("field.h5", noise(1, 64, 64).repeat(64, axis=0), attributes=MIXED)
        before = self.contents()
        asked = [PROGRAM, "-i", "field.h5", "-o", "u.h5", "-q"]
        other = ["env", f"LD_PRELOAD={SHIM}", "FAIL_CALL=pwrite:1:ENOSPC", *asked]
        done = subprocess.run([MPIEXEC, "-n", "1", *asked, ":", "-n", "1", *other], cwd=self.dir, text=True,
                              env=ENVIRONMENT, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 6, done.stderr)
        said = [line for line in done.stderr.splitlines() if line.startswith("poisson3d: ")]
        self.assertEqual(said, ["poisson3d: u.h5, dataset /solution: cannot be written with the parallel HDF5"])
        self.assertEqual(self.contents(), before)


if __name__ == "__main__":
    if not MPIEXEC or not PARALLEL:
        print("skipped: a build without the parallel HDF5, or without MPI")
        sys.exit(SKIPPED)
    main()
