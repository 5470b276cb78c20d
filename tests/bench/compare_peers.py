#!/usr/bin/env python3
"""Whole solves of poisson3d beside other libraries on the same problem, measured in turn in one run.

    compare_peers.py --points 257 --centering node --threads 2
    compare_peers.py --points 512 --boundary all --engine fused --peers vkfft

On the host, with as many threads: FFTW (libfftw3.so.3, libfftw3_threads.so.3), SciPy (which is pocketfft), oneMKL
(libmkl_rt, or what POISSON3D_MKL names). On a GPU (--engine fused or cufft, fields of CuPy that stay there): VkFFT
(pyvkfft). A peer that is not installed is named and left out; one that does not solve a problem has dashes in its row.

Needs NumPy and the Python package poisson3d (PYTHONPATH=build/cpu/python takes that of a build). Every solution is
compared with ours once before it is timed: exit code 1 if one is another. Fields come from a ring of up to 1 GiB, so
that no run finds its field in the cache; the peers but FFTW get their right-hand side put in place just before a run.
"""

import argparse
import itertools
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

import numpy as np
import peers
import poisson3d

WALLS = ("periodic", "dirichlet", "neumann", "dirichlet:neumann", "neumann:dirichlet")
MIXES = ("dirichlet", "neumann", "dirichlet:neumann", "periodic", "periodic,periodic,dirichlet",
         "periodic,dirichlet,neumann")
RING_BYTES = 1 << 30


class Problem(NamedTuple):
    """A box of length 1."""

    shape: tuple
    dtype: np.dtype
    precision: str
    boundary: str
    walls: list  # (lower, upper) of each axis
    centering: list
    discretization: str

    @property
    def spacing(self):
        return [1 / (n - (c == "node" and w[0] != "periodic"))
                for n, c, w in zip(self.shape, self.centering, self.walls)]

    @property
    def singular(self):
        return all("dirichlet" not in walls for walls in self.walls)


class Host:
    def __init__(self, options):
        self.name = platform.processor() or platform.machine()
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                self.name = line.split(":")[1].strip()
        self.free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.time, self.get, self.new = peers.timed, np.asarray, peers.aligned


class Gpu:
    def __init__(self, options):
        import cupy

        self.cupy = cupy
        cupy.cuda.Device(options.device).use()
        self.name = cupy.cuda.runtime.getDeviceProperties(options.device)["name"].decode()
        self.free = cupy.cuda.runtime.memGetInfo()[0]
        self.get, self.new = cupy.asnumpy, cupy.empty

    def time(self, work, *arguments):
        events = [self.cupy.cuda.Event(), self.cupy.cuda.Event()]
        events[0].record()
        work(*arguments)
        events[1].record()
        events[1].synchronize()
        return 1e-3 * self.cupy.cuda.get_elapsed_time(*events)


