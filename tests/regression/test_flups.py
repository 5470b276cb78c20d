#!/usr/bin/env python3
"""Solves the validation problem of FLUPS with all sides unbounded and compares errors: test_flups.py PROGRAM

u = Π exp(10 (1 − 1/(1 − s²))), s = 2x − 1 on the unit cube, cells, f = ∇²u (vortexlab-uclouvain/flups,
samples/validation). Its reference for the lattice Green's function at 16³ has the errors below, root mean square and
largest: the same equations have the same solution. Exit code 77: NumPy or h5py is missing.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

LATTICE = {"l2": 3.017234157142e-03, "max": 3.927536957671e-02}
# FLUPS, the best of its other kernels at each size: HEJ_10, HEJ_6, HEJ_6.
OTHERS = {16: 7.857545631537e-02, 32: 2.194920130034e-02, 64: 5.800217852716e-04}


def bump(n):
    """The factor of an axis and its second derivative."""
    s = (2 * np.arange(n) + 1) / n - 1
    value = np.exp(10 * (1 - 1 / (1 - s**2)))
    return value, 4 * value * 20 * (18 * s**2 + 3 * s**4 - 1) / (s**2 - 1) ** 4


def product(*factors):
    return np.einsum("i,j,k->ijk", *factors)


def error(program, folder, n, discretization):
    value, second = bump(n)
    with h5py.File(folder / "bump.h5", "w") as file:
        file["rhs"] = product(second, value, value) + product(value, second, value) + product(value, value, second)
        file["exact"] = product(value, value, value)
        file["rhs"].attrs["spacing"], file["rhs"].attrs["boundary"] = (1 / n,) * 3, "free"
    run = subprocess.run([program, "-i", folder / "bump.h5", "--exact", "/exact", "--discretization", discretization,
                          "--json", "-"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"exit code {run.returncode}: {run.stdout}{run.stderr}")
    return json.loads(run.stdout)["error"]


def main():
    program = sys.argv[1]
    right = True
    with tempfile.TemporaryDirectory(prefix="poisson3d-") as name:
        folder = pathlib.Path(name)
        lattice = error(program, folder, 16, "second-order")
        for kind, wanted in LATTICE.items():
            print(f"second-order, {kind}: {lattice[kind]:.12e}, FLUPS {wanted:.12e}")
            right = right and abs(lattice[kind] / wanted - 1) < 1e-11
        for n, other in OTHERS.items():
            found = error(program, folder, n, "spectral")["max"]
            print(f"spectral, {n}: {found:.2e}, FLUPS {other:.2e}")
            right = right and found < 1e-3 * other
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
