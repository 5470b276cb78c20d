#!/usr/bin/env python3
"""Draws what the tool `accuracy` measured, and writes its tables.

    plot_accuracy.py order    FILE.json OUT.png    error against h: second order and spectral, double and float
    plot_accuracy.py rounding FILE.json OUT.png    rounding against size; float against the error of the stencil
    plot_accuracy.py tables   FILE.json OUT.md     the tables of docs/accuracy.md

Needs Matplotlib, the tables nothing.
"""

import json
import math
import sys

EPS = {"double": 2.0**-52, "float": 2.0**-23}
COLOURS = {"P": "tab:blue", "DD": "tab:red", "NN": "tab:green", "DN": "tab:orange", "ND": "tab:purple"}


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def select(rows, **wanted):
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def names(rows):
    return list(dict.fromkeys(row["kinds"] for row in rows))


def line_style(kinds):
    """Colour by walls, marker by cells or nodes; mixtures grey."""
    if " " in kinds:
        return {"color": "0.6", "marker": "x"}
    return {"color": COLOURS[kinds[4:]], "marker": "o" if kinds.startswith("Cell") else "s"}


def order(report, target):
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(10.4, 4.8), sharey=True)
    for panel, discretization in zip(panels, ("second-order", "spectral")):
        for kinds in names(report["order"]):
            rows = select(report["order"], kinds=kinds, discretization=discretization)
            h = [1 / row["n"] for row in rows]
            style = dict(line_style(kinds), markersize=3, linewidth=1)
            panel.loglog(h, [row["double_max"] for row in rows], label=kinds, **style)
            panel.loglog(h, [row["float_max"] for row in rows], linestyle=":", **style)
        panel.set_title(discretization)
        panel.set_xlabel("h / L")
        panel.grid(alpha=0.3)
    h = [1 / 128, 1 / 8]
    panels[0].loglog(h, [1.2 * x * x for x in h], color="black", linewidth=2, label="slope 2")
    for kinds in names(report["rough"]):
        rows = select(report["rough"], kinds=kinds, discretization="spectral")
        panels[1].loglog([1 / row["n"] for row in rows], [row["double_max"] for row in rows], color="black",
                         linewidth=1, linestyle="--", label="extension not smooth" if kinds == "CellDD" else None)
    for name, eps in EPS.items():
        panels[1].axhline(eps, color="black", linewidth=0.6)
        panels[1].text(1 / 8, eps * 0.35, "eps of " + name, fontsize=7, ha="right")
    panels[0].set_ylabel("max|e| / max|u|")
    panels[0].legend(fontsize=7, loc="lower right", ncols=2)
    panels[1].legend(*zip(*[pair for pair in zip(*panels[1].get_legend_handles_labels())
                            if pair[1].startswith("extension")][:1]), fontsize=7, loc="upper left")
    figure.suptitle("error against known solutions, n³ steps; solid: double, dotted: float", fontsize=10)
    figure.tight_layout()
    figure.savefig(target, dpi=90)


def rounding(report, target):
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(10.4, 4.8))
    sizes = sorted({row["n"] for row in report["rounding"]})
    for kinds in names(report["rounding"]):
        for precision, line in (("double", "-"), ("float", ":")):
            key = precision + "_eps"
            rows = [row for row in select(report["rounding"], kinds=kinds, discretization="second-order")
                    if key in row]
            panels[0].plot([row["n"] for row in rows], [row[key] for row in rows], linestyle=line, markersize=3,
                           linewidth=1, label=kinds if precision == "double" else None, **line_style(kinds))
    panels[0].plot(sizes, [2 * math.log2(2 * n) for n in sizes], color="black", linewidth=2,
                   label="tolerance 2 log2(2n)")
    panels[0].set_xscale("log", base=2)
    panels[0].set_ylim(0, 22)  # room for the legend
    panels[0].set_ylabel("rounding error / eps")
    panels[0].set_title("random f, n³ steps; solid: double, dotted: float", fontsize=10)
    panels[0].legend(fontsize=7, loc="upper left", ncols=2)

    rows = report["float_long_boxes"]
    curves = (("discretization", "u, stencil", "tab:blue", "-"), ("rounding", "u, float", "tab:blue", ":"),
              ("slope_discretization", "∂u/∂x by differences, stencil", "tab:red", "-"),
              ("slope_rounding", "∂u/∂x by differences, float", "tab:red", ":"))
    for key, label, colour, line in curves:
        for kinds in names(rows):
            part = select(rows, kinds=kinds)
            panels[1].loglog([row["n"] for row in part], [row[key] for row in part], color=colour, linestyle=line,
                             linewidth=1, label=label if kinds == rows[0]["kinds"] else None)
    panels[1].set_ylabel("max norm, relative")
    panels[1].set_title("n × 4 × 4 steps, smooth f, a line per kind", fontsize=10)
    panels[1].legend(fontsize=7, loc="lower left")
    for panel in panels:
        panel.set_xlabel("n")
        panel.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(target, dpi=90)


