#!/usr/bin/env python3
"""Draws what `poisson3d bench transpose --json` measured.

    plot_transpose.py speed FILE.json OUT.png    fraction of copy speed against size, a line per algorithm,
                                                 a panel per element size
    plot_transpose.py heat  FILE.json OUT.png    fraction of copy speed over (rows, columns): the file holds
                                                 matrices, measured as fields of rows x 1 x columns

Needs NumPy and Matplotlib.
"""

import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def caption(report):
    return f"{report['device']}, poisson3d {report['version']} ({report['revision'][:9]})"


def label(case):
    """An algorithm and, where it has one, its order."""
    if case["algorithm"] == "banded":
        return "banded: " + case["description"].split(", ")[-1]
    return case["algorithm"]


def speed(report, target):
    elements = sorted({case["element_bytes"] for case in report["cases"]})
    figure, panels = plt.subplots(1, len(elements), figsize=(4.6 * len(elements), 4.4), sharey=True, squeeze=False)
    for panel, element in zip(panels[0], elements):
        cases = [case for case in report["cases"] if case["element_bytes"] == element]
        for name in dict.fromkeys(label(case) for case in cases):
            points = sorted((round(np.prod(case["points"]) ** (1 / 3)), case["fraction_of_copy"])
                            for case in cases if label(case) == name)
            panel.plot(*zip(*points), marker=".", linewidth=1.2 if name != "automatic" else 2.4, label=name)
        panel.set_title(f"elements of {element} bytes")
        panel.set_xlabel("edge of the cube")
        panel.grid(alpha=0.3)
        panel.set_ylim(0, 1.02)
    panels[0][0].set_ylabel("fraction of copy speed")
    panels[0][-1].legend(fontsize=7, loc="lower right")
    figure.suptitle("rotation (x,y,z) → (y,z,x): " + caption(report), fontsize=10)
    figure.tight_layout()
    figure.savefig(target, dpi=90)


def heat(report, target):
    elements = sorted({case["element_bytes"] for case in report["cases"]})
    figure, panels = plt.subplots(1, len(elements), figsize=(5.2 * len(elements), 4.6), squeeze=False)
    for panel, element in zip(panels[0], elements):
        cases = [case for case in report["cases"] if case["element_bytes"] == element]
        rows = sorted({case["points"][0] for case in cases})
        columns = sorted({case["points"][2] for case in cases})
        table = np.full((len(rows), len(columns)), np.nan)
        for case in cases:
            table[rows.index(case["points"][0]), columns.index(case["points"][2])] = case["fraction_of_copy"]
        image = panel.imshow(table, origin="lower", vmin=0.4, vmax=1.0, cmap="viridis", aspect="auto")
        panel.set_xticks(range(len(columns)), columns, rotation=90, fontsize=6)
        panel.set_yticks(range(len(rows)), rows, fontsize=6)
        panel.set_xlabel("columns")
        panel.set_ylabel("rows")
        panel.set_title(f"elements of {element} bytes, median {np.nanmedian(table):.2f}", fontsize=10)
        figure.colorbar(image, ax=panel, label="fraction of copy speed")
    figure.suptitle("2-D transposes, automatic: " + caption(report), fontsize=10)
    figure.tight_layout()
    figure.savefig(target, dpi=90)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("speed", "heat"):
        sys.exit(__doc__)
    {"speed": speed, "heat": heat}[sys.argv[1]](load(sys.argv[2]), sys.argv[3])
