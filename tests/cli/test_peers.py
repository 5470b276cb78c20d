"""bench solve --compare: every peer that is installed does every kind of problem, and is believed only if its solution
is ours."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
from program import PROGRAM, ProgramTest, main

WALLS = ("periodic", "dirichlet", "neumann", "dirichlet:neumann", "neumann:dirichlet")
MIXES = ("x=periodic,y=dirichlet,z=neumann", "x=dirichlet:neumann,y=periodic,z=periodic",
         "x=neumann,y=neumann:dirichlet,z=neumann", "x=periodic,y=neumann,z=periodic")
EPS = {"double": np.finfo("f8").eps, "single": np.finfo("f4").eps}

FAKE_SCIPY = """
import os, pathlib, time
pathlib.Path(os.environ["PID_FILE"]).write_text(str(os.getpid()))
def dstn(x, **options):
    {work}
def idstn(x, **options):
    return x
"""


def boundaries(*words):
    return [part for word in words for part in ("--boundary", word)]


class PeerTest(ProgramTest):
    """The Python that runs the tests is the one to ask for SciPy."""

    def bench(self, *options, environment=None, **more):
        words = ("bench", "solve", "--engine", "host", "--repeat", "1", *options)
        return self.run_any(*words, env={**os.environ, "POISSON3D_PYTHON": sys.executable, **(environment or {})},
                            **more)

    def require(self, peer):
        done = self.bench("--points", "8", "--compare", peer)
        if done.status == 2:
            self.skipTest(done.stderr)
        self.assertEqual(done.status, 0, done.stderr)

    def cases(self, *options, **more):
        done = self.bench(*options, "--json", "-", **more)
        self.assertEqual(done.status, 0, done.stderr)
        return done.json["cases"]

    def complain(self, status, words, *options, environment=None):
        """As refuse(), with an environment."""
        environment = {**os.environ, "POISSON3D_PYTHON": sys.executable, **(environment or {})}
        return self.refuse(status, words, "bench", "solve", "--engine", "host", "--points", "8", "--repeat", "1",
                           *options, env=environment)

    def check_measured(self, case, peer):
        self.assertGreater(peer["seconds"]["min"], 0)
        self.assertLessEqual(peer["seconds"]["min"], peer["seconds"]["median"])
        self.assertLessEqual(peer["seconds"]["median"], peer["seconds"]["max"])
        self.assertEqual(peer["seconds"]["runs"], case["seconds"]["solve"]["runs"])
        self.assertGreater(peer["plan_seconds"], 0)
        self.assertTrue(peer["version"])
        self.assertAlmostEqual(peer["ratio"], case["seconds"]["solve"]["median"] / peer["seconds"]["median"])


class Fftw(PeerTest):
    def test_every_kind(self):
        self.require("fftw")
        for centering in ("cell", "node"):
            for case in self.cases("--points", "8", *boundaries(*WALLS, *MIXES), "--centering", centering,
                                   "--precision", "double,single,mixed", "--compare", "fftw"):
                (peer,) = case["peers"]
                self.check_measured(case, peer)
                periodic = case["problem"]["boundary"] == ["periodic"] * 6
                self.assertEqual(peer["name"], "fftw")
                self.assertEqual(peer["transform"], "r2c + c2r" if periodic else "r2r")
                self.assertIsNone(peer["difference"])
                self.assertEqual(case["fftw"], {"plan": peer["plan_seconds"], "pair": peer["seconds"],
                                                "ratio": peer["ratio"]})

    def test_odd_periodic(self):
        self.require("fftw")
        (case,) = self.cases("--points", "7x9x5", "--boundary", "periodic", "--compare", "fftw")
        self.check_measured(case, case["peers"][0])


class Scipy(PeerTest):
    def check(self, *options):
        for case in self.cases("--compare", "scipy", "--precision", "double,single", *options):
            (peer,) = case["peers"]
            self.check_measured(case, peer)
            self.assertEqual(peer["name"], "scipy")
            self.assertNotIn("fftw", case)
            self.assertLess(peer["difference"], 64 * EPS[case["problem"]["precision"]], case["problem"])

    def test_every_kind(self):
        self.require("scipy")
        for centering in ("cell", "node"):
            self.check("--points", "8,7x10x9", *boundaries(*WALLS, *MIXES), "--centering", centering)

    def test_spectral(self):
        self.require("scipy")
        self.check("--points", "9x8x11", *boundaries(*WALLS, *MIXES), "--discretization", "spectral")

    def test_names_of_transforms(self):
        self.require("scipy")
        (case,) = self.cases("--points", "8", "--boundary", "x=dirichlet,y=periodic,z=dirichlet", "--centering",
                             "x=node,y=cell,z=node", "--compare", "scipy")
        self.assertEqual(case["peers"][0]["transform"], "dstn-1 + rfftn")


class Mkl(PeerTest):
    def test_every_kind_of_nodes(self):
        self.require("mkl")
        for case in self.cases("--points", "8,9x8x10", *boundaries(*WALLS, *MIXES), "--centering", "node",
                               "--precision", "double,single", "--compare", "mkl"):
            (peer,) = case["peers"]
            self.check_measured(case, peer)
            limit = 1e-10 if case["problem"]["precision"] == "double" else 1e-3
            self.assertLess(peer["difference"], limit, case["problem"])

    def test_dirichlet_nodes_agree(self):
        self.require("mkl")
        (case,) = self.cases("--points", "33x25x41", "--centering", "node", "--compare", "mkl")
        self.assertLess(case["peers"][0]["difference"], 1e-12)

    def test_what_it_does_not_solve_is_left_out(self):
        self.require("mkl")
        for options in (["--points", "8"], ["--points", "8x8x7", "--boundary", "periodic"],
                        ["--points", "4", "--centering", "node"],
                        ["--points", "8", "--centering", "node", "--discretization", "spectral"],
                        ["--points", "8", "--boundary", "x=periodic,y=periodic,z=dirichlet"]):
            (case,) = self.cases(*options, "--compare", "mkl")
            self.assertEqual(case["peers"], [{"name": "mkl", **dict.fromkeys(
                ("version", "transform", "seconds", "plan_seconds", "ratio", "difference"))}])
            self.assertRegex(self.bench(*options, "--compare", "mkl").stdout, r" - +-\n$")
        (case,) = self.cases("--points", "8", "--boundary", "periodic", "--compare", "mkl")
        self.assertIsNotNone(case["peers"][0]["seconds"])  # cells or nodes, periodic is periodic


class Choice(PeerTest):
    def test_all_that_are_installed(self):
        installed = [name for name in ("fftw", "scipy", "mkl")
                     if self.bench("--points", "8", "--compare", name).status == 0]
        titles = {"fftw": "FFTW", "scipy": "SciPy", "mkl": "MKL"}
        for compare in (["--compare"], ["--compare=all"], ["--compare", "all"]):
            done = self.bench("--points", "8", "--centering", "node", *compare)
            self.assertEqual(done.status, 0, done.stderr)
            for name, title in titles.items():
                self.assertEqual(done.stdout.count(f"vs {title}"), int(name in installed))
                self.assertEqual(done.stderr.count(f"leaves out {name}"), int(name not in installed))
        (case,) = self.cases("--points", "8", "--compare")
        self.assertEqual([peer["name"] for peer in case.get("peers", [])], installed)
        self.assertEqual(self.bench("--points", "8", "--compare", "-q").stderr, "")

    def test_several(self):
        self.require("fftw")
        self.require("scipy")
        (case,) = self.cases("--points", "8", "--compare", "scipy,fftw")
        self.assertEqual([peer["name"] for peer in case["peers"]], ["fftw", "scipy"])

    def test_missing(self):
        for environment, name, reason in (({"POISSON3D_PYTHON": "/no/such/python"}, "scipy", "/no/such/python"),
                                          ({"POISSON3D_PYTHON": "/bin/true"}, "scipy", "ended before"),
                                          ({"POISSON3D_PYTHON": "/bin/echo"}, "scipy", "wanted an answer"),
                                          ({"POISSON3D_MKL": "/no/such/library"}, "mkl", "/no/such/library")):
            self.complain(2, [f"--compare {name}", reason], "--compare", name, environment=environment)
            done = self.bench("--points", "8", "--compare", environment=environment)
            self.assertEqual(done.status, 0, done.stderr)
            self.assertIn(f"leaves out {name}", done.stderr)

    def test_usage(self):
        self.complain(2, ["--compare", "'pocketfft'", "fftw, scipy, mkl"], "--compare", "fftw,pocketfft")
        self.complain(2, ["--compare", "--batch"], "--compare", "--batch", "2")


class Trust(PeerTest):
    """What a peer says is checked, and it ends with the run."""

    def setUp(self):
        super().setUp()
        (self.dir / "scipy").mkdir()
        (self.dir / "scipy/__init__.py").write_text("__version__ = '0'\n")
        self.environment = {"PYTHONPATH": str(self.dir), "PID_FILE": str(self.dir / "pid")}

    def fake(self, work):
        (self.dir / "scipy/fft.py").write_text(FAKE_SCIPY.format(work=work))
        (self.dir / "pid").write_text("")

    def say(self, status, words, *options):
        done = self.bench("--points", "8", "--compare", "scipy", *options, environment=self.environment)
        self.assertEqual(done.status, status, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in ("--compare scipy", *words):
            self.assertIn(word, done.stderr)
        self.check_gone()

    def check_gone(self):
        with self.assertRaises(ProcessLookupError):
            os.kill(int((self.dir / "pid").read_text()), 0)

    def test_wrong_solution(self):
        for work in ("return x", "return x * float('nan')"):
            self.fake(work)
            self.say(1, ["away from ours"])

    def test_failure(self):
        self.fake("raise RuntimeError('no\\nluck')")
        self.say(5, ["RuntimeError: no luck"])
        self.fake("os._exit(0)")
        self.say(5, ["ended before it answered"])

    def test_interrupted(self):
        self.fake("time.sleep(600)")
        environment = {**os.environ, **self.environment, "POISSON3D_PYTHON": sys.executable}
        words = [PROGRAM, "bench", "solve", "--engine", "host", "--points", "8", "--compare", "scipy"]
        with subprocess.Popen(words, cwd=self.dir, env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True) as process:
            while not (self.dir / "pid").read_text():
                time.sleep(0.05)
            time.sleep(1)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
            self.assertEqual(process.wait(timeout=60), -signal.SIGINT)
        self.check_gone()


if __name__ == "__main__":
    main()
