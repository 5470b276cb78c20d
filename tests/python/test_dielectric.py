"""The example of an ion in water: iterations that do not depend on the number of points, and Born's energy.

Argument: the script, which is cells of a notebook."""

import pathlib
import re
import subprocess
import sys

try:
    import numpy  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

cells = pathlib.Path(sys.argv[1]).read_text().split("# %%")
assert len(cells) > 6 and cells[0] == "" and all(cell.startswith((" [markdown]\n", "\n")) for cell in cells[1:])
run = subprocess.run([sys.executable, sys.argv[1]], capture_output=True, text=True, timeout=300)
print(run.stdout, run.stderr)
assert run.returncode == 0
counts = {}
for contrast, kind, points, iterations in re.findall(r"(\d+):1, (\w+) +(\d+)³: (\d+) iterations", run.stdout):
    counts.setdefault((contrast, kind), {})[points] = int(iterations)
assert set(counts) == {(contrast, kind) for contrast in ("80", "1000") for kind in ("smooth", "jump")}
for (contrast, kind), by_points in counts.items():
    assert len(by_points) == 2
    assert max(by_points.values()) <= (15 if kind == "smooth" else 40), (contrast, kind, by_points)
    assert max(by_points.values()) <= (1 if kind == "smooth" else 8) + min(by_points.values()), (contrast, kind, by_points)
found, born = (float(one) for one in re.findall(r"-0\.\d+", run.stdout))
assert abs(born + 0.026194) < 1e-5 and abs(found - born) < 0.02 * abs(born), (found, born)
