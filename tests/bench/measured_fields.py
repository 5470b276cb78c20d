"""The problem that is measured, and fields for it in the memory where it is solved."""

import itertools
import os
import pathlib
import platform
from typing import NamedTuple

import numpy as np
import peers

TOUCHED_BYTES = 1 << 30
NOISE = 9_999_991  # numbers, which are repeated; a prime, so that no two lines of a field are alike


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


class HostMemory:
    def __init__(self, options):
        self.name = platform.processor() or platform.machine()
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                self.name = line.split(":")[1].strip()
        self.free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.time, self.new, self.array = peers.timed, peers.aligned, np.asarray


class GpuMemory:
    def __init__(self, options):
        import cupy

        self.cupy = cupy
        cupy.cuda.Device(options.device).use()
        self.name = cupy.cuda.runtime.getDeviceProperties(options.device)["name"].decode()
        self.free = cupy.cuda.runtime.memGetInfo()[0]
        self.new, self.array = cupy.empty, cupy.asarray

    def time(self, work, *arguments):
        events = [self.cupy.cuda.Event(), self.cupy.cuda.Event()]
        events[0].record()
        work(*arguments)
        events[1].record()
        events[1].synchronize()
        return 1e-3 * self.cupy.cuda.get_elapsed_time(*events)


def fields_in_turn(memory, problem, runs):
    """Endlessly the same pairs (f, u); inputs hold noise between −1 and 1."""
    pair = 2 * int(np.prod(problem.shape)) * problem.dtype.itemsize
    count = max(1, min(runs, min(TOUCHED_BYTES, memory.free // 4) // pair))
    size = int(np.prod(problem.shape))
    noise = memory.array(np.random.default_rng(1).uniform(-1, 1, min(size, NOISE)).astype(problem.dtype))
    pairs = []
    for _ in range(count):
        f, u = memory.new(problem.shape, problem.dtype), memory.new(problem.shape, problem.dtype)
        line = f.reshape(-1)
        for begin in range(0, size, NOISE):
            line[begin:begin + NOISE] = noise[:size - begin]
        u[...] = 0
        pairs.append((f, u))
    return itertools.cycle(pairs)
