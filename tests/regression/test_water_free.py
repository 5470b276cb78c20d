#!/usr/bin/env python3
"""Solves the water sample with nothing around the box and compares it with integrals: test_water_free.py PROGRAM WATER.h5

The potential of the free molecule at nine grid points: of the electrons by analytic integrals over all pairs of basis
functions (PySCF 2.14.0, int1e_grids, the molecule of data/samples/make_water.py, the density scaled as there), of the
ions erf(r / (σ √2)) q / r with σ = 0.3 bohr. In hartree/e, minus as in ∇²φ = −4π ρ. Exit code 77: NumPy or h5py is
missing.
"""

import json
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
EXACT = {(0, 0, 0): -0.003497, (63, 63, 63): 0.003764, (32, 32, 0): -0.019228, (32, 0, 32): 0.006288,
         (32, 20, 40): 0.175701, (20, 32, 20): -0.064514, (31, 38, 36): 1.595159, (32, 32, 32): 5.834000,
         (32, 32, 30): 8.661350}
LARGEST = {"spectral": 5e-5, "second-order": 0.35}
# Beyond 1.5 bohr from the nuclei the stencil is better by far.
FAR_AWAY = [(0, 0, 0), (63, 63, 63), (32, 32, 0), (32, 0, 32), (20, 32, 20)]
LARGEST_FAR_AWAY = {"spectral": 3e-6, "second-order": 3e-3}
EPS = {"double": 2.0**-52, "single": 2.0**-23}

failures = []


def hold(what, true):
    if not true:
        failures.append(what)
        print(f"FAILED: {what}")


def solve(program, water, discretization, precision, output):
    run = subprocess.run([program, "--input", water, "--output", output, "--boundary", "free", "--scale", SCALE,
                          "--discretization", discretization, "--precision", precision, "--json", "-"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"exit code {run.returncode}: {run.stdout}{run.stderr}")
    with h5py.File(output, "r") as file:
        return json.loads(run.stdout), file["solution"][...]


def judge(program, water, discretization, folder):
    report, potential = solve(program, water, discretization, "double", folder / "double.h5")
    errors = {point: abs(potential[point] - exact) for point, exact in EXACT.items()}
    far = max(errors[point] for point in FAR_AWAY)
    print(f"{discretization}: error {max(errors.values()):.2e} at most, {far:.1e} far from the nuclei, in hartree/e")
    hold(f"{discretization}: error <= {LARGEST[discretization]}", max(errors.values()) <= LARGEST[discretization])
    hold(f"{discretization}: far from nuclei error <= {LARGEST_FAR_AWAY[discretization]}",
         far <= LARGEST_FAR_AWAY[discretization])
    hold("the molecule is neutral", abs(report["net"]) < 1e-9)
    hold("its density has vanished at the faces", report["edge"] < 1e-6)
    if discretization == "second-order":
        hold("backward error <= 16 eps", report["residual"]["backward"] <= 16 * EPS["double"])
        hold("freeness <= 16 eps", report["freeness"] <= 16 * EPS["double"])
    _, single = solve(program, water, discretization, "single", folder / "single.h5")
    rounding = abs(single.astype(float) - potential).max() / abs(potential).max()
    print(f"{discretization}: single differs from double by {rounding / EPS['single']:.2f} eps")
    hold("single differs from double by rounding", rounding <= 16 * EPS["single"])


def main():
    program, water = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="poisson3d-") as folder:
        for discretization in LARGEST:
            judge(program, water, discretization, pathlib.Path(folder))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
