"""What the tests of the program share: running it, making field files, saying what a refusal must look like.

The environment variable POISSON3D names the program. Without NumPy or h5py every test ends with exit code 77,
which ctest shows as skipped; where the program was built without Cairo, those that ask for what is missing
are skipped.
"""

import functools
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (needed: python3-numpy python3-h5py)")
    sys.exit(SKIPPED)

# Tests run in directories of their own, so the name must not depend on the current one.
PROGRAM = shutil.which(os.environ.get("POISSON3D", "poisson3d"))
if PROGRAM is None:
    sys.exit("the environment variable POISSON3D must name the program")
PROGRAM = os.path.abspath(PROGRAM)
SANITIZED = os.environ.get("POISSON3D_SANITIZED", "") not in ("", "OFF", "0")
UNIT_BOX = {"spacing": (0.1, 0.1, 0.1), "boundary": "dirichlet"}


class Finished:
    """A run that ended."""

    def __init__(self, process):
        self.status = process.returncode
        self.stdout = process.stdout
        self.stderr = process.stderr

    @property
    def json(self):
        return json.loads(self.stdout, parse_constant=refuse_constant)


def refuse_constant(word):
    raise ValueError(f"{word} is not JSON")


def noise(*shape, seed=1, dtype="f8"):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(dtype)


@functools.cache
def draws_pictures():
    """Was the program built with Cairo?"""
    done = subprocess.run([PROGRAM, "plot", "no.h5", "-o", "no.png"], capture_output=True, text=True, check=False)
    return "without Cairo" not in done.stderr


def asks_for_a_picture(args):
    words = [str(arg).partition("=")[0] for arg in args]
    return "--preview" in words or (words[:1] == ["plot"] and "--help" not in words)


class ProgramTest(unittest.TestCase):
    """Every test has an empty directory of its own, which is where the program runs."""

    pictures_or_skip = True  #: a run that asks for a picture ends the test where the program draws none

    def setUp(self):
        self.maxDiff = None
        directory = tempfile.TemporaryDirectory(prefix="poisson3d-")
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)

    def run_any(self, *args, before=None, **options):
        """Runs the program and hands back how it ended."""
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        if self.pictures_or_skip and asks_for_a_picture(args) and not draws_pictures():
            self.skipTest("the program was built without Cairo, which draws pictures")
        words = [PROGRAM, *map(str, args)]
        done = Finished(
            subprocess.run(
                words, cwd=self.dir, text=True, stdin=subprocess.DEVNULL, preexec_fn=before, timeout=300,
                check=False, **options,
            )
        )
        return done

    def run_well(self, *args, status=0, **options):
        """Runs the program, which must end with that status."""
        done = self.run_any(*args, **options)
        self.assertEqual(done.status, status, f"{args}\n{done.stdout}{done.stderr}")
        return done

    def report(self, *args, status=0):
        """The JSON report of a run."""
        done = self.run_well(*args, "--json", "-", status=status)
        report = done.json
        self.assertEqual(report["status"], status)
        return report

    def refuse(self, status, words, *args, **options):
        """The program must end with that status, say one sentence with all these words on stderr, nothing on
        stdout, and leave every file as it was and no other."""
        before = self.contents()
        done = self.run_any(*args, **options)
        said = f"{args}: status {done.status}\nstdout: {done.stdout}\nstderr: {done.stderr}"
        self.assertEqual(done.status, status, said)
        self.assertIn(done.stdout, ("", None), said)
        self.assertEqual(done.stderr.count("\n"), 1, said)
        self.assertTrue(done.stderr.startswith("poisson3d: "), said)
        for word in words:
            self.assertIn(word, done.stderr, said)
        self.assertEqual(self.contents(), before, f"{args} changed the files")
        return done

    def contents(self):
        """A fingerprint of every file below the test's directory."""
        return {
            str(path.relative_to(self.dir)): hashlib.sha256(path.read_bytes()).hexdigest()
            if path.is_file()
            else "directory"
            for path in sorted(self.dir.rglob("*"))
        }

    def field(self, name, values, dataset="/rhs", attributes=None, **storage):
        """Makes a field file; by default a Dirichlet box of spacing 0.1."""
        path = self.dir / name
        with h5py.File(path, "w") as file:
            made = file.create_dataset(dataset, data=values, **storage)
            for key, value in (UNIT_BOX if attributes is None else attributes).items():
                made.attrs[key] = value
        return path

    def solution(self, name="field.solution.h5", dataset="/solution"):
        with h5py.File(self.dir / name, "r") as file:
            return file[dataset][...]

    def attributes(self, name="field.solution.h5", dataset="/solution"):
        with h5py.File(self.dir / name, "r") as file:
            return dict(file[dataset].attrs)


def strings(values):
    """Attribute strings as Python strings, whatever h5py made of them."""
    return [value.decode() if isinstance(value, bytes) else str(value) for value in np.atleast_1d(values)]


def main():
    unittest.main(verbosity=1)