def number(value):
    """4.4e-4, as short as it can be said."""
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def order_table(rows, discretization, columns, slope):
    """A line per problem: errors at some sizes, the last two orders in both norms, single precision at the end."""
    result = []
    for kinds in names(rows):
        at = {row["n"]: row for row in select(rows, kinds=kinds, discretization=discretization)}
        last = max(at)
        cells = [kinds] + [number(at[n]["double_max"]) for n in columns]
        if slope:
            cells += [f"{math.log2(at[last // 2][key] / at[last][key]):.2f}" for key in ("double_max", "double_l2")]
        cells += [number(at[last][key]) for key in ("double_l2", "float_max", "float_l2")]
        result.append(cells)
    last = max(row["n"] for row in rows)
    heads = ["kind"] + [f"n = {n}" for n in columns] + (["order", "order, L2"] if slope else [])
    return table(heads + [f"L2, {last}", f"float, {last}", f"float L2, {last}"], result)


def rounding_table(rows):
    sizes = sorted({row["n"] for row in rows})
    result = []
    for discretization in ("second-order", "spectral"):
        for precision in ("double", "float"):
            cells = [f"{discretization}, {precision}"]
            for n in sizes:
                part = [row for row in select(rows, discretization=discretization, n=n) if precision + "_eps" in row]
                cells.append("–" if not part else f"{max(r[precision + '_eps'] for r in part):.1f} eps, "
                                                  f"{max(r[precision + '_part'] for r in part):.2f}")
            result.append(cells)
    return table(["worst of 13 problems"] + [f"n = {n}" for n in sizes], result)


def hard_table(rows):
    sizes = [n for n in (8, 16, 32, 64, 128) if select(rows, n=n)]
    result = []
    labels = {"offset_smooth_eps": "1000 + smooth", "offset_smooth_backward_eps": "its backward error",
              "offset_random_eps": "1000 + random", "offset_random_backward_eps": "its backward error",
              "highest_mode_eps": "highest mode but one"}
    for key, label in labels.items():
        for kinds in names(rows):
            values = [select(rows, kinds=kinds, n=n)[0][key] for n in sizes]
            result.append([label, kinds] + [f"{x:.0f}" if x >= 100 else f"{x:.2g}" for x in values])
    return table(["f", "kind"] + [f"n = {n}" for n in sizes], result)


def float_table(rows, sizes):
    """The range over the kinds."""
    keys = ("discretization", "rounding", "slope_discretization", "slope_rounding")
    result = []
    for n in sizes:
        part = select(rows, n=n)
        cells = [str(n), number(part[0]["h"])]
        for key in keys:
            values = [row[key] for row in part]
            cells.append(f"{number(min(values))} … {number(max(values))}")
        result.append(cells)
    return table(["n", "h / L", "u: stencil", "u: float", "∂u/∂x: stencil", "∂u/∂x: float"], result)


def crossings(rows):
    """The first size at which float errs more than the stencil, for u and its slope."""
    result = []
    for kinds in names(rows):
        cells = [kinds]
        for prefix in ("", "slope_"):
            over = [row["n"] for row in select(rows, kinds=kinds)
                    if row[prefix + "rounding"] > row[prefix + "discretization"]]
            cells.append(str(min(over)) if over else "–")
        result.append(cells)
    return table(["kind", "u", "∂u/∂x"], result)


def tables(report, target):
    parts = {
        "second order": order_table(report["order"], "second-order", (8, 16, 32, 64, 128), True),
        "spectral": order_table(report["order"], "spectral", (8, 12, 16, 24, 32, 64, 128), False),
        "spectral, extension not smooth": order_table(report["rough"], "spectral", (8, 16, 32, 64, 128), True),
        "rounding": rounding_table(report["rounding"]),
        "hard right-hand sides": hard_table(report["hard"]),
        "float, cubes": float_table(report["float_cubes"], (16, 32, 64, 128)),
        "float, long boxes": float_table(report["float_long_boxes"], [2**k for k in range(6, 17)]),
        "float, crossings": crossings(report["float_long_boxes"]),
    }
    with open(target, "w", encoding="utf-8") as file:
        for title, text in parts.items():
            file.write(f"## {title}\n\n{text}\n")


if __name__ == "__main__":
    modes = {"order": order, "rounding": rounding, "tables": tables}
    if len(sys.argv) != 4 or sys.argv[1] not in modes:
        sys.exit(__doc__)
    if sys.argv[1] != "tables":
        import matplotlib

        matplotlib.use("Agg")
    modes[sys.argv[1]](load(sys.argv[2]), sys.argv[3])
