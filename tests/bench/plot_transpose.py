#!/usr/bin/env python3
"""Draws what `poisson3d bench transpose --json` measured.

    plot_transpose.py speed FILE.json OUT.png    fraction of copy speed against size, a line per algorithm,
                                                 a panel per element size
    plot_transpose.py heat  FILE.json OUT.png    fraction of copy speed over (rows, columns): the file holds
                                                 matrices, measured as fields of rows x 1 x columns
    plot_transpose.py orders FILE.json OUT.png   in place: fraction of copy speed against the order of a square
                                                 matrix, a line per block order
    plot_transpose.py bands FILE.json OUT.png    in place: fraction of copy speed over (band, order) of block order
                                                 v1b

The last two draw what this measures, on a GPU in a minute or two (bands: --order v1b --band 1,2,4,8,16,32,64,128):

    poisson3d bench transpose --in-place --permutation xzy --algorithm exchange --order v1,v1r,v2,v1b --repeat 5 \\
        --points 1x1024x1024,1x2048x2048,1x4096x4096,1x8192x8192,1x16384x16384,1x32768x32768 --json FILE.json

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
    in_place = all(case.get("in_place") for case in report["cases"])
    elements = sorted({case["element_bytes"] for case in report["cases"]})
    figure, panels = plt.subplots(1, len(elements), figsize=(5.2 * len(elements), 4.6), squeeze=False)
    for panel, element in zip(panels[0], elements):
        cases = [case for case in report["cases"] if case["element_bytes"] == element]
        rows = sorted({case["points"][0] for case in cases})
        columns = sorted({case["points"][2] for case in cases})
        table = np.full((len(rows), len(columns)), np.nan)
        for case in cases:
            table[rows.index(case["points"][0]), columns.index(case["points"][2])] = case["fraction_of_copy"]
        # Rectangles in place cannot pass 0.5: they take two sweeps.
        least, most = (0.1, 0.5) if in_place else (0.4, 1.0)
        image = panel.imshow(table, origin="lower", vmin=least, vmax=most, cmap="viridis", aspect="auto")
        panel.set_xticks(range(len(columns)), columns, rotation=90, fontsize=6)
        panel.set_yticks(range(len(rows)), rows, fontsize=6)
        panel.set_xlabel("columns")
        panel.set_ylabel("rows")
        panel.set_title(f"elements of {element} bytes, median {np.nanmedian(table):.2f}", fontsize=10)
        figure.colorbar(image, ax=panel, label="fraction of copy speed")
    what = "rectangles in place: " if in_place else "2-D transposes, automatic: "
    figure.suptitle(what + caption(report), fontsize=8 if in_place else 10)
    figure.tight_layout()
    figure.savefig(target, dpi=90)


def squares(report, element):
    """The exchanges of square matrices among the cases."""
    return [case for case in report["cases"] if case.get("in_place") and case["element_bytes"] == element
            and case["used"] == "exchange" and case["points"][0] == 1 and case["points"][1] == case["points"][2]]


def order_label(case):
    band = f", bands of {case['band']}" if case["band"] else ""
    return case["order"] + band


def orders(report, target):
    elements = sorted({case["element_bytes"] for case in report["cases"]})
    figure, panels = plt.subplots(1, len(elements), figsize=(4.6 * len(elements), 4.4), sharey=True, squeeze=False)
    for panel, element in zip(panels[0], elements):
        cases = squares(report, element)
        for name in dict.fromkeys(order_label(case) for case in cases):
            points = sorted((case["points"][1], case["fraction_of_copy"])
                            for case in cases if order_label(case) == name)
            panel.plot(*zip(*points), marker=".", linewidth=1.2, label=name)
        panel.set_xscale("log", base=2)
        panel.set_title(f"elements of {element} bytes")
        panel.set_xlabel("order of the matrix")
        panel.grid(alpha=0.3)
        panel.set_ylim(0, 1.02)
    panels[0][0].set_ylabel("fraction of copy speed")
    panels[0][-1].legend(fontsize=7, loc="lower right")
    figure.suptitle("square matrices in place: " + caption(report), fontsize=8)
    figure.tight_layout()
    figure.savefig(target, dpi=90)


def bands(report, target):
    elements = sorted({case["element_bytes"] for case in report["cases"]})
    figure, panels = plt.subplots(1, len(elements), figsize=(5.2 * len(elements), 4.6), squeeze=False)
    for panel, element in zip(panels[0], elements):
        cases = [case for case in squares(report, element) if case["order"] == "v1b"]
        sides = sorted({case["points"][1] for case in cases})
        widths = sorted({case["band"] for case in cases})
        table = np.full((len(widths), len(sides)), np.nan)
        for case in cases:
            table[widths.index(case["band"]), sides.index(case["points"][1])] = case["fraction_of_copy"]
        image = panel.imshow(table, origin="lower", vmin=0.5, vmax=1.0, cmap="viridis", aspect="auto")
        panel.set_xticks(range(len(sides)), sides, rotation=90, fontsize=6)
        panel.set_yticks(range(len(widths)), widths, fontsize=6)
        panel.set_xlabel("order of the matrix")
        panel.set_ylabel("width of a band, in tiles")
        panel.set_title(f"elements of {element} bytes", fontsize=10)
        figure.colorbar(image, ax=panel, label="fraction of copy speed")
    figure.suptitle("square matrices in place, block order v1b: " + caption(report), fontsize=8)
    figure.tight_layout()
    figure.savefig(target, dpi=90)


DRAWINGS = {"speed": speed, "heat": heat, "orders": orders, "bands": bands}

if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in DRAWINGS:
        sys.exit(__doc__)
    DRAWINGS[sys.argv[1]](load(sys.argv[2]), sys.argv[3])
