"""Where are the charges? From the potential on one plane alone, by gradients through the solve, in JAX.

    python inverse_jax.py [picture.png]

Three charges stand in a grounded box. What is measured is the charge on its top wall, that is the normal derivative of
the potential there. Positions and charges are found by the Gauss-Newton method with damping. What it needs, the derivative of
the measured field by each of the twelve numbers, is one batch of twelve solves: jax.jacfwd maps the solve over them.
"""

import sys
from typing import Tuple

import jax
import jax.numpy as jnp

import poisson3d.jax

jax.config.update("jax_enable_x64", True)

POINTS = (48, 48, 32)  # cells of a box 1.5 x 1.5 x 1
H = 1 / 32
WIDTH = 0.06  # of each charge, a Gaussian
#        x     y     z   charge
TRUE = [[0.45, 0.50, 0.60, 1.0],
        [1.05, 0.40, 0.70, -0.7],
        [0.80, 1.05, 0.55, 0.8]]
GUESS = [[0.50, 0.60, 0.70, 0.5],
         [0.95, 0.50, 0.70, -0.5],
         [0.75, 0.90, 0.70, 0.5]]

x, y, z = (((jnp.arange(n) + 0.5) * H).reshape([-1] + [1] * (2 - axis)) for axis, n in enumerate(POINTS))
solver = poisson3d.jax.Solver(POINTS, spacing=H, boundary="dirichlet", batch=12)


def density(charges: jax.Array) -> jax.Array:
    """Gaussians, whose integrals are the charges."""
    total = jnp.zeros(POINTS)
    for at_x, at_y, at_z, charge in charges:
        r2 = (x - at_x) ** 2 + (y - at_y) ** 2 + (z - at_z) ** 2
        total = total + charge * jnp.exp(-r2 / (2 * WIDTH**2)) / (2 * jnp.pi * WIDTH**2) ** 1.5
    return total


def measure(charges: jax.Array) -> jax.Array:
    """The charge on the grounded top wall: ∂φ/∂z there, φ = 0 at the wall half a cell beyond the last points."""
    return solver(density(charges), scale=-1.0)[:, :, -1] / (0.5 * H)


@jax.jit
def step(charges: jax.Array, damping: float, measured: jax.Array) -> Tuple[jax.Array, jax.Array]:
    """charges + δ with (JᵀJ + damping diag JᵀJ) δ = −Jᵀ (measure − measured), and the misfit there."""
    jacobian = jax.jacfwd(measure)(charges).reshape(-1, charges.size)
    square = jacobian.T @ jacobian
    right = jacobian.T @ (measured - measure(charges)).reshape(-1)
    found = charges + jnp.linalg.solve(square + damping * jnp.diag(jnp.diag(square)), right).reshape(charges.shape)
    return found, ((measure(found) - measured) ** 2).mean()


def main(picture: str) -> None:
    truth = jnp.array(TRUE)
    measured = measure(truth)
    path, damping, losses = [jnp.array(GUESS)], 0.1, [float("inf")]
    for _ in range(30):
        trial, loss = step(path[-1], damping, measured)
        damping *= 0.1 if loss < losses[-1] else 10.0
        if loss < losses[-1]:
            path.append(trial)
            losses.append(float(loss))
        if losses[-1] < 1e-24:
            break
    error = float(jnp.abs(path[-1] - truth).max())
    print(f"{len(losses) - 1} steps, misfit {losses[1]:.1e} to {losses[-1]:.1e}, "
          f"largest error of a position or charge {error:.1e}")
    draw(picture, measured, jnp.stack(path))
    print(f"wrote {picture}")


def draw(picture: str, measured: jax.Array, path: jax.Array) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.4, 4.4), dpi=100)
    largest = float(abs(measured).max())
    image = axes.imshow(measured.T, origin="lower", extent=(0, 1.5, 0, 1.5), cmap="RdBu_r", vmin=-largest, vmax=largest)
    for number in range(path.shape[1]):
        axes.plot(path[:, number, 0], path[:, number, 1], "k.-", markersize=3, linewidth=0.7)
        axes.plot(*path[0, number, :2], "ko", fillstyle="none")
    axes.plot(*zip(*[row[:2] for row in TRUE]), "kx", markersize=9, label="true position")
    axes.set(xlabel="x", ylabel="y", title="Charge on the top wall, and the search below")
    axes.legend(loc="lower right")
    figure.colorbar(image, label="∂φ/∂z at the wall")
    figure.tight_layout()
    figure.savefig(picture)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "inverse_jax.png")
