#!/usr/bin/env python3
"""Transposes on a GPU beside cuTENSOR's permutation, PyTorch's contiguous permute and NumPy's on the host, at the
shapes that `transpose_shapes --json FILE` measured just before on the same machine:

    transpose_shapes --random 200 --json shapes.json
    python3 tests/bench/transpose_device_peers.py shapes.json --count 60

Fractions of a copy of the same size, each library's by a copy that is measured beside it. Fields are taken in turn
from memory far larger than the caches. A library that is not there gets dashes; cuTENSOR is looked for where PyPI's
cutensor-cu13 installs it, then as libcutensor.so.2. Needs PyTorch for the device.
"""

import argparse
import ctypes
import importlib.util
import json
import math
import pathlib
import statistics
import sys
import time

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

TYPES = {4: torch.float32, 8: torch.float64, 16: torch.complex128}
CUDA_TYPES = {4: (0, "CUTENSOR_COMPUTE_DESC_32F"), 8: (1, "CUTENSOR_COMPUTE_DESC_64F"),
              16: (5, "CUTENSOR_COMPUTE_DESC_64F")}
TOUCHED = 1 << 31  # bytes that inputs, or outputs, fill together


class Cutensor:
    """Permutations by libcutensor.so.2, which is loaded as it is installed."""

    def __init__(self):
        names = ["libcutensor.so.2"]
        spec = importlib.util.find_spec("cutensor")
        for folder in (spec.submodule_search_locations or []) if spec else []:
            names.insert(0, str(pathlib.Path(folder) / "lib" / "libcutensor.so.2"))
        self.library = None
        for name in names:
            try:
                self.library = ctypes.CDLL(name)
                break
            except OSError:
                continue
        if self.library is not None:
            self.handle = ctypes.c_void_p()
            self.call("cutensorCreate", ctypes.byref(self.handle))

    def call(self, function, *arguments):
        status = getattr(self.library, function)(*arguments)
        if status != 0:
            raise RuntimeError(f"{function} returned {status}")

    def plan(self, sides, order, element):
        """A function (in, out) of two addresses."""
        data_type, compute = CUDA_TYPES[element]
        modes = [ord(axis) for axis in "xyz"]
        descriptors = []
        for names in ("xyz", order):
            extents = [sides["xyz".index(axis)] for axis in names]
            strides = [extents[1] * extents[2], extents[2], 1]
            descriptor = ctypes.c_void_p()
            self.call("cutensorCreateTensorDescriptor", self.handle, ctypes.byref(descriptor), ctypes.c_uint32(3),
                      (ctypes.c_int64 * 3)(*extents), (ctypes.c_int64 * 3)(*strides), ctypes.c_int(data_type),
                      ctypes.c_uint32(256))
            descriptors.append(descriptor)
        operation, preference, plan = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cutensorCreatePermutation", self.handle, ctypes.byref(operation), descriptors[0],
                  (ctypes.c_int32 * 3)(*modes), ctypes.c_int(1), descriptors[1],
                  (ctypes.c_int32 * 3)(*[ord(axis) for axis in order]),
                  ctypes.c_void_p.in_dll(self.library, compute))
        self.call("cutensorCreatePlanPreference", self.handle, ctypes.byref(preference), ctypes.c_int(-1), ctypes.c_int(0))
        self.call("cutensorCreatePlan", self.handle, ctypes.byref(plan), operation, preference, ctypes.c_uint64(0))
        one = {4: ctypes.c_float * 1, 8: ctypes.c_double * 1, 16: ctypes.c_double * 2}[element](1.0)
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        return lambda source, target: self.call("cutensorPermute", self.handle, plan, ctypes.byref(one),
                                                ctypes.c_void_p(source), ctypes.c_void_p(target), stream)


def device_seconds(work, places, repeat):
    """Median device time of work(place)."""
    times = []
    for run in range(repeat + 1):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work(run % places)
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e-3)
    return statistics.median(times[1:])


