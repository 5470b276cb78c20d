#!/usr/bin/env python3
"""Lets each call of the kernel and each allocation of small runs of the program fail once, and judges what came of it.

    run_faults.py --program build/cpu/bin/poisson3d --tools build/cpu/tests/faults              all of them: many minutes
    run_faults.py … --sample 150 --kinds calls                                                  some, for every day

Ends with 1 if a run was wrong: ended by a signal, not at all, with a code that is none, with two lines on stderr, with
another solution, or with an older file changed or a file left behind. Each wrong one is printed with the words that
repeat it.
"""

import argparse
import collections
import concurrent.futures
import errno
import os
import pathlib
import random
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
SKIPPED = 77
try:
    import scenes
except ImportError as missing:
    print(f"skipped: {missing} (needed: python3-numpy python3-h5py)")
    sys.exit(SKIPPED)

# After these nothing better can be expected: what cannot be removed stays.
HARMLESS = {"unlink": ("leftover",), "unlinkat": ("leftover",)}


class Calls:
    """The kernel says no. A fault is (name, number, error)."""

    lacks_memory = False

    def __init__(self, tools):
        self.tool = str(tools / "fail_call")

    def find(self, stage, scene):
        log = stage.directory.parent / "calls"
        ended = stage.run(scene, (self.tool, "list", str(log)))
        if ended.status == 125:
            print(f"skipped: processes may not be traced here: {ended.stderr.strip()}")
            sys.exit(SKIPPED)
        faults = []
        for line in log.read_text().splitlines():
            name, times, *errors = line.split()
            if name == "unknown":
                raise SystemExit(f"{scene.name} makes the call {times}, which is not in call_errors.h: add it there")
            if name == "memory":
                self.memory_calls = int(times)
            faults += [(name, n + 1, error) for n in range(int(times)) for error in errors]
        return faults

    def run(self, stage, scene, fault):
        name, number, error = fault
        ended = stage.run(scene, (self.tool, name, str(number), str(getattr(errno, error))))
        harmless = list(HARMLESS.get(name, ()))
        if name in ("write", "writev") and not ended.stderr:
            harmless.append("silent")  # it may have been the message that could not be written
        return ended, harmless


class Memory(Calls):
    """The kernel has no memory left, from some call on. A fault is ("memory", number, "ENOMEM")."""

    lacks_memory = True

    def find(self, stage, scene):
        super().find(stage, scene)
        return [("memory", n + 1, "ENOMEM") for n in range(self.memory_calls)]


class Allocations:
    """malloc says no, once or from then on. A fault is (number, "once" or "on")."""

    lacks_memory = True

    def __init__(self, tools):
        self.shim = str(tools / "libfail_allocation.so")

    def environment(self, **more):
        return {"LD_PRELOAD": self.shim, **more}

    def find(self, stage, scene):
        log = stage.directory.parent / "allocations"
        ended = stage.run(scene, environment=self.environment(FAULT_COUNT=str(log)))
        if ended.status != 0:
            raise SystemExit(f"{scene.name}: the run that counts allocations failed: {ended}")
        most = max(int(line) for line in log.read_text().splitlines())
        log.unlink()
        return [(n + 1, how) for n in range(most) for how in ("once", "on")]

    def run(self, stage, scene, fault):
        number, how = fault
        more = {"FAULT_AT": str(number)}
        if how == "on":
            more["FAULT_ALL"] = "1"
        return stage.run(scene, environment=self.environment(**more)), ()

    def trace(self, stage, scene, fault):
        """Who asked for the memory."""
        log = stage.directory.parent / f"{stage.directory.name}.trace"
        log.unlink(missing_ok=True)
        stage.run(scene, environment=self.environment(FAULT_AT=str(fault[0]), FAULT_TRACE=str(log)))
        return log.read_text() if log.exists() else ""


