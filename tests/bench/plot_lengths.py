#!/usr/bin/env python3
"""The time of whole solves, in copies of the field, against length, from reports of `poisson3d bench solve`.

    plot_lengths.py draw  OUT.png FILE.json …    a panel for each boundary, centering and precision
    plot_lengths.py table FILE.json …            on stdout: a row for each of them, with its worst lengths

Shown are cubes whose axes are all of one kind. A length is that of an axis's period, or of half of it between walls:
n for n cells and for periodic axes, n − 1 for n nodes between walls. Told apart are 7-smooth lengths (no prime factor
above 7), primes, and the others. Of a problem that is in several reports the last one counts. This measures all cells
from 256 to 1024 (as nodes: 257 to 1025, and --centering node):

    poisson3d bench solve --engine fused --repeat 3 --points $(seq -s, 256 1024) --json FILE.json

Drawing needs Matplotlib.
"""

import statistics
import sys

from plot_accuracy import load, table

COLOURS = {"other": "tab:orange", "prime": "tab:red", "7-smooth": "tab:blue"}
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def prime_factors(n):
    found, p = [], 2
    while p * p <= n:
        while n % p == 0:
            found.append(p)
            n //= p
        p += 1
    return found + [n] * (n > 1)


def sort_of(length):
    factors = prime_factors(length)
    if max(factors, default=1) <= 7:
        return "7-smooth"
    return "prime" if len(factors) == 1 else "other"


def product(length):
    """336 = 2⁴ · 3 · 7, of a prime the number alone."""
    factors = prime_factors(length)
    powers = [str(p) + (str(factors.count(p)).translate(SUPERSCRIPTS) if factors.count(p) > 1 else "")
              for p in dict.fromkeys(factors)]
    return f"{length} = {' · '.join(powers)}" if len(factors) > 1 else str(length)


def panels_of(reports):
    """{(precision, centering, boundary): {length: copies}}"""
    panels = {}
    for report in reports:
        for case in report["cases"]:
            problem = case["problem"]
            faces = problem["boundary"]
            axes = set(zip(problem["points"], problem["centering"], faces[::2], faces[1::2]))
            if len(axes) > 1 or case["batch"] > 1:
                continue
            n, centering, lower, upper = axes.pop()
            boundary = lower if lower == upper else f"{lower}:{upper}"
            panel = panels.setdefault((problem["precision"], centering, boundary), {})
            panel[n if "periodic" in faces or centering == "cell" else n - 1] = case["copies"]
    return dict(sorted(panels.items()))


def title(key):
    precision, centering, boundary = key
    return f"{boundary} {centering}s, {precision}"


def print_table(reports):
    rows = []
    for key, copies in panels_of(reports).items():
        worst = sorted(copies, key=copies.get, reverse=True)
        said = [f"{product(n)} ({copies[n]:.1f})" for n in worst]
        smooth = [text for n, text in zip(worst, said) if sort_of(n) == "7-smooth"]
        rows.append([title(key), str(len(copies)), f"{statistics.median(copies.values()):.1f}",
                     f"{copies[worst[0]]:.1f}", smooth[0] if smooth else "–", ", ".join(said[:5])])
    print(table(["copies", "lengths", "median", "worst", "worst 7-smooth", "five worst"], rows), end="")


def draw(reports, target):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    shown = panels_of(reports)
    columns = min(4, len(shown))
    figure, panels = plt.subplots(-(-len(shown) // columns), columns, squeeze=False, sharex=True, sharey=True,
                                  figsize=(4.6 * columns, 3.6 * -(-len(shown) // columns)), layout="constrained")
    for panel in panels.flat[len(shown):]:
        panel.set_visible(False)
    for panel, (key, copies) in zip(panels.flat, shown.items()):
        for sort, colour in COLOURS.items():
            points = [(n, value) for n, value in copies.items() if sort_of(n) == sort]
            panel.scatter([n for n, _ in points], [value for _, value in points], s=5, color=colour, label=sort)
        panel.set_title(f"{title(key)}: median {statistics.median(copies.values()):.1f}", fontsize=10)
        panel.set_xlabel("length")
        panel.tick_params(labelbottom=True)
        panel.grid(alpha=0.3)
    panels[0][0].set_ylim(bottom=0)  # of all, once all points are there
    for row in panels:
        row[0].set_ylabel("copies of the field")
    panels[0][0].legend(fontsize=7, loc="lower right", ncols=3)
    measured = [f"{report['device']}, poisson3d {report['version']} ({report['revision'][:9]})" for report in reports
                if report["revision"] != "unknown"]  # built from sources without their history
    figure.suptitle("solves of cubes: " + "; ".join(dict.fromkeys(measured)), fontsize=10)
    figure.savefig(target, dpi=90)


if __name__ == "__main__":
    mode, *paths = sys.argv[1:] or [""]
    if mode == "table" and paths:
        print_table([load(path) for path in paths])
    elif mode == "draw" and len(paths) > 1:
        draw([load(path) for path in paths[1:]], paths[0])
    else:
        sys.exit(__doc__)
