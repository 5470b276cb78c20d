"""compare_peers.py: every peer that is installed does every kind of problem, and is believed only if its solution is
ours; who is missing is named."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from types import SimpleNamespace
from unittest import mock

try:
    import numpy as np
    import scipy.fft  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing} (needed: python3-numpy python3-scipy)")
    sys.exit(77)

import measured_fields

SCRIPT = pathlib.Path(__file__).with_name("compare_peers.py")
MIXES = ("periodic", "dirichlet", "neumann", "dirichlet:neumann", "neumann:dirichlet", "x=periodic,y=dirichlet,z=neumann",
         "x=dirichlet:neumann,y=periodic,z=periodic", "x=neumann,y=neumann:dirichlet,z=periodic")
EPS = {"double": np.finfo("f8").eps, "single": np.finfo("f4").eps}
LIMITS = {"fftw": {key: 64 * eps for key, eps in EPS.items()}, "scipy": {key: 64 * eps for key, eps in EPS.items()},
          "mkl": {"double": 1e-10, "single": 1e-3}}


class Peers(unittest.TestCase):
    def run_script(self, *options, status=0, **environment):
        done = subprocess.run([sys.executable, SCRIPT, "--repeat", "1", "--threads", "2", *options], timeout=300,
                              env={**os.environ, **environment}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, f"{options}\n{done.stdout}{done.stderr}")
        return done

    def check(self, *options):
        boundaries = [word for mix in MIXES for word in ("--boundary", mix)]
        report = json.loads(self.run_script("--precision", "double,single", *boundaries, *options, "--json", "-").stdout)
        for key in ("version", "device", "revision"):
            self.assertIn(key, report)
        for case in report["cases"]:
            problem, names = case["problem"], [peer["name"] for peer in case["peers"]]
            self.assertIn("scipy", names)
            for peer in case["peers"]:
                if peer["seconds"] is None:
                    self.assertEqual(peer["name"], "mkl", problem)
                    continue
                self.assertEqual(peer["seconds"]["runs"], case["seconds"]["solve"]["runs"])
                self.assertAlmostEqual(peer["ratio"], case["seconds"]["solve"]["median"] / peer["seconds"]["median"])
                self.assertLess(peer["difference"], LIMITS[peer["name"]][problem["precision"]], (peer["name"], problem))
                self.assertTrue(peer["version"] and peer["transform"])
        return report["cases"]

    def test_cells(self):
        cases = self.check("--points", "8,7x10x9")
        transforms = {(case["problem"]["boundary"][0], peer["transform"]) for case in cases for peer in case["peers"]
                      if set(case["problem"]["boundary"]) == {"periodic"} and peer["name"] in ("fftw", "scipy")}
        self.assertLessEqual(transforms, {("periodic", "r2c + c2r"), ("periodic", "rfftn")})

    def test_nodes(self):
        self.check("--points", "8", "--centering", "node")

    def test_spectral(self):
        self.check("--points", "9x8x11", "--discretization", "spectral", "--peers", "fftw,scipy")

    def test_mixed_precision(self):
        self.assertIn(" mixed ", self.run_script("--points", "8", "--precision", "mixed", "--peers", "scipy").stdout)

    def test_what_is_missing_is_named(self):
        done = self.run_script("--points", "8", "--peers", "scipy,mkl", POISSON3D_MKL="/no/such/library")
        self.assertRegex(done.stderr, "mkl is missing: .*/no/such/library")
        self.assertIn("vs SciPy", done.stdout)
        self.assertNotIn("vs MKL", done.stdout)

    def test_wrong_solution(self):
        with tempfile.TemporaryDirectory() as directory:
            package = pathlib.Path(directory, "scipy")
            package.mkdir()
            (package / "__init__.py").write_text("__version__ = '0'\n")
            path = os.pathsep.join([directory, os.environ.get("PYTHONPATH", "")])
            for wrong in ("x", "x * float('nan')"):
                (package / "fft.py").write_text(
                    f"def dstn(x, **options):\n    return {wrong}\ndef idstn(x, **options):\n    return x\n")
                done = self.run_script("--points", "8", "--peers", "scipy", status=1, PYTHONPATH=path)
                self.assertRegex(done.stderr, "scipy: its solution is .* away from ours")

    def test_noise_is_repeated(self):
        memory = SimpleNamespace(free=1 << 20, new=np.empty, array=np.asarray)
        problem = SimpleNamespace(shape=(3, 4, 5), dtype=np.dtype("f4"))
        with mock.patch.object(measured_fields, "NOISE", 7):
            f, u = next(measured_fields.fields_in_turn(memory, problem, 1))
        values = f.reshape(-1)
        self.assertEqual(len(set(values)), 7)
        self.assertTrue((values[7:] == values[:-7]).all() and (abs(values) <= 1).all() and not u.any())

    def test_usage(self):
        for options, said in ((["--boundary", "every"], "'every'"), (["--peers", "nobody"], "'nobody'"),
                              (["--points", "4x4"], "--points"), (["--precision", "half"], "'half'")):
            self.assertIn(said, self.run_script(*options, status=2).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