def host_fraction(sides, axes, element):
    """NumPy's, one thread."""
    field = np.ones(sides, {4: np.float32, 8: np.float64, 16: np.complex128}[element])
    turned = field.transpose(axes)
    result, copy = np.empty(turned.shape, field.dtype), np.empty(sides, field.dtype)
    seconds = []
    for target, source in ((copy, field), (result, turned)):
        np.copyto(target, source)
        begin = time.perf_counter()
        np.copyto(target, source)
        seconds.append(time.perf_counter() - begin)
    return seconds[0] / seconds[1]


def fractions(case, pools, cutensor, repeat):
    """Of PyTorch and of cuTENSOR, None where one is missing."""
    sides, order, element = case["points"], case["order"], case["element"]
    axes = ["xyz".index(axis) for axis in order]
    count = math.prod(sides)
    step = -(-count * element // (2 << 20)) * (2 << 20)
    places = max(1, TOUCHED // step)

    def fields(pool, shape):
        return [pool[i * step : i * step + count * element].view(TYPES[element]).view(shape) for i in range(places)]

    sources = fields(pools[0], sides)
    targets = fields(pools[1], [sides[axis] for axis in axes])
    copies = fields(pools[1], sides)
    copied = device_seconds(lambda i: copies[i].copy_(sources[i]), places, repeat)
    by_torch = copied / device_seconds(lambda i: targets[i].copy_(sources[i].permute(axes)), places, repeat)
    by_cutensor = None
    if cutensor.library is not None:
        permute = cutensor.plan(sides, order, element)
        targets[0].zero_()
        permute(sources[0].data_ptr(), targets[0].data_ptr())
        assert torch.equal(targets[0], sources[0].permute(axes)), "cuTENSOR's permutation is another one"
        by_cutensor = copied / device_seconds(lambda i: permute(sources[i].data_ptr(), targets[i].data_ptr()), places,
                                              repeat)
    return by_torch, by_cutensor


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", help="what transpose_shapes wrote")
    parser.add_argument("--ours", default="automatic", help="which of its algorithms to compare")
    parser.add_argument("--count", type=int, default=0, help="so many of its rows, spread evenly; 0: all")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--numpy", action="store_true", help="NumPy on the host as well, one thread")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("skipped: PyTorch finds no GPU")
        sys.exit(77)
    with open(options.shapes, encoding="utf-8") as file:
        cases = [case for case in json.load(file) if case["element"] in TYPES and options.ours in case]
    if options.count:
        cases = cases[:: max(1, len(cases) // options.count)]
    cutensor = Cutensor()
    pools = [torch.ones(TOUCHED // 8, dtype=torch.float64, device="cuda").view(torch.uint8) for _ in range(2)]
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, NumPy {np.__version__}, "
          f"cuTENSOR {'not found' if cutensor.library is None else 'found'}")
    print(f"{'points':>20} {'B':>3} {'to':>4} {'ours':>6} {'PyTorch':>8} {'cuTENSOR':>9} {'NumPy':>6}")
    collected = {"ours": [], "PyTorch": [], "cuTENSOR": [], "NumPy": []}
    slower = 0
    for case in cases:
        by_torch, by_cutensor = fractions(case, pools, cutensor, options.repeat)
        by_numpy = host_fraction(case["points"], ["xyz".index(a) for a in case["order"]],
                                 case["element"]) if options.numpy else None
        row = {"ours": case[options.ours], "PyTorch": by_torch, "cuTENSOR": by_cutensor, "NumPy": by_numpy}
        for name, value in row.items():
            if value is not None:
                collected[name].append(value)
        slower += by_cutensor is not None and by_cutensor > row["ours"]
        text = {name: "-" if value is None else f"{value:.2f}" for name, value in row.items()}
        print(f"{'x'.join(map(str, case['points'])):>20} {case['element']:>3} {case['order']:>4} {text['ours']:>6} "
              f"{text['PyTorch']:>8} {text['cuTENSOR']:>9} {text['NumPy']:>6}", flush=True)
    medians = ", ".join(f"{name} {statistics.median(values):.2f} (worst {min(values):.2f})"
                        for name, values in collected.items() if values)
    print(f"medians of {len(cases)}: {medians}; slower than cuTENSOR: "
          f"{'-' if cutensor.library is None else slower}")


if __name__ == "__main__":
    main()
