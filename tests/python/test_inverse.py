"""The examples that look for charges find them, and their picture is there. Arguments: the library, the script."""

import importlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

library, script = sys.argv[1:]
try:
    importlib.import_module(library)
    importlib.import_module(f"poisson3d.{library}").Solver((2, 2, 2), spacing=1.0, boundary="dirichlet")
    import matplotlib  # noqa: F401
except Exception as missing:  # noqa: BLE001  (JAX's module may be there without its calls)
    print(f"skipped: {missing}")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    picture = pathlib.Path(folder) / "inverse.png"
    run = subprocess.run([sys.executable, script, str(picture)], capture_output=True, text=True, cwd=folder,
                         env={**os.environ, "MPLCONFIGDIR": folder})
    print(run.stdout, run.stderr)
    assert run.returncode == 0
    assert float(re.search(r"largest error of a position or charge (\S+)", run.stdout)[1]) < 1e-5
    assert picture.stat().st_size > 10_000
