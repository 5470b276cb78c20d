#!/usr/bin/env python3
"""Solves the box sample with the program on three grids and judges it: test_water_box.py PROGRAM WATER_BOX.h5

The potential at the faces is given; inside it must be PySCF's but for the error of the stencil, which falls as h^2.
Exit code 77: NumPy or h5py is missing.
"""

import pathlib
import sys
import tempfile

try:
    import h5py  # noqa: F401  (water_box.py needs it)
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from water_box import EPS, STEPS, Solved, extrapolated, plane, root_mean_square

# Measured on the finest grid: 1.53e-3 root mean square, 1.20e-2 at most, in hartree/e.
LARGEST_RMS, LARGEST_MAX = 1.6e-3, 1.25e-2
ORDER = 1.8

failures = []


def hold(what, true):
    if not true:
        failures.append(what)
        print(f"FAILED: {what}")


def judge(solved, precision):
    """What holds on every grid."""
    points = " x ".join(map(str, solved.solution.shape))
    backward = solved.report["residual"]["backward"]
    print(f"{points}, {precision}: error {solved.rms:.3e} rms, {solved.max:.3e} max hartree/e, "
          f"backward error {backward / EPS[precision]:.2f} eps")
    hold(f"{points}, {precision}: backward error <= 16 eps", backward <= 16 * EPS[precision])
    hold(f"{points}, {precision}: the program found the same error",
         abs(solved.report["error"]["max"] - solved.max) <= 4 * EPS[precision] * abs(solved.exact).max())
    for face, values in solved.faces.items():
        hold(f"{points}, {precision}: nodes of {face} hold its values",
             np.array_equal(plane(solved.solution, face), values))


def main():
    program, box = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="poisson3d-") as folder:
        double, single = [[Solved(program, box, pathlib.Path(folder), step, precision) for step in STEPS]
                          for precision in ("double", "single")]
    for solved in double:
        judge(solved, "double")
    for coarse, fine in zip(double, double[1:]):
        orders = np.log2([coarse.rms / fine.rms, coarse.max / fine.max])
        print(f"order {orders[0]:.2f} rms, {orders[1]:.2f} max")
        hold(f"order >= {ORDER}", orders.min() >= ORDER)
    finest = double[-1]
    hold(f"error <= {LARGEST_RMS} rms, {LARGEST_MAX} max",
         finest.rms <= LARGEST_RMS and finest.max <= LARGEST_MAX)
    # All of it is error of the stencil: what falls as h^2 taken out, little is left.
    left = root_mean_square(extrapolated(*double[-2:]))
    print(f"error {left:.3e} rms hartree/e after extrapolation")
    hold("extrapolated from two grids, 1/10 of the error is left", left <= 0.1 * finest.rms)
    for wide, narrow in zip(double, single):
        judge(narrow, "single")
        rounding = np.abs(narrow.solution - wide.solution).max() / abs(wide.exact).max()
        print(f"differs from double by {rounding / EPS['single']:.2f} eps at most")
        hold("single differs from double by rounding", rounding <= 16 * EPS["single"])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
