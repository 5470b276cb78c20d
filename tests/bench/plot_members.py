#!/usr/bin/env python3
"""Draws what the bench members (members.cpp) printed: times one GPU's speed against GPUs, a line for each box, a panel
for each method. Of several choices for one box the fastest is drawn.

    members 0,1 256 512 1024 > two.txt; members 0,1,2,3 256 512 1024 > four.txt
    plot_members.py two.txt four.txt OUT.png

Needs Matplotlib.
"""

import re
import sys

BOX = re.compile(r"^(\d+) x (\d+) x (\d+) (double|single)(?:, (\d+) at once)?: one device ([\d.]+) ms")
SOLVE = re.compile(r"^  (eliminate|transpose) +([\d.]+) ms +([\d.]+) times one device's speed")
MEMBERS = re.compile(r"over (\d+) members on devices? [\d, ]+\((.*?)\)")


def read(text):
    """{method: {box: {GPUs: speed}}}, and the name of the GPUs."""
    found, box, solve, device = {}, None, None, ""
    for line in text.splitlines():
        if match := BOX.match(line):
            n = match.group(1, 2, 3)
            box = f"{n[0]}³" if len(set(n)) == 1 else "×".join(n)
            box += " " + match.group(4) + (f", {match.group(5)} at once" if match.group(5) else "")
        elif match := SOLVE.match(line):
            solve = match.group(1), float(match.group(3))
        elif box and solve and (match := MEMBERS.search(line)):
            lines = found.setdefault(solve[0], {}).setdefault(box, {1: 1.0})
            count, device = int(match.group(1)), match.group(2)
            lines[count] = max(lines.get(count, 0.0), solve[1])
            solve = None
    return found, device


def draw(found, device, target):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, len(found), figsize=(4.8 * len(found), 4.4), sharey=True, squeeze=False)
    most = max(count for boxes in found.values() for lines in boxes.values() for count in lines)
    for panel, (method, boxes) in zip(panels[0], sorted(found.items())):
        panel.plot([1, most], [1, most], color="gray", linewidth=0.8, linestyle="--", label="as many times as GPUs")
        for box, lines in boxes.items():
            panel.plot(*zip(*sorted(lines.items())), marker="o", linewidth=1.2, label=box)
        panel.set_title({"eliminate": "x eliminated", "transpose": "x transposed"}[method])
        panel.set_xlabel("GPUs")
        panel.set_xticks(sorted({count for lines in boxes.values() for count in lines}))
        panel.set_ylim(0, None)
        panel.grid(alpha=0.3)
        panel.legend(fontsize=8, loc="upper left")
    panels[0][0].set_ylabel("times one GPU's speed")
    figure.suptitle(f"solves by several GPUs: {device}", fontsize=10)
    figure.tight_layout()
    figure.savefig(target, dpi=90)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    text = ""
    for name in sys.argv[1:-1]:
        with open(name, encoding="utf-8") as file:
            text += file.read() + "\n"
    found, device = read(text)
    if not found:
        sys.exit("found no solve of members in " + ", ".join(sys.argv[1:-1]))
    draw(found, device, sys.argv[-1])


if __name__ == "__main__":
    main()
