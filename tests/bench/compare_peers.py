#!/usr/bin/env python3
"""Whole solves of poisson3d beside other libraries on the same problem, measured in turn in one run.

    compare_peers.py --points 257 --centering node --threads 2
    compare_peers.py --points 512 --boundary all --engine fused --peers vkfft

On the host, with as many threads: FFTW (libfftw3.so.3, libfftw3_threads.so.3), SciPy (which is pocketfft), oneMKL
(libmkl_rt, or what POISSON3D_MKL names). On a GPU (--engine fused or cufft, fields of CuPy that stay there): VkFFT
(pyvkfft). A peer that is not installed is named and left out; one that does not solve a problem has dashes in its row.

Needs NumPy and the Python package poisson3d (PYTHONPATH=build/cpu/python takes that of a build). Every solution is
compared with ours once before it is timed: exit code 1 if one is another. Up to 1 GiB of fields are used in turn, so
that no run finds its field in the cache; the peers but FFTW get their right-hand side put in place just before a run.
"""

import itertools
import json
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np
import peers
import poisson3d
from compare_options import read_options
from measured_fields import GpuMemory, HostMemory, Problem, fields_in_turn


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


def check(peer, problem, f, ours, memory):
    u = memory.new(problem.shape, problem.dtype)
    (peer.run if peer.solves else peer.check)(f, u)
    found = difference(ours, u, problem.singular)
    if not found <= alike(problem):
        sys.exit(f"compare_peers.py: {peer.name}: its solution is {found:.3g} of the largest value away from ours, so "
                 f"one of them is wrong ({problem})")
    return found


def planned(make):
    start = time.perf_counter()
    return make(), time.perf_counter() - start


def measure(options, problem, memory, kinds):
    solver, plan_seconds = planned(lambda: poisson3d.Solver(
        problem.shape, problem.dtype, spacing=problem.spacing, boundary=problem.walls, centering=problem.centering,
        discretization=problem.discretization, mixed=problem.precision == "mixed", engine=options.engine,
        threads=options.threads, device=options.device))
    fields = fields_in_turn(memory, problem, (1 + len(kinds)) * (options.repeat or 1000))
    rows = [{"name": kind.name, **dict.fromkeys(("version", "transform", "seconds", "plan_seconds", "ratio", "difference"))}
            for kind in kinds]
    f, u = next(fields)
    solver.solve(f, out=u)
    at_work = []
    for kind, row in zip(kinds, rows):
        if kind.fits(problem):
            peer, row["plan_seconds"] = planned(lambda kind=kind: kind(problem, solver.threads))
            row.update(version=peer.version, transform=peer.transform, difference=check(peer, problem, f, u, memory))
            at_work.append((peer, row, []))
    solve = []
    start = time.perf_counter()
    while not (len(solve) >= options.repeat if options.repeat else
               len(solve) >= 1000 or (len(solve) >= 5 and time.perf_counter() - start >= 1)):
        f, u = next(fields)
        solve.append(memory.time(lambda f=f, u=u: (solver.solve(f, out=u), solver.result)))
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
    command = ["git", "-C", pathlib.Path(__file__).parent, "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except FileNotFoundError:
        return ""


def main(arguments=None):
    options = read_options(arguments, __doc__)
    kinds = present(options)
    memory = HostMemory(options) if options.engine == "host" else GpuMemory(options)
    shown = options.json != "-"
    if shown:
        for kind in kinds:
            print(f"{kind.title}: {kind.work}")
        print("vs: the time of poisson3d over that of the library, medians; diff: of its solution from that of poisson3d,"
              " relative to the largest value\n")
        print(f"{'points':<18} {'boundary':<30} {'type':<7} {'ms':>10}"
              + "".join(f" {kind.title + ' ms':>10} {'vs ' + kind.title:>9} {'diff':>8}" for kind in kinds))
    cases = []
    for shape, (boundary, walls), precision in itertools.product(options.points, options.boundary, options.precision):
        dtype = np.dtype("f4" if precision == "single" else "f8")
        problem = Problem(shape, dtype, precision, boundary, walls, options.centering, options.discretization)
        cases.append(measure(options, problem, memory, kinds))
        if shown:
            print_row(problem, cases[-1])
    report = {"status": 0, "version": poisson3d.__version__, "revision": revision(), "device": memory.name, "cases": cases}
    if options.json == "-":
        print(json.dumps(report, indent=2))
    elif options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
