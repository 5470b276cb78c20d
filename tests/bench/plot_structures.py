#!/usr/bin/env python3
"""Draws what the program structures (structures.cpp) measured with --json: fraction of copy speed against the words of
a structure, a line for each thing measured, a panel per word size.

    plot_structures.py FILE.json OUT.png

Needs Matplotlib.
"""

import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def draw(report, target):
    elements = sorted({case["word_bytes"] for case in report["cases"]})
    figure, panels = plt.subplots(1, len(elements), figsize=(4.6 * len(elements), 4.4), sharey=True, squeeze=False)
    for panel, element in zip(panels[0], elements):
        cases = [case for case in report["cases"] if case["word_bytes"] == element]
        for what in dict.fromkeys(case["what"] for case in cases):
            points = sorted((case["words"], case["fraction_of_copy"]) for case in cases if case["what"] == what)
            panel.plot(*zip(*points), marker=".", linewidth=1.2, label=what)
        panel.set_title(f"words of {element} bytes")
        panel.set_xlabel("words of a structure")
        panel.grid(alpha=0.3)
        panel.set_ylim(0, 1.05)
    panels[0][0].set_ylabel("fraction of copy speed")
    panels[0][-1].legend(fontsize=7, loc="lower right")
    figure.suptitle(f"arrays of structures: {report['device']}, poisson3d {report['version']} "
                    f"({report['revision'][:9]})", fontsize=10)
    figure.tight_layout()
    figure.savefig(target, dpi=90)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        draw(json.load(file), sys.argv[2])
