"""Where are the charges? From the potential on one plane alone, by gradients through the solve, in PyTorch.

    python inverse_torch.py [picture.png]

Three charges stand in a grounded box. What is measured is the charge on its top wall, that is the normal derivative of
the potential there. Positions and charges are found by minimising the misfit with L-BFGS, whose gradient takes one more
solve a step: a solve is its own derivative.
"""

import sys

import torch

import poisson3d.torch

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

device = "cuda" if torch.cuda.is_available() else "cpu"
x, y, z = (((torch.arange(n, dtype=torch.float64, device=device) + 0.5) * H).reshape([-1] + [1] * (2 - axis))
           for axis, n in enumerate(POINTS))
solver = poisson3d.torch.Solver(POINTS, spacing=H, boundary="dirichlet")


def density(charges: torch.Tensor) -> torch.Tensor:
    """Gaussians, whose integrals are the charges."""
    total = torch.zeros(POINTS, dtype=torch.float64, device=device)
    for at_x, at_y, at_z, charge in charges:
        r2 = (x - at_x) ** 2 + (y - at_y) ** 2 + (z - at_z) ** 2
        total = total + charge * torch.exp(-r2 / (2 * WIDTH**2)) / (2 * torch.pi * WIDTH**2) ** 1.5
    return total


def measure(charges: torch.Tensor) -> torch.Tensor:
    """The charge on the grounded top wall: ∂φ/∂z there, φ = 0 at the wall half a cell beyond the last points."""
    return solver(density(charges), scale=-1.0)[:, :, -1] / (0.5 * H)


def main(picture: str) -> None:
    truth = torch.tensor(TRUE, dtype=torch.float64, device=device)
    measured = measure(truth)
    charges = torch.tensor(GUESS, dtype=torch.float64, device=device, requires_grad=True)
    optimizer = torch.optim.LBFGS([charges], max_iter=60, history_size=20, line_search_fn="strong_wolfe",
                                  tolerance_grad=0.0, tolerance_change=0.0)
    path, losses = [], []

    def misfit() -> torch.Tensor:
        optimizer.zero_grad()
        loss = ((measure(charges) - measured) ** 2).mean()
        loss.backward()
        path.append(charges.detach().cpu().clone())
        losses.append(loss.item())
        return loss

    optimizer.step(misfit)
    error = (charges.detach() - truth).abs().max().item()
    print(f"{len(path)} times two solves, misfit {losses[0]:.1e} to {losses[-1]:.1e}, "
          f"largest error of a position or charge {error:.1e}")
    draw(picture, measured.cpu(), torch.stack(path))
    print(f"wrote {picture}")


def draw(picture: str, measured: torch.Tensor, path: torch.Tensor) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.4, 4.4), dpi=100)
    largest = float(measured.abs().max())
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
    main(sys.argv[1] if len(sys.argv) > 1 else "inverse_torch.png")
