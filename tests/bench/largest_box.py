"""A box as large as the GPUs together hold, from a file to a file: made, solved by members and verified at every point.

    python3 tests/bench/largest_box.py --program build/gpu-native/bin/poisson3d --points 1024 --devices 0,1
    python3 tests/bench/largest_box.py --program … --points 3072 --devices 8 --folder /mnt/scratch

The folder needs room for two fields (1024³ doubles: 17 GB; 3072³: 464 GB), each GPU for its part of one and what the
plan holds. The residual is that of the 7-point stencil, evaluated in double precision on the host at every point, from
the solution that comes back from the GPUs. Options after -- go to the solve. Exit code of the program: 0, or 1 where the
backward error is above the tolerance.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time


def run(*command):
    begin = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode > 1:
        sys.exit(done.returncode)
    return done, time.monotonic() - begin


def main():
    own, more = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, more = own[:at], own[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="poisson3d")
    parser.add_argument("--points", default="1024", help="one number for a cube, or three: 1024,512,512")
    parser.add_argument("--precision", default="double", choices=["double", "single"])
    parser.add_argument("--boundary", default="x=dirichlet,y=neumann,z=periodic")
    parser.add_argument("--devices", help="how many GPUs, or which: 0,1; none: on the host")
    parser.add_argument("--folder", default="/dev/shm", help="where both files are for a while")
    arguments = parser.parse_args(own)

    counts = [int(one) for one in arguments.points.split(",")]
    nx, ny, nz = counts * 3 if len(counts) == 1 else counts
    size = nx * ny * nz * (8 if arguments.precision == "double" else 4)
    room = shutil.disk_usage(arguments.folder).free
    if room < 2 * size + (1 << 20):
        sys.exit(f"{arguments.folder}: found room for {room / 1e9:.0f} GB, wanted it for two fields of {size / 1e9:.0f} GB")

    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="largest-box-") as folder:
        f, u = os.path.join(folder, "f.h5"), os.path.join(folder, "u.h5")
        _, making = run(arguments.program, "make", "random", "--points", f"{nx},{ny},{nz}", "--precision",
                        arguments.precision, "--boundary", arguments.boundary, "-o", f, "-q")
        devices = [] if arguments.devices is None else ["--devices", arguments.devices]
        done, whole = run(arguments.program, "-i", f, "-o", u, *devices, *more, "--json", "-", "--progress", "never")
    report = json.loads(done.stdout)
    seconds = report["seconds"]
    print(f"{nx} x {ny} x {nz} {arguments.precision}, {size / 1e9:.1f} GB, {report['plan']}")
    print(f"  backward error {report['residual']['backward']:.2e}, tolerance {report['tolerance']:.2e}, verified at all "
          f"{nx * ny * nz} points")
    print(f"  solve {1e3 * seconds['solve']:.1f} ms, {report['copies']:.2f} copies; workspace "
          f"{report['bytes']['workspace'] / 1e9:.2f} GB")
    print(f"  file to file {whole:.1f} s: " + ", ".join(f"{name} {value:.2f}" for name, value in seconds.items()) +
          f"; the right-hand side was made in {making:.1f} s")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
