#!/usr/bin/env python3
"""Where HDF5 crashes over an input that its trial took for whole, that is told as what it is: test_crash_in_read.py
PROGRAM LIBRARY."""

import json
import os
import subprocess
import sys
import tempfile

program, library = map(os.path.abspath, sys.argv[1:3])
with tempfile.TemporaryDirectory(prefix="poisson3d-") as directory:
    subprocess.run([program, "make", "sine", "--points", "4", "-o", "sine.h5", "-q"], cwd=directory, check=True)
    done = subprocess.run(
        [program, "-i", "sine.h5", "--json", "-"], cwd=directory, env={**os.environ, "LD_PRELOAD": library},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    print(done)
    assert done.returncode == 3
    assert done.stderr == "poisson3d: the HDF5 library crashed while reading the input: it is damaged\n"
    assert json.loads(done.stdout) == {"status": 3, "message": done.stderr[len("poisson3d: ") : -1]}
    assert os.listdir(directory) == ["sine.h5"]
