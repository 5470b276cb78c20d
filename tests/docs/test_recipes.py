"""Every command block of a page runs, in order, in an empty folder with the samples in it: test_recipes.py PROGRAM PAGE

Exit code 77: NumPy or h5py is missing, or the page draws pictures and the program was built without Cairo.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import h5py  # noqa: F401  (the pages need it)
    import numpy  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def main():
    program, page = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M)
    assert len(blocks) >= 2, "no commands found"
    if any("--preview" in block or "poisson3d plot" in block for block in blocks):
        asked = subprocess.run([program, "plot", "no.h5", "-o", "no.png"], capture_output=True, text=True, check=False)
        if "without Cairo" in asked.stderr:
            print(f"skipped: {asked.stderr}")
            return 77
    with tempfile.TemporaryDirectory(prefix="poisson3d-") as folder:
        tools = pathlib.Path(folder) / "tools"
        tools.mkdir()
        (tools / "python3").symlink_to(sys.executable)
        (pathlib.Path(folder) / "data").symlink_to(page.parents[2] / "data")
        environment = dict(os.environ, PATH=f"{tools}:{program.parent}:{os.environ['PATH']}")
        for block in blocks:
            done = subprocess.run(["bash", "-e", "-c", block], cwd=folder, env=environment, capture_output=True,
                                  text=True, timeout=300, check=False)
            print(done.stdout)
            if done.returncode != 0:
                print(f"exit code {done.returncode} of\n{block}\n{done.stderr}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
