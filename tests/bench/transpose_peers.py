#!/usr/bin/env python3
"""Transposes on the host beside NumPy's, in the same run: `poisson3d bench transpose` for each shape, and right after
it np.copyto(out, a.transpose(order)), which is ascontiguousarray() without its allocation.

    python3 tests/bench/transpose_peers.py --program build/cpu/bin/poisson3d
    python3 tests/bench/transpose_peers.py --program build/cpu/bin/poisson3d --random 20 --element 1,4,8,16

GB/s read plus written, and the fraction of a copy of the same size: of the program's by its threads, and of NumPy's,
which has one thread. Random shapes have sides from 3 to 100 000 and 2^24 to 2^26 elements, in turn in all orders.
Medians; the machine's load is told, since others may be at work on it. Needs NumPy.
"""

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import time

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ORDERS = ["yzx", "zxy", "xzy", "yxz", "zyx"]
TYPES = {1: np.uint8, 2: np.uint16, 4: np.float32, 8: np.float64, 16: np.complex128}


def random_shapes(count, seed):
    bits = random.Random(seed)
    shapes = []
    while len(shapes) < count:
        sides = [int(math.exp(bits.uniform(math.log(3), math.log(1e5)))) for _ in range(3)]
        if 2**24 <= math.prod(sides) <= 2**26:
            shapes.append((sides, ORDERS[len(shapes) % len(ORDERS)]))
    return shapes


def ours(options, sides, order, element, in_place):
    command = [options.program, "bench", "transpose", "--backend", "host", "--points", "x".join(map(str, sides)),
               "--element", str(element), "--permutation", order, "--threads", str(options.threads),
               "--repeat", str(options.repeat), "--json", "-"]
    if in_place:
        command.append("--in-place")
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report, report["cases"][0]


def seconds(repeat, work):
    work()
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def numpys(options, sides, order, element):
    """GB/s, and the fraction of a copy."""
    field = np.empty(sides, TYPES[element])
    field.view(np.uint8).fill(1)
    turned = field.transpose(["xyz".index(axis) for axis in order])
    result, copy = np.empty(turned.shape, field.dtype), np.empty(sides, field.dtype)
    copied = seconds(options.repeat, lambda: np.copyto(copy, field))
    moved = seconds(options.repeat, lambda: np.copyto(result, turned))
    return 2 * field.nbytes / moved * 1e-9, copied / moved


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="poisson3d")
    parser.add_argument("--points", default="401x411x421", help="sizes separated by commas")
    parser.add_argument("--random", type=int, default=0, help="so many random shapes instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--element", default="4,8")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    shapes = random_shapes(options.random, options.seed) if options.random else [
        (list(map(int, points.split("x"))), order) for points in options.points.split(",") for order in ORDERS]

    print(f"{'points':>20} {'B':>3} {'to':>4} {'GB/s':>7} {'of copy':>8} {'in place':>9} {'NumPy':>7} {'of copy':>8} "
          f"{'ratio':>6}")
    ratios, report = [], None
    for element in map(int, options.element.split(",")):
        for sides, order in shapes:
            report, case = ours(options, sides, order, element, False)
            in_place = "-"
            if element >= 4:
                in_place = f"{ours(options, sides, order, element, True)[1]['fraction_of_copy']:.2f}"
            rate, fraction = numpys(options, sides, order, element)
            ratios.append(case["gigabytes_per_second"] / rate)
            print(f"{'x'.join(map(str, sides)):>20} {element:>3} {order:>4} {case['gigabytes_per_second']:7.1f} "
                  f"{case['fraction_of_copy']:8.2f} {in_place:>9} {rate:7.1f} {fraction:8.2f} {ratios[-1]:6.1f}")
    print(f"{report['device']}, revision {report['revision'][:9]}, {options.threads} threads, NumPy {np.__version__}, "
          f"load {os.getloadavg()[0]:.1f}: median ratio {statistics.median(ratios):.1f}")


if __name__ == "__main__":
    main()
