#!/usr/bin/env python3
"""Makes benzene.h5, the charges of a benzene molecule and the potential they have in free space, from formulas alone:

    make_benzene.py [-o benzene.h5] [--points 72,72,48]

Twelve charges at the corners of two regular hexagons in the plane z = 0: carbon, −0.115 e, 1.40 Å from the centre,
hydrogen, +0.115 e, 1.08 Å further out (OPLS: Jorgensen and Severance, J. Am. Chem. Soc. 112 (1990) 4768). Each is a
Gaussian with a standard deviation of 0.7 bohr, so that its potential is known everywhere: q erf(r / (σ √2)) / r. In
Hartree atomic units: /rhs in e/bohr³, /exact in hartree/e, ∇²φ = −4π ρ. The molecule has no charge and no dipole: its
potential falls as r⁻³. Needs NumPy and h5py.
"""

import argparse
import math

import h5py
import numpy as np

BOHR = 0.529177210903  # in Å
CARBON, HYDROGEN = 1.40 / BOHR, (1.40 + 1.08) / BOHR
CHARGE, SIGMA = 0.115, 0.7
BOX = np.array([20.0, 20.0, 12.0])


def charges():
    """(x, y, z, q) of all twelve."""
    for corner in range(6):
        angle = math.pi / 3 * corner
        for radius, charge in ((CARBON, -CHARGE), (HYDROGEN, CHARGE)):
            yield radius * math.cos(angle), radius * math.sin(angle), 0.0, charge


def fields(points):
    """ρ and φ at the centres of the cells."""
    spacing = BOX / points
    axes = [(np.arange(n) + 0.5) * h - 0.5 * n * h for n, h in zip(points, spacing)]
    x, y, z = np.meshgrid(*axes, indexing="ij")
    erf = np.vectorize(math.erf)
    density, potential = np.zeros(x.shape), np.zeros(x.shape)
    for px, py, pz, charge in charges():
        r = np.sqrt((x - px) ** 2 + (y - py) ** 2 + (z - pz) ** 2)
        density += charge * np.exp(-0.5 * (r / SIGMA) ** 2) / (2 * math.pi * SIGMA**2) ** 1.5
        potential += charge * erf(r / (SIGMA * math.sqrt(2))) / np.maximum(r, 1e-12)
    return density, potential, spacing


def main():
    parser = argparse.ArgumentParser(description="makes the charges of a benzene molecule")
    parser.add_argument("-o", "--output", default="benzene.h5")
    parser.add_argument("--points", default="72,72,48", help="three numbers of cells")
    options = parser.parse_args()
    density, potential, spacing = fields(np.array([int(n) for n in options.points.split(",")]))
    with h5py.File(options.output, "w") as file:
        file["rhs"], file["exact"] = density, potential
        file["rhs"].attrs["spacing"] = spacing
        file["rhs"].attrs["origin"] = -0.5 * BOX
        file["rhs"].attrs["boundary"] = "free"


if __name__ == "__main__":
    main()