def judge_memory(ended):
    """Lack of memory has a code of its own."""
    return [] if ended.status in (0, 5) else [f"exit {ended.status} for lack of memory: {ended.stderr.strip()[:160]}"]


class Campaign:
    def __init__(self, options, root):
        self.options = options
        self.root = pathlib.Path(root)
        self.field = scenes.make_input(options.program, root)
        self.local = threading.local()
        self.number = 0
        self.lock = threading.Lock()
        self.clean = {}

    def stage(self):
        """One for each thread."""
        if not hasattr(self.local, "stage"):
            with self.lock:
                self.number += 1
                directory = self.root / f"stage{self.number}"
            directory.mkdir()
            self.local.stage = scenes.Stage(self.options.program, directory, self.field)
            self.local.stage.clean = self.clean
        return self.local.stage

    def try_one(self, kind, scene, fault):
        stage = self.stage()
        ended, harmless = kind.run(stage, scene, fault)
        wrong = stage.judge(scene, ended, harmless)
        if kind.lacks_memory and not wrong:
            wrong = judge_memory(ended)
        return fault, ended, wrong

    def run(self, name, kind, scene):
        stage = self.stage()
        stage.learn(scene)
        found = kind.find(stage, scene)
        faults = found
        if self.options.only:
            faults = [fault for fault in found if " ".join(map(str, fault)) == self.options.only]
        elif self.options.last:
            faults = faults[-self.options.last :]
        elif self.options.sample and len(faults) > self.options.sample:
            faults = random.Random(self.options.seed).sample(faults, self.options.sample)
        wrong_ones = []
        statuses = collections.Counter()
        started = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for fault, ended, wrong in pool.map(lambda fault: self.try_one(kind, scene, fault), faults):
                statuses[ended.status] += 1
                if wrong:
                    wrong_ones.append((fault, wrong))
                    words = " ".join(map(str, fault))
                    print(f"WRONG {scene.name} {name} '{words}': {'; '.join(wrong)}", flush=True)
                    for line in ended.stderr.splitlines()[:3]:
                        print(f"      {line[:200]}")
                    if self.options.trace and hasattr(kind, "trace"):
                        print(kind.trace(stage, scene, fault))
                elif self.options.only:
                    print(ended)
        return Row(scene.name, name, len(found), len(faults), len(wrong_ones), statuses, time.monotonic() - started)


Row = collections.namedtuple("Row", "scene kind found run wrong statuses seconds")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--tools", required=True, type=pathlib.Path, help="where fail_call and its like were built")
    parser.add_argument("--kinds", default="calls,memory,allocations")
    parser.add_argument("--scenes", default=",".join(scenes.SCENES))
    parser.add_argument("--sample", type=int, default=0, help="so many of each scene and kind; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--last", type=int, default=0, help="only so many, from the end on")
    parser.add_argument("--only", help="one fault, in the words of an earlier run")
    parser.add_argument("--trace", action="store_true", help="print who asked for memory that was refused")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    options.tools = options.tools.resolve()
    return options


def main():
    options = parse()
    kinds = {"calls": Calls, "memory": Memory, "allocations": Allocations}
    rows = []
    known = scenes.scenes_of(options.program)
    with tempfile.TemporaryDirectory(prefix="poisson3d-faults-") as root:
        campaign = Campaign(options, root)
        for name in options.kinds.split(","):
            for scene in options.scenes.split(","):
                rows.append(campaign.run(name, kinds[name](options.tools), known[scene]))
    print(f"{'scene':8}{'kind':14}{'there are':>10}{'tried':>8}{'wrong':>7}{'s':>8}   ended with")
    for row in rows:
        ends = ", ".join(f"{status}: {times}" for status, times in sorted(row.statuses.items()))
        print(f"{row.scene:8}{row.kind:14}{row.found:10}{row.run:8}{row.wrong:7}{row.seconds:8.1f}   {ends}")
    return 1 if any(row.wrong for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
