#!/usr/bin/env python3
"""Solves validation problems of FLUPS with unbounded sides and compares errors: test_flups.py PROGRAM [every]

Cells of the unit cube, f = ∇²u, u a product of one function for each axis (vortexlab-uclouvain/flups,
samples/validation): on an axis with a free face a compact bump, exp(10 (1 − 1/(1 − s²))), s = 2 (x − c), c = 1/2
between two free faces, 0.3 beside a wall below and 0.7 beside one above, with its mirror image in that wall; elsewhere
a mode of frequency 1, 2 and 4 of the first, second and third axis. The errors of FLUPS are those of its reference
files. `every` solves all 875 mixes that have a free face on three sizes and prints orders of convergence (minutes).
Exit code 77: NumPy or h5py is missing.
"""

import itertools
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

# All sides unbounded, 16³, lattice Green's function: the equations of our second-order, and so the same errors.
LATTICE = {"l2": 3.017234157142e-03, "max": 3.927536957671e-02}
# The best of its other kernels at each size: HEJ_10, HEJ_6, HEJ_6.
OTHERS = {16: 7.857545631537e-02, 32: 2.194920130034e-02, 64: 5.800217852716e-04}
# Largest errors on 8³ by the kernel CHAT_2, spectral along axes without free faces. Two digits an axis, lower face
# first: 0 Neumann, 1 Dirichlet, 3 periodic, 4 unbounded.
CHAT_2 = {
    "444444": 3.680868204613e-01, "001444": 3.819045133013e-02, "000041": 1.902273743966e-01,
    "000044": 1.211691089290e-01, "003314": 2.307875516613e-01, "004433": 6.838381790615e-01,
    "010144": 1.607548073630e-01, "010401": 3.933185697859e-01, "013341": 2.445617903275e-01,
    "014404": 4.093011401729e-02, "014444": 3.569361524273e-02, "040033": 8.181249364962e-01,
    "040404": 8.003537772004e-01, "041140": 4.031853209094e-02,
}
FACES = {"0": "neumann", "1": "dirichlet", "3": "periodic", "4": "free"}
AXES = ("00", "01", "10", "11", "33", "04", "40", "14", "41", "44")


def bump(x, centre):
    """The compact bump and its second derivative."""
    s = 2 * (x - centre)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        value = np.where(abs(s) < 1, np.exp(10 * (1 - 1 / (1 - s**2))), 0)
        return value, np.where(abs(s) < 1, 4 * value * 20 * (18 * s**2 + 3 * s**4 - 1) / (s**2 - 1) ** 4, 0)


def factor(faces, frequency, x):
    """The function of an axis and its second derivative."""
    if "4" in faces:
        wall = faces.replace("4", "")
        own = bump(x, {"4": 0.5, "0": 0.3, "1": 0.3}[faces[0]] if faces[1] == "4" else 0.7)
        if not wall:
            return own
        image = bump(x, -0.3 if faces[1] == "4" else 1.3)
        sign = 1 if wall == "0" else -1
        return own[0] + sign * image[0], own[1] + sign * image[1]
    wave = {"00": frequency, "01": frequency + 0.5, "10": frequency + 0.5, "11": 2 * frequency, "33": 2 * frequency}
    kappa = np.pi * wave[faces]
    value = np.cos(kappa * x) if faces[0] == "0" else np.sin(kappa * x)
    return value, -(kappa**2) * value


def product(*factors):
    return np.einsum("i,j,k->ijk", *factors)


def error(program, folder, mix, n, discretization):
    """What the program says of its solution. mix: six digits."""
    x = (np.arange(n) + 0.5) / n
    axes = [factor(mix[2 * a : 2 * a + 2], 2**a, x) for a in range(3)]
    values = [value for value, _ in axes]
    with h5py.File(folder / "mix.h5", "w") as file:
        file["rhs"] = sum(product(*values[:a], axes[a][1], *values[a + 1 :]) for a in range(3))
        file["exact"] = product(*values)
        file["rhs"].attrs["spacing"], file["rhs"].attrs["boundary"] = (1 / n,) * 3, [FACES[digit] for digit in mix]
    run = subprocess.run([program, "-i", folder / "mix.h5", "--exact", "/exact", "--discretization", discretization,
                          "--json", "-"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{mix}: exit code {run.returncode}: {run.stdout}{run.stderr}")
    return json.loads(run.stdout)["error"]


def compare(program, folder):
    lattice = error(program, folder, "444444", 16, "second-order")
    for kind, wanted in LATTICE.items():
        print(f"second-order, {kind}: {lattice[kind]:.12e}, FLUPS {wanted:.12e}")
        yield abs(lattice[kind] / wanted - 1) < 1e-11
    for n, other in OTHERS.items():
        found = error(program, folder, "444444", n, "spectral")["max"]
        print(f"spectral, {n}: {found:.2e}, FLUPS {other:.2e}")
        yield found < 1e-3 * other
    for mix, other in CHAT_2.items():
        found = error(program, folder, mix, 8, "spectral")["max"]
        print(f"spectral, {mix}, 8: {found:.2e}, FLUPS {other:.2e}")
        yield found < other


def every(program, folder):
    """Orders of convergence and largest errors of all mixes."""
    mixes = ["".join(axes) for axes in itertools.product(AXES, repeat=3) if "4" in "".join(axes)]
    for discretization, sizes, least in (("second-order", (16, 32, 64), 1.8), ("spectral", (8, 16, 32), 8)):
        errors = np.array([[error(program, folder, mix, n, discretization)["max"] for n in sizes] for mix in mixes])
        orders = np.log2(errors[:, 1] / errors[:, 2])
        largest = ", ".join(f"{n}³ {error:.1e}" for n, error in zip(sizes, errors.max(axis=0)))
        print(f"{discretization}, {len(mixes)} mixes: order of {sizes[1]}³ to {sizes[2]}³ at least {orders.min():.2f} "
              f"({mixes[orders.argmin()]}), median {np.median(orders):.2f}; largest errors {largest}", flush=True)
        yield orders.min() > least


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="poisson3d-") as name:
        return 0 if all(list((every if sys.argv[2:] == ["every"] else compare)(program, pathlib.Path(name)))) else 1


if __name__ == "__main__":
    sys.exit(main())