def ring(place, problem, runs):
    """Pairs (f, u); inputs hold noise between −1 and 1."""
    pair = 2 * int(np.prod(problem.shape)) * problem.dtype.itemsize
    count = max(1, min(runs, min(RING_BYTES, place.free // 4) // pair))
    noise = np.random.default_rng(1).uniform(-1, 1, problem.shape).astype(problem.dtype)
    pairs = []
    for _ in range(count):
        f, u = place.new(problem.shape, problem.dtype), place.new(problem.shape, problem.dtype)
        f[...] = noise if isinstance(f, np.ndarray) else place.cupy.asarray(noise)
        u[...] = 0
        pairs.append((f, u))
    return itertools.cycle(pairs)


def difference(ours, theirs, up_to_a_constant):
    """Largest distance over our largest value; of singular problems, whose constant is everybody's own choice, half
    the range of the distances."""
    distance = theirs.astype("f8") - ours
    if not np.isfinite(distance).all():
        return np.inf
    least, most = distance.min(), distance.max()
    return float(((most - least) / 2 if up_to_a_constant else max(most, -least)) / np.abs(ours).max())


def alike(problem):
    """Far below what the solution of another problem would be, above what rounding makes of either. Elimination along
    an axis, which is oneMKL's way, loses as many digits of a singular problem as the field has points."""
    return np.finfo(problem.dtype).eps * max(int(np.prod(problem.shape)), 65536)


def summary(seconds):
    return {"median": statistics.median_low(seconds), "min": min(seconds), "max": max(seconds), "runs": len(seconds)}


def check(peer, problem, f, ours, place):
    u = place.new(problem.shape, problem.dtype)
    (peer.run if peer.solves else peer.check)(f, u)
    found = difference(place.get(ours), place.get(u), problem.singular)
    if not found <= alike(problem):
        sys.exit(f"compare_peers.py: {peer.name}: its solution is {found:.3g} of the largest value away from ours, so "
                 f"one of them is wrong ({problem})")
    return found


def planned(make):
    start = time.perf_counter()
    return make(), time.perf_counter() - start


def measure(options, problem, place, kinds):
    solver, plan_seconds = planned(lambda: poisson3d.Solver(
        problem.shape, problem.dtype, spacing=problem.spacing, boundary=problem.walls, centering=problem.centering,
        discretization=problem.discretization, mixed=problem.precision == "mixed", engine=options.engine,
        threads=options.threads, device=options.device))
    fields = ring(place, problem, (1 + len(kinds)) * (options.repeat or 1000))
    rows = [{"name": kind.name, **dict.fromkeys(("version", "transform", "seconds", "plan_seconds", "ratio", "difference"))}
            for kind in kinds]
    f, u = next(fields)
    solver.solve(f, out=u)
    at_work = []
    for kind, row in zip(kinds, rows):
        if kind.fits(problem):
            peer, row["plan_seconds"] = planned(lambda kind=kind: kind(problem, solver.threads))
            row.update(version=peer.version, transform=peer.transform, difference=check(peer, problem, f, u, place))
            at_work.append((peer, row, []))
    solve = []
    start = time.perf_counter()
    while not (len(solve) >= options.repeat if options.repeat else
               len(solve) >= 1000 or (len(solve) >= 5 and time.perf_counter() - start >= 1)):
        f, u = next(fields)
        solve.append(place.time(lambda f=f, u=u: (solver.solve(f, out=u), solver.result)))
        for peer, _, seconds in at_work:
            seconds.append(peer.run(*next(fields)))
    for _, row, seconds in at_work:
        row.update(seconds=summary(seconds), ratio=statistics.median_low(solve) / statistics.median_low(seconds))
    faces = [face for walls in problem.walls for face in walls]
    return {"problem": {"points": problem.shape, "spacing": problem.spacing, "boundary": faces,
                        "centering": problem.centering, "discretization": problem.discretization,
                        "precision": problem.precision},
            "engine": solver.engine, "plan": solver.description, "threads": solver.threads,
            "seconds": {"plan": plan_seconds, "solve": summary(solve)}, "peers": rows}


def print_row(problem, case):
    size = "x".join(map(str, problem.shape))
    text = f"{size:<18} {problem.boundary:<30} {problem.precision:<7} {case['seconds']['solve']['median'] * 1e3:10.3f}"
    for row in case["peers"]:
        text += (f" {row['seconds']['median'] * 1e3:10.3f} {row['ratio']:9.3f} {row['difference']:8.1e}"
                 if row["seconds"] else f" {'-':>10} {'-':>9} {'-':>8}")
    print(text, flush=True)


def per_axis(text, words):
    """"a", "a,b,c" or "x=a,y=b,z=c" as three words."""
    parts = text.split(",")
    if parts[0][1:2] == "=":
        named = dict(part.split("=") for part in parts)
        parts = [named.get(axis) for axis in "xyz"]
    parts = parts * 3 if len(parts) == 1 else parts
    if len(parts) != 3 or any(part not in words for part in parts):
        raise argparse.ArgumentTypeError(f"found '{text}', wanted one of {', '.join(words)}, or three, or x=…,y=…,z=…")
    return parts


def points(text):
    sizes = [tuple(int(n) for n in part.split("x")) for part in text.split(",")]
    if any(len(size) not in (1, 3) or min(size) < 1 for size in sizes):
        raise ValueError
    return [size * 3 if len(size) == 1 else size for size in sizes]


def choice(*words):
    def parse(text):
        chosen = text.split(",")
        if any(word not in words for word in chosen):
            raise argparse.ArgumentTypeError(f"found '{text}', wanted some of {', '.join(words)}")
        return chosen

    return parse


def read_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=points, default="64,128", help="cubes like 128, boxes like 97x131x89 [64,128]")
    parser.add_argument("--boundary", action="append", help="as the program takes it, or all: six usual mixes [dirichlet]")
    parser.add_argument("--centering", type=lambda text: per_axis(text, ("cell", "node")), default="cell")
    parser.add_argument("--discretization", choices=("second-order", "spectral"), default="second-order")
    parser.add_argument("--precision", type=choice("double", "single", "mixed"), default="double", help="a list [double]")
    parser.add_argument("--engine", choices=("host", "fused", "cufft"), default="host")
    parser.add_argument("--device", type=int, default=0, help="number of the GPU [0]")
    parser.add_argument("--threads", type=int, default=0, help="0: all there are")
    parser.add_argument("--repeat", type=int, default=0, help="runs; 0: what fits into a second, at least 5")
    parser.add_argument("--peers", type=choice(*(kind.name for kind in peers.ALL)), help="a list [all]")
    parser.add_argument("--json", help="the report, a file, or - for stdout")
    options = parser.parse_args(arguments)
    asked = [one for word in options.boundary or ["dirichlet"] for one in (MIXES if word == "all" else [word])]
    try:
        options.boundary = [(text, [(word.split(":")[0], word.split(":")[-1]) for word in per_axis(text, WALLS)])
                            for text in asked]
    except argparse.ArgumentTypeError as error:
        parser.error(f"argument --boundary: {error}")
    return options


def present(options):
    """The peers asked for that run where ours does; on stderr, who of them is missing and why."""
    found = []
    for kind in peers.ALL:
        if kind.where != ("host" if options.engine == "host" else "gpu") or kind.name not in (options.peers or kind.name):
            continue
        try:
            kind.find()
            found.append(kind)
        except peers.Missing as reason:
            print(f"compare_peers.py: {kind.name} is missing: {reason}", file=sys.stderr)
    return found


def revision():
    here = pathlib.Path(__file__).parent
    return subprocess.run(["git", "-C", here, "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()


def main(arguments=None):
    options = read_options(arguments)
    kinds = present(options)
    place = Host(options) if options.engine == "host" else Gpu(options)
    shown = options.json != "-"
    if shown:
        for kind in kinds:
            print(f"{kind.title}: {kind.work}")
        print("vs: our time over theirs, medians; diff: of their solution from ours, over its largest value\n")
        print(f"{'points':<18} {'boundary':<30} {'type':<7} {'ms':>10}"
              + "".join(f" {kind.title + ' ms':>10} {'vs ' + kind.title:>9} {'diff':>8}" for kind in kinds))
    cases = []
    for shape, (boundary, walls), precision in itertools.product(options.points, options.boundary, options.precision):
        dtype = np.dtype("f4" if precision == "single" else "f8")
        problem = Problem(shape, dtype, precision, boundary, walls, options.centering, options.discretization)
        cases.append(measure(options, problem, place, kinds))
        if shown:
            print_row(problem, cases[-1])
    report = {"status": 0, "version": poisson3d.__version__, "revision": revision(), "device": place.name, "cases": cases}
    if options.json == "-":
        print(json.dumps(report, indent=2))
    elif options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
