"""The program by ranks of MPI with a GPU each, which they may share. Without MPI, or a GPU that engine fused can use,
everything here is skipped, but for a program whose devices are host memory (host_device_ranks.cpp), where
POISSON3D_HOST_DEVICES is set. Every rank costs seconds for its CUDA context: few runs, compared with the host.
"""

import os
import sys
import unittest

from program import SKIPPED, h5py, main, noise, np
from test_gpu import ENGINES, EPS
from test_ranks import MIXED, MPIEXEC, MembersTest

ON_HOST = "POISSON3D_HOST_DEVICES" in os.environ


class Solutions(MembersTest):
    def compare(self, ranks, *options, shared=()):
        """The report of ranks, whose solution is that of the host but for rounding; `shared`: options of ranks alone."""
        self.run_well("-i", "field.h5", "-o", "one.h5", "--engine", "host", *options)
        expected = self.solution("one.h5")
        report = self.run_by(ranks, "-i", "field.h5", "-o", "many.h5", "--engine", "fused", "--json", "-", *options,
                             *shared).json
        self.assertEqual(report["engine"], "fused")
        eps = EPS[report["problem"]["precision"]]
        np.testing.assert_allclose(self.solution("many.h5"), expected, rtol=0, atol=64 * eps * abs(expected).max())
        self.assertLess(report["residual"]["backward"], report["tolerance"])
        return report

    def test_both_methods_with_boundary_values(self):
        path = self.field("field.h5", noise(13, 8, 32), attributes={"spacing": (0.1, 0.2, 0.15),
                                                                    "boundary": "dirichlet"})
        with h5py.File(path, "a") as file:
            file["/boundary_values/x_lower"] = noise(8, 32, seed=3)
            file["/boundary_values/x_upper"] = noise(8, 32, seed=4)
            file["/boundary_values/y_upper"] = noise(13, 32, seed=5)
            file["/boundary_values/z_lower"] = noise(13, 8, seed=6)
        for ranks, method, precision in ((3, "eliminate", "double"), (2, "transpose", "single"), (2, "eliminate", "single"),
                                         (3, "transpose", "double")):
            with self.subTest(method=method, precision=precision):
                report = self.compare(ranks, "--precision", precision, "--gradient", shared=("--method", method))
                self.assertEqual((report["members"]["count"], report["members"]["method"]), (ranks, method))

    @unittest.skipIf(ON_HOST, "a rank alone has engine fused, which host memory has not")
    def test_one_rank(self):
        self.field("field.h5", noise(13, 8, 32), attributes=MIXED)
        self.assertNotIn("members", self.compare(1))

    def test_spectral_steps_in_single_precision(self):
        """L u in double takes the place of all that was there, which the next step wants again."""
        self.field("field.h5", noise(3, 14, 12, 32, dtype="f4"), attributes=MIXED)
        asked = ("-i", "field.h5", "--discretization", "spectral", "--step", "all")
        self.run_well(*asked, "--engine", "host", "-o", "one.h5")
        self.run_by(2, *asked, "--engine", "fused", "-o", "many.h5", "-q")
        one, many = self.solution("one.h5"), self.solution("many.h5")
        self.assertLess(abs(one - many).max(), 64 * EPS["single"] * abs(one).max())

    def test_pencils(self):
        self.field("field.h5", noise(13, 8, 33), attributes=MIXED)
        for method in ("eliminate", "transpose"):
            report = self.compare(2, "--gradient", shared=("--decomposition", "1x2", "--method", method))
            self.assertEqual(report["members"]["decomposition"], [1, 2])

    def test_a_member_without_planes(self):
        self.field("field.h5", noise(2, 6, 32), attributes=MIXED)
        self.compare(3, shared=("--decomposition", "slabs"))


class Refusals(MembersTest):
    def test_refusals(self):
        self.field("field.h5", noise(6, 6, 6))
        one = ("-i", "field.h5", "--engine", "fused")
        self.refuse_by(2, 2, ["--engine cufft", "wanted host or fused"], "-i", "field.h5", "--engine", "cufft")
        self.refuse_by(2, 2, ["--device"], *one, "--device", "0")


if __name__ == "__main__":
    if not MPIEXEC or not (ON_HOST or ENGINES["fused"]["available"]):
        print(f"skipped: MPI: {MPIEXEC or 'none'}, engine fused: {ENGINES['fused'].get('reason') or 'there'}")
        sys.exit(SKIPPED)
    main()
