# %% [markdown]
# # An ion in water
# The field of a charge in a cavity of a dielectric, ∇·(ε∇φ) = −ρ with ε = 1 inside and 80 outside: a variable
# coefficient that jumps. Its energy of solvation is known (Born): W = (1/80 − 1) q²/(8πa), a the radius of the cavity.
# Two phases of a flow, whose densities are 1000 : 1, are the same equation for the pressure.
#
# The cells run one after the other in an editor that knows them, or all: python dielectric.py

# %%
import numpy as np
from numpy.typing import NDArray

import poisson3d

LENGTH, RADIUS, CHARGE = 8.0, 1.5, 1.0
Array = NDArray[np.float64]


def distances(points: int) -> Array:
    """From the middle of the box, at the centres of cells. The number is odd, so that one cell has the charge."""
    x = (np.arange(points) + 0.5) * (LENGTH / points) - LENGTH / 2
    found: Array = np.sqrt(x[:, None, None] ** 2 + x[:, None] ** 2 + x**2)
    return found


def outer(points: int, contrast: float) -> dict[str, Array]:
    """Coulomb's potential far away, on the six faces."""
    x = (np.arange(points) + 0.5) * (LENGTH / points) - LENGTH / 2
    face: Array = CHARGE / (4 * np.pi * contrast) / np.sqrt(x[:, None] ** 2 + x**2 + LENGTH**2 / 4)
    return {f"{axis}_{side}": face for axis in "xyz" for side in ("lower", "upper")}


# %% [markdown]
# ## Cavities of different sharpness
# `width` is that of the interface, in which ln ε rises as a tanh. The solver chooses its scaling by itself: 1 for what is
# smooth on the grid, 1/2 for jumps.

# %%
def potential(points: int, contrast: float, width: float = 0.0) -> tuple[Array, poisson3d.VariableSolver]:
    r = distances(points)
    inside = r < RADIUS if width == 0 else 0.5 * (1 + np.tanh((RADIUS - r) / width))
    epsilon = contrast ** (1.0 - inside)
    density = np.zeros_like(r)
    density[points // 2, points // 2, points // 2] = CHARGE / (LENGTH / points) ** 3
    solver = poisson3d.VariableSolver(r.shape, spacing=LENGTH / points, boundary="dirichlet", engine="host")
    solver.set_coefficient(epsilon)
    return solver.solve(density, scale=-1.0, boundary_values=outer(points, contrast)), solver


# %% [markdown]
# ## Iterations
# For a smooth interface they depend neither on the number of points nor much on the contrast; for a jump they grow slowly.

# %%
for name, contrast in (("dielectric", 80.0), ("two phases", 1000.0)):
    for width in (0.8, 0.0):
        for points in (33, 65):
            solver = potential(points, contrast, width)[1]
            print(f"{name:10} {contrast:4.0f}:1, {'smooth' if width else 'jump':6} {points}³: {solver.result.iterations} "
                  f"iterations, scaling {solver.scaling:g}, residual {solver.result.residual:.0e}")

# %% [markdown]
# ## The energy
# q/2 times what the water adds to the potential at the charge; the charge's own, which is that of its cell, is subtracted
# with the same charge in empty space.

# %%
POINTS = 65
middle = (POINTS // 2,) * 3
energy = 0.5 * CHARGE * float((potential(POINTS, 80.0)[0] - potential(POINTS, 1.0)[0])[middle])
born = (1 / 80 - 1) * CHARGE**2 / (8 * np.pi * RADIUS)
print(f"energy of solvation {energy:.5f}, Born {born:.5f}")
