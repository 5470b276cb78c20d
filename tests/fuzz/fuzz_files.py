#!/usr/bin/env python3
"""Damages small field files and has them read, by the reader in one process and, now and then, by the whole program.

    fuzz_files.py --program build/cpu/bin/poisson3d --reader build/cpu/tests/fuzz/read_field --seconds 20
    fuzz_files.py … --repeat SEED:NUMBER          one file again, by reader and program
    fuzz_files.py … --replay tests/fuzz/finds     files kept from earlier finds

Wrong is: a signal, no end within 10 s, an unknown exit code, more than one line on stderr, a handle or descriptor that
stays open, numbers that h5py reads otherwise, a solution that is not that of a whole file with the same numbers, a file
left behind. Ends with 1 if anything was wrong; the files are kept where --keep says.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
SKIPPED = 77
try:
    import h5py
    import numpy as np

    import corpus
except ImportError as missing:
    print(f"skipped: {missing} (needed: python3-numpy python3-h5py)")
    sys.exit(SKIPPED)
import mutate
import processes
from processes import Answering, Dead

MEMORY = 6 << 30  # of a run of the program; that of a reader with sanitizers has no bounds
SUBJECT = "subject.h5"
MOST_KEPT = 40


class Judge:
    def __init__(self, options, directory):
        self.options = options
        self.directory = pathlib.Path(directory)
        self.path = self.directory / SUBJECT
        memory = 0 if options.sanitized else MEMORY
        self.reader = Answering([str(options.reader)], self.directory / "reader.log", memory)
        second = [sys.executable, str(pathlib.Path(__file__).parent / "second_reader.py")]
        self.second = Answering(second, self.directory / "second.log", MEMORY)
        self.companions = {name: (self.directory / name).read_bytes() for name in ("raw.bin", "linked.h5")}
        self.counts = collections.Counter()

    def set_up(self, data):
        self.path.write_bytes(data)

    def by_reader(self):
        """What is wrong with how the library reads the file."""
        try:
            ours = self.reader.ask(str(self.path))
        except Dead as dead:
            self.counts["reader died"] += 1
            return [f"reader: {dead}"]
        self.counts[f"reader {ours['status']}"] += 1
        wrong = []
        if ours["status"] not in (0, 2, 3, 5):
            wrong.append(f"reader: status {ours['status']}: {ours.get('message', '')[:200]}")
        if ours["handles"] != 0 or ours["descriptors"] > 0:
            wrong.append(f"reader: {ours['handles']} handles, {ours['descriptors']} descriptors stay open")
            self.reader.stop()
        if ours["status"] == 0:
            wrong += self.by_second_reader(ours)
        return wrong

    def by_second_reader(self, ours):
        names = [name for name in ours if isinstance(ours[name], list)]
        try:
            theirs = self.second.ask(json.dumps({"read": str(self.path), "names": names}))
        except Dead:
            self.counts["second reader died"] += 1
            return []
        if "error" in theirs:
            self.counts["second reader refused"] += 1
            return []
        wrong = []
        for name in names:
            if isinstance(theirs[name], str):
                self.counts["second reader refused"] += 1
            elif not same_numbers(ours[name], theirs[name]):
                pairs = [pair for pair in zip(ours[name], theirs[name]) if not same_numbers(*([x] for x in pair))]
                wrong.append(f"{name}: {len(ours[name])} and {len(theirs[name])} numbers; ours, and those of h5py: {pairs[:3]}")
        self.counts["compared"] += 1
        return wrong

    def by_program(self, command):
        """What is wrong with what the program makes of the file."""
        work = self.directory / "work"
        if work.exists():
            shutil.rmtree(work)
        work.mkdir()
        words = {
            "solve": ["-i", SUBJECT, "-o", "work/out.h5", "--json", "-", "--threads", "1", "--engine", "host"],
            "info": ["info", SUBJECT, "--json", "-"],
        }[command]
        before = self.path.read_bytes()
        ended = processes.run([self.options.program, *words], self.directory, 0 if self.options.sanitized else MEMORY)
        self.counts[f"{command} {ended.status}"] += 1
        wrong = [f"{command}: {sentence}" for sentence in processes.judge(ended, True)]
        if self.path.read_bytes() != before:
            wrong.append("the input changed")
        for name, data in self.companions.items():
            if (self.directory / name).read_bytes() != data:
                wrong.append(f"{name} changed")
        left = {path.name for path in work.iterdir()} - ({"out.h5"} if ended.status in (0, 1) else set())
        if left:
            wrong.append(f"exit {ended.status} and left {sorted(left)}")
        if not wrong and command == "solve" and ended.status == 0:
            wrong += self.by_clean_copy(work)
        return wrong

    def by_clean_copy(self, work):
        """The numbers of the file in a new one must have the same solution."""
        clean = self.directory / "clean.h5"
        clean.unlink(missing_ok=True)
        try:
            if "done" not in self.second.ask(json.dumps({"copy": str(self.path), "to": str(clean)})):
                self.counts["second reader refused"] += 1
                return []
        except Dead:
            self.counts["second reader died"] += 1
            return []
        words = ["-i", str(clean), "-o", "work/clean_out.h5", "--threads", "1", "--engine", "host", "-q"]
        ended = processes.run([self.options.program, *words], self.directory)
        if ended.status not in (0, 1):
            return [f"exit 0, and exit {ended.status} for a whole file with its numbers: {ended.stderr[:300]!r}"]
        with h5py.File(work / "out.h5") as ours, h5py.File(work / "clean_out.h5") as theirs:
            if not np.array_equal(ours["solution"][...], theirs["solution"][...], equal_nan=True):
                return ["exit 0 and another solution than a whole file with its numbers"]
        self.counts["solutions compared"] += 1
        return []

    def stop(self):
        self.reader.stop()
        self.second.stop()


def same_numbers(ours, theirs):
    """To the last bit, but for subnormal numbers: what HDF5 makes of them where a floating-point type is damaged depends on
    the call that asks."""
    def same(a, b):
        return a == b or a != a and b != b or max(abs(a), abs(b)) < sys.float_info.min

    return len(ours) == len(theirs) and all(same(float.fromhex(a), float.fromhex(b)) for a, b in zip(ours, theirs))


class Fuzzer:
    def __init__(self, options, directory):
        self.options = options
        names = corpus.make()
        seeds = [mutate.Seed(name, (directory / name).read_bytes()) for name in names if not options.replay]
        self.seeds = sorted((seed for seed in seeds if seed.name.startswith(options.layout)), key=lambda seed: seed.name)
        self.judge = Judge(options, directory)
        self.wrong = 0
        self.kept = set()
        self.started = time.monotonic()

    def check_corpus(self):
        """Whole files are read, and rightly; else nothing said of damaged ones would mean anything."""
        for seed in self.seeds:
            self.judge.set_up(seed.data)
            wrong = self.judge.by_reader() + self.judge.by_program("solve")
            if wrong:
                self.tell(seed.name, seed.data, wrong)
        if sum(self.judge.counts[name] for name in ("reader 0", "solve 0")) != 2 * len(self.seeds):
            raise SystemExit(f"whole files are not read: {dict(self.judge.counts)}")
        self.judge.counts.clear()

    def mutant(self, seed, number):
        return mutate.Mutator(self.seeds, random.Random(f"{seed}:{number}")).make()

    def try_one(self, name, data, by_program):
        self.judge.set_up(data)
        wrong = self.judge.by_reader()
        for command in by_program:
            wrong += self.judge.by_program(command)
        if wrong:
            self.tell(name, data, wrong)
        return wrong

    def tell(self, name, data, wrong):
        self.wrong += 1
        print(f"WRONG {name}: {'; '.join(wrong)}", flush=True)
        kind = wrong[0][:60]
        if self.options.keep and kind not in self.kept and len(self.kept) < MOST_KEPT:
            self.kept.add(kind)
            self.options.keep.mkdir(parents=True, exist_ok=True)
            safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in name)
            (self.options.keep / f"{safe}.h5").write_bytes(data)

    def fuzz(self):
        end = self.started + self.options.seconds
        number = 0
        told = self.started
        while time.monotonic() < end and (not self.options.count or number < self.options.count):
            number += 1
            name, data = self.mutant(self.options.seed, number)
            by_program = ()
            if number % self.options.program_every == 0:
                by_program = ("info",) if number % (3 * self.options.program_every) == 0 else ("solve",)
            self.try_one(f"{self.options.seed}:{number} {name}", data, by_program)
            if time.monotonic() > told + 60:
                told = time.monotonic()
                print(f"{told - self.started:8.0f} s: {number} files, {self.wrong} wrong", flush=True)
        return number

    def summary(self, number):
        counts = ", ".join(f"{name}: {times}" for name, times in sorted(self.judge.counts.items()))
        print(f"seed {self.options.seed}: {number} damaged files in {time.monotonic() - self.started:.0f} s, "
              f"{self.wrong} wrong; {counts}; reader started {self.judge.reader.starts} times")


def replay(fuzzer, directory):
    files = sorted(path for path in directory.glob("*.h5"))
    for path in files:
        wrong = fuzzer.try_one(path.name, path.read_bytes(), ("solve", "info"))
        print(f"{path.name}: {'WRONG' if wrong else 'well'}")
    return len(files)


def absolute(path):
    return pathlib.Path(os.path.abspath(path))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=os.path.abspath)
    parser.add_argument("--reader", required=True, type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--count", type=int, default=0, help="end after so many files; 0: when the time is up")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--layout", default="", help="only files of corpus.py whose names begin so")
    parser.add_argument("--program-every", type=int, default=10, help="one file in so many goes through the program, too")
    parser.add_argument("--sanitized", action="store_true", help="reader and program need address space without bounds")
    parser.add_argument("--keep", type=absolute, help="where files go that show something wrong")
    parser.add_argument("--repeat", help="SEED:NUMBER")
    parser.add_argument("--replay", type=absolute)
    return parser.parse_args()


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="poisson3d-fuzz-") as directory:
        os.chdir(directory)
        fuzzer = Fuzzer(options, pathlib.Path(directory))
        try:
            if options.repeat:
                name, data = fuzzer.mutant(*options.repeat.split(":"))
                print(fuzzer.try_one(f"{options.repeat} {name}", data, ("solve", "info")) or "well")
                number = 1
            elif options.replay:
                number = replay(fuzzer, options.replay)
            else:
                fuzzer.check_corpus()
                number = fuzzer.fuzz()
        finally:
            fuzzer.judge.stop()
        fuzzer.summary(number)
    return 1 if fuzzer.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
