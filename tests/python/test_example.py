"""The example runs, its charge is what flows out of the box, and its picture shows something.

Argument: the script."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import matplotlib.image
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (needed: python3-numpy python3-matplotlib)")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    picture = pathlib.Path(folder) / "potential.png"
    run = subprocess.run([sys.executable, sys.argv[1], str(picture)], capture_output=True, text=True, cwd=folder,
                         env={**os.environ, "MPLCONFIGDIR": folder})
    print(run.stdout, run.stderr)
    assert run.returncode == 0
    charge, flux = (float(x) for x in re.findall(r"([+-][0-9.]+) e\b", run.stdout))
    assert abs(charge - 1) < 1e-3, "the charges sum to +1 e"
    assert abs(flux - charge) < 2e-3, "Gauss's law"
    pixels = matplotlib.image.imread(picture)[:, :, :3]
    assert min(pixels.shape[:2]) > 300, pixels.shape
    reddish = (pixels[:, :, 0] > pixels[:, :, 2] + 0.3).mean()
    bluish = (pixels[:, :, 2] > pixels[:, :, 0] + 0.3).mean()
    assert 0.02 < reddish < 0.5 and 0.005 < bluish < 0.5, (reddish, bluish)
