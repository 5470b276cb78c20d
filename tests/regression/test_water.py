#!/usr/bin/env python3
"""Solves the water sample with the program and judges it: test_water.py PROGRAM WATER.h5 DISCRETIZATION

Backward error below 16 eps, and every point as in water_reference.py. Exit code 77: NumPy or h5py is missing.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py  # noqa: F401  (the reference needs it)
    import numpy  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SCALE = "-12.566370614359172"  # -4 pi
EPS = {"double": 2.0**-52, "single": 2.0**-23}


def check(program, water, discretization, precision, folder):
    solution = folder / f"{precision}.h5"
    command = [program, "--input", water, "--output", solution, "--scale", SCALE, "--discretization", discretization]
    run = subprocess.run([*command, "--precision", precision, "--json", "-"], capture_output=True, text=True,
                         check=False)
    print(run.stderr, end="")
    if run.returncode != 0:
        return False
    backward = json.loads(run.stdout)["residual"]["backward"]
    print(f"{discretization}, {precision}: backward error {backward:.3g} = {backward / EPS[precision]:.2f} eps")
    reference = pathlib.Path(__file__).with_name("water_reference.py")
    compared = subprocess.run([sys.executable, reference, water, solution, "--scale", SCALE], check=False)
    return compared.returncode == 0 and backward < 16 * EPS[precision]


def main():
    program, water, discretization = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="poisson3d-") as folder:
        passed = [check(program, water, discretization, precision, pathlib.Path(folder)) for precision in EPS]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
