#!/usr/bin/env python3
"""Draws the box sample: plot_water_box.py PROGRAM WATER_BOX.h5 OUT.png [FINER.h5 ...]

Density and potential in the plane of nodes nearest to the molecule, the error there against PySCF's potential, and the
error against the spacing. FINER.h5 are files of make_water_box.py --refine. Needs Matplotlib beside NumPy and h5py.
"""

import pathlib
import sys
import tempfile

import h5py
import matplotlib.pyplot as plt
import numpy as np
from water_box import STEPS, Solved, extrapolated, root_mean_square


def picture(figure, panel, values, extent, title, **style):
    image = panel.imshow(values.T, origin="lower", extent=extent, **style)
    panel.set(title=title, xlabel="y (bohr)", ylabel="z (bohr)")
    figure.colorbar(image, ax=panel, shrink=0.8)


def main():
    program, box, target = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory(prefix="poisson3d-") as folder:
        solved = [Solved(program, box, pathlib.Path(folder), step) for step in STEPS]
        finest = solved[-1]
        solved += [Solved(program, pathlib.Path(finer), pathlib.Path(folder), 1) for finer in sys.argv[4:]]
    with h5py.File(box) as file:
        density = file["rhs"][...]
    for each in solved:
        print(f"{' x '.join(map(str, each.solution.shape))}: {each.rms:.3e} rms, {each.max:.3e} max")
    for coarse, fine in zip(solved, solved[1:]):
        left = extrapolated(coarse, fine)
        print(f"order {np.log2(coarse.rms / fine.rms):.3f} rms, {np.log2(coarse.max / fine.max):.3f} max; "
              f"extrapolated {root_mean_square(left):.2e} rms, {np.abs(left).max():.2e} max")

    plane = int(round(-finest.origin[0] / finest.spacing[0]))
    h, low = finest.spacing[1:], finest.origin[1:]
    high = low + h * (np.array(density.shape[1:]) - 1)
    extent = [low[0] - h[0] / 2, high[0] + h[0] / 2, low[1] - h[1] / 2, high[1] + h[1] / 2]
    figure, panels = plt.subplots(2, 2, figsize=(9.6, 7.4), layout="constrained")
    picture(figure, panels[0, 0], density[plane], extent, "charge density ρ (e/bohr³)", cmap="Blues_r")
    picture(figure, panels[0, 1], finest.solution[plane], extent, "potential φ (hartree/e)", cmap="viridis")
    most = np.abs(finest.error[plane]).max()
    picture(figure, panels[1, 0], finest.error[plane], extent, "φ − PySCF (hartree/e)", cmap="RdBu_r", vmin=-most,
            vmax=most)

    spacing = [each.spacing.max() for each in solved]
    panel = panels[1, 1]
    panel.loglog(spacing, [each.max for each in solved], "o-", color="tab:red", label="largest error")
    panel.loglog(spacing, [each.rms for each in solved], "s-", color="tab:blue", label="root mean square")
    panel.loglog(spacing, [0.07 * h**2 for h in spacing], "k--", linewidth=1, label="slope 2")
    panel.set(title="φ − PySCF against the spacing", xlabel="largest spacing (bohr)", ylabel="hartree/e")
    panel.set_xticks(spacing, [f"{h:.2f}" for h in spacing])
    panel.set_xticks([], minor=True)
    panel.grid(alpha=0.3)
    panel.legend()
    figure.savefig(target, dpi=85)


if __name__ == "__main__":
    main()
