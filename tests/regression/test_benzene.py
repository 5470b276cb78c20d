#!/usr/bin/env python3
"""Solves the charges of benzene in free space on three grids and compares them with their potential:
test_benzene.py PROGRAM MAKE_BENZENE.py

Exit code 77: NumPy or h5py is missing.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SCALE = "-12.566370614359172"  # -4 pi
GRIDS = ("36,36,24", "54,54,36", "72,72,48")
# Measured: 7e-7, 1.2e-11, 1.3e-14; edges of 6e-12 and less cost no more than these.
SPECTRAL = (2e-6, 3e-11, 1e-13)


def error(program, file, discretization):
    """The largest, in units of the largest potential."""
    run = subprocess.run([program, "-i", file, "--scale", SCALE, "--exact", "/exact", "--discretization",
                          discretization, "--json", "-"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"exit code {run.returncode}: {run.stdout}{run.stderr}")
    with h5py.File(file, "r") as made:
        return json.loads(run.stdout)["error"]["max"] / abs(made["exact"][...]).max()


def main():
    program, make = sys.argv[1:]
    errors = {"spectral": [], "second-order": []}
    with tempfile.TemporaryDirectory(prefix="poisson3d-") as folder:
        for grid in GRIDS:
            file = pathlib.Path(folder) / "benzene.h5"
            subprocess.run([sys.executable, make, "-o", file, "--points", grid], check=True)
            for discretization, found in errors.items():
                found.append(error(program, file, discretization))
    for discretization, found in errors.items():
        print(discretization, *(f"{one:.2e}" for one in found))
    order = math.log(errors["second-order"][0] / errors["second-order"][2]) / math.log(2)
    print(f"order {order:.2f}")
    right = all(found <= wanted for found, wanted in zip(errors["spectral"], SPECTRAL)) and 1.8 < order < 2.6
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
