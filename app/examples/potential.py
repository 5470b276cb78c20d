"""Charges in a metal box: potential, field, and a picture of both.

    python potential.py [picture.png]

Solves ∇²φ = −ρ/ε₀ for three Gaussian charges in a box of grounded walls, whose right wall (x upper) is at 2 V in its
middle. Then E = −∇φ, and Gauss's law as a check: the flux of E through the walls is the charge over ε₀.
"""

import sys
from typing import Tuple

import numpy as np
from numpy.typing import NDArray

import poisson3d

EPSILON_0 = 8.8541878128e-12  # F/m
CHARGE = 1.602176634e-19  # C
LENGTH = 4e-9  # m, side of the box
POINTS = 97  # nodes along a side, both walls included
WALL = 2.0  # V at x = LENGTH


Array = NDArray[np.float64]


def gaussian(x: Array, y: Array, z: Array, centre: Tuple[float, float, float], charge: float) -> Array:
    """A charge density in C/m³ whose integral is `charge`."""
    width = 1.5e-10
    r2: Array = (x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2
    density: Array = charge * np.exp(-r2 / (2 * width**2)) / (2 * np.pi * width**2) ** 1.5
    return density


def flux_through_walls(field: Array, h: float) -> float:
    """∮ E·n dA by the trapezoidal rule; field[axis, i, j, k]."""
    ends = np.ones(POINTS)
    ends[[0, -1]] = 0.5
    area = np.outer(ends, ends) * h**2
    flux = 0.0
    for axis in range(3):
        normal = np.moveaxis(field[axis], axis, 0)
        flux += ((normal[-1] - normal[0]) * area).sum()
    return flux


def main(picture: str) -> None:
    h = LENGTH / (POINTS - 1)
    solver = poisson3d.Solver((POINTS,) * 3, spacing=h, boundary="dirichlet", centering="node")
    x, y, z = np.meshgrid(*solver.positions, indexing="ij", sparse=True)

    middle = LENGTH / 2
    density = (gaussian(x, y, z, (1.6e-9, 2.0e-9, middle), -2 * CHARGE)
               + gaussian(x, y, z, (2.2e-9, 2.8e-9, middle), CHARGE)
               + gaussian(x, y, z, (2.2e-9, 1.2e-9, middle), 2 * CHARGE))

    # The value of the wall falls to zero towards its edges, where it meets the grounded walls; sin π is only nearly 0.
    line = np.sin(np.pi * np.arange(POINTS) / (POINTS - 1))
    line[-1] = 0.0
    walls = {"x_upper": WALL * np.outer(line, line)}
    potential = solver.solve(density, scale=-1 / EPSILON_0, boundary_values=walls)
    field = -solver.gradient(potential, boundary_values=walls)

    total = density.sum() * h**3
    flux = flux_through_walls(field, h) * EPSILON_0
    print(solver.description)
    print(f"charge {total / CHARGE:+.4f} e, flux through the walls {flux / CHARGE:+.4f} e")
    print(f"potential from {potential.min():.3f} V to {potential.max():.3f} V")

    draw(picture, solver.positions, potential[:, :, POINTS // 2], field[:2, :, :, POINTS // 2])
    print(f"wrote {picture}")


def draw(picture: str, positions: Tuple[Array, Array, Array], potential: Array, field: Array) -> None:
    """The plane through the middle: potential in colour and lines, the field as streamlines."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    x, y = positions[0] * 1e9, positions[1] * 1e9
    largest = np.percentile(np.abs(potential), 99)
    levels = 0.125 * 2.0 ** np.arange(8)
    figure, axes = pyplot.subplots(figsize=(5.4, 4.4), dpi=100)
    image = axes.contourf(x, y, potential.T, np.linspace(-largest, largest, 41), cmap="RdBu_r", extend="both")
    axes.contour(x, y, potential.T, [*-levels[::-1], *levels], colors="0.4", linestyles="solid", linewidths=0.6)
    axes.streamplot(x, y, field[0].T, field[1].T, color="0.1", linewidth=0.5, arrowsize=0.6, density=1.1)
    axes.set(xlabel="x / nm", ylabel="y / nm", title="Three charges, right wall at 2 V", aspect="equal",
             xlim=(0, 4), ylim=(0, 4))
    figure.colorbar(image, label="potential / V")
    figure.tight_layout()
    figure.savefig(picture)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "potential.png")
