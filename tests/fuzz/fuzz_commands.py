#!/usr/bin/env python3
"""Random command lines, from the options that --help tells and from nowhere: whatever was typed, the program ends in
time with one of its exit codes, says why in one line, writes JSON where JSON is wanted and changes no file that it was
given to read.

    fuzz_commands.py --program build/cpu/bin/poisson3d --seconds 20
    fuzz_commands.py … --repeat SEED:NUMBER
"""

import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import processes

MEMORY = 4 << 30
SUBCOMMANDS = ((), ("make",), ("info",), ("devices",), ("bench", "solve"), ("bench", "transpose"))
OPTION = re.compile(r"^  (?:(-\w),)?(--[\w-]+)( \S+)?", re.MULTILINE)
FILES = ("sine.h5", "faces.h5", "float.h5", "text.h5", "empty.h5", "folder", "missing.h5", "no/where.h5", "fifo", "/dev/null",
         "/dev/full", "loop", "", ".", "a b.h5", "ü.h5", "x" * 300, "\x1b[31mred.h5", "new\nline.h5", "-", "--", "-x.h5")
NUMBERS = ("0", "1", "2", "3", "-1", "1.5", "1e3", "1e-300", "1e300", "1e308", "-1e308", "1e400", "nan", "inf", "-inf", "0x10",
           "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616", "2147483648",
           "1e", "1,", ",", ",,", "1,2,3", "0.1,0.2,0.3", "1,1", "1,2,3,4", "1;2;3", "+5", " 7", "7 ", "", "١٢", "1_000",
           "0.1,0.1,1e-320", "3,1,2", "1x2x3", "4x5x6,7x8x9", "5,5,5", "0,0,0", "-0.0", "1e15", "1e-15", "1e25", "12.566370614359172")
WORDS = ("dirichlet", "neumann", "periodic", "free", "x=free,y=dirichlet:free", "far", "gaussians", "ring", "cell",
         "node", "x=periodic", "y=dirichlet:neumann", "x=node,y=cell", "z=",
         "x=x", "w=periodic", "dirichlet:neumann", "periodic:dirichlet", "Dirichlet", "dirichlet,neumann,periodic",
         "x=periodic,x=neumann", ":", "=", "mean", "0,0,0", "1,2,3", "9,9,9", "second-order", "spectral", "double", "single",
         "mixed", "automatic", "host", "cufft", "fused", "fast", "standard", "low", "estimate", "measure", "always", "never",
         "auto", "solution", "rhs", "error", "/rhs", "/exact", "/solution", "/boundary_values/x_lower", "/", "rhs", "//rhs",
         "/nothing", "yzx", "zxy", "all", "tile", "naive", "v1bf", "row-major", "cuda", "sine", "cosine", "mixed", "cavity",
         "random", "linear", "quadratic", "taylor-green", "channel", "polynomial", "waves", "unknown", "fftw", "scipy", "", " ",
         "\t", "\x07", "\x1b]0;title\x07", "é", "\U0001f600", "\u202egnp", "%s%n%d", "$(touch x)", "a" * 5000, "-", "--", "--help")
# What would take long or much memory is asked for in small numbers; everything else may be anything.
BOUNDED = {
    "--points": ("1", "2", "3", "5", "8", "4,5,6", "16", "7x6x5", "4,5", "0", "-3", "", "1x1x1", "2,3,x", "3x4", "1e2", "5.5", "31,1,1",
                 "1,1,31", "1000003,1,1", "99999999999999999999,1,1"),
    "--batch": ("0", "1", "2", "3", "-1", "x", ""), "--repeat": ("1", "2", "-1", "x", ""),
    "--random": ("0", "1", "2", "-1", "x"), "--sides": ("1,20", "5,5", "20,1", "0,0", "x", ""),
    "--threads": ("0", "1", "2", "3", "-1", "x", "64"),
    "--element": ("4", "8", "4,8", "3", "x", ""), "--band": ("0", "1", "2", "-1", "x"),
}
WRITES = {"--output": ("out.h5", "older.h5", "folder", "no/where.h5", "/dev/full", "/dev/null", "fifo", "loop", "link.h5", "to-be", "",
                       "x" * 300, "sine.h5", "read-only/out.h5", "ü.h5"),
          "--json": ("-", "out.json", "older.json", "folder", "no/where.json", "/dev/full", "loop", "to-be", "link.h5", "sine.h5", "", "out.h5"),
          "--preview": ("out.png", "older.png", "folder", "no/where.png", "/dev/full", "loop", "to-be", "link.h5", "sine.h5", "", "out.h5")}
ALWAYS = {("bench", "solve"): ("--points", "5", "--repeat", "1"), ("bench", "transpose"): ("--points", "5", "--repeat", "1"),
          ("make",): ("--points", "5")}


def grammar(program):
    """For each subcommand its options, and which of them take a value, as --help says."""
    found = {}
    for subcommand in SUBCOMMANDS:
        text = subprocess.run([program, *subcommand, "--help"], capture_output=True, text=True, check=True).stdout
        options = {}
        for short, name, value in OPTION.findall(text):
            options[name] = (short, bool(value.strip()))
        if len(options) < 3:
            raise SystemExit(f"the help of {subcommand} tells no options:\n{text}")
        found[subcommand] = options
    return found


class CommandLines:
    def __init__(self, options, random_numbers):
        self.options = options
        self.random = random_numbers

    def make(self):
        subcommand = self.random.choice(SUBCOMMANDS[:1] * 6 + SUBCOMMANDS[1:3] * 3 + SUBCOMMANDS[3:])
        known = self.options[subcommand]
        words = []
        if subcommand == ("make",) and self.random.random() < 0.95:
            words.append(self.random.choice(("sine", "mixed", "cavity", "quadratic", "random", "waves", "nothing", "")))
        if subcommand == ("info",) and self.random.random() < 0.95:
            words.append(self.random.choice(FILES))
        if subcommand == () and self.random.random() < 0.95:
            words += ["-i", self.random.choice(FILES[:3] if self.random.random() < 0.7 else FILES)]
        for _ in range(self.random.choice((0, 1, 1, 2, 2, 3, 4, 6))):
            words += self.option(known)
        words = self.disturb(words)
        # Given last, so that sizes are never left to their defaults, which take long.
        bounds = ALWAYS.get(subcommand, ())
        for name, value in zip(bounds[::2], bounds[1::2]):
            if not any(word.split("=")[0] == name for word in words):
                words += [name, value]
        return [*subcommand, *words]

    def option(self, known):
        if self.random.random() < 0.05:
            return [self.random.choice(("--nothing", "-z", "---", "--json-", "-qq", "-vq", "--Input", "-h", "--help", "--version"))]
        name = self.random.choice(sorted(known))
        short, takes = known[name]
        written = short if short and self.random.random() < 0.4 else name
        if not takes:
            return [written] if self.random.random() < 0.95 else [f"{name}={self.random.choice(WORDS)}"]
        value = self.value(name)
        if name in BOUNDED:
            return [f"{name}={value}"] if self.random.random() < 0.4 else [name, value]
        how = self.random.random()
        if how < 0.3 and written == name:
            return [f"{name}={value}"]
        if how < 0.34:
            return [written]
        return [written, value]

    def value(self, name):
        if name in BOUNDED:
            return self.random.choice(BOUNDED[name])
        if name in WRITES:
            return self.random.choice(WRITES[name])
        if name == "--input":
            return self.random.choice(FILES)
        kind = self.random.random()
        if kind < 0.4:
            return self.random.choice(NUMBERS)
        if kind < 0.9:
            return self.random.choice(WORDS)
        return "".join(chr(self.random.choice((self.random.randrange(1, 128), self.random.randrange(128, 0xD7FF))))
                       for _ in range(self.random.randrange(1, 12)))

    def disturb(self, words):
        if words and self.random.random() < 0.1:
            words.append(self.random.choice(words))
        if words and self.random.random() < 0.05:
            del words[self.random.randrange(len(words))]
        # Not by chance, where a word decides how large something is.
        if len(words) > 1 and self.random.random() < 0.05 and not any(word in BOUNDED for word in words):
            self.random.shuffle(words)
        return words


class Scene:
    """A directory with files of all kinds, which a run must leave as they were unless it is told to replace them."""

    def __init__(self, program, directory):
        self.directory = pathlib.Path(directory)
        for name, more in (("sine.h5", ("sine",)), ("faces.h5", ("quadratic", "--centering", "node")),
                           ("float.h5", ("cosine", "--precision", "single"))):
            subprocess.run([program, "make", *more, "--points", "5,6,4", "-q", "-o", self.directory / name], check=True)
        (self.directory / "text.h5").write_text("x y z\n1 2 3\n")
        (self.directory / "empty.h5").write_bytes(b"")
        os.mkfifo(self.directory / "fifo")
        (self.directory / "loop").symlink_to("loop")
        (self.directory / "link.h5").symlink_to("older.h5")
        (self.directory / "to-be").symlink_to("not-there-yet")
        (self.directory / "folder").mkdir()
        for name in ("older.h5", "older.json", "older.png"):
            (self.directory / name).write_text("an older file")
        self.before = self.contents()

    def contents(self):
        return {str(path.relative_to(self.directory)): content(path) for path in self.directory.rglob("*")}

    def changes(self, words, ended):
        """What is wrong with the files after a run; puts them back."""
        after = self.contents()
        wrong = []
        for name in sorted(after.keys() | self.before.keys()):
            was, now = self.before.get(name, ("nothing",)), after.get(name, ("nothing",))
            if was == now:
                continue
            sentence = self.judge_change(name, was, now, words, ended)
            if sentence:
                wrong.append(sentence)
            self.put_back(self.directory / name, was)
        return wrong

    def judge_change(self, name, was, now, words, ended):
        if was[0] not in ("file", "nothing") or now[0] != "file":
            return f"{name!r} was {was[0]} and is {now[0]}"
        if name.startswith(".poisson3d") or ".part" in name or ".tmp" in name:
            return f"left {name!r}"
        if self.follow(name) in {self.follow(word) for word in read_files(words)}:
            return f"the input {name!r} changed"
        # A report tells of failures, too.
        reports = {self.follow(word) for word in values_of(words, "--json")}
        # Outputs appear before a report is written; if that fails, they are told.
        told = re.search("; (?:new|written): ([^;]*)", ended.stderr.decode(errors="replace")) if ended.status == 6 else None
        if told and name in told[1].strip().split(", "):
            return ""
        if ended.status not in (0, 1) and self.follow(name) not in reports:
            return f"exit {ended.status} and {name!r} changed"
        return ""

    def follow(self, name):
        try:
            return (self.directory / name).resolve()
        except (OSError, RuntimeError):  # a loop of links, too long a name
            return self.directory / name

    @staticmethod
    def put_back(path, was):
        if path.is_symlink() or path.is_file():
            path.unlink()
        if was[0] == "file":
            path.write_bytes(was[1])
        elif was[0] == "link":
            path.symlink_to(was[1])
        elif was[0] != "nothing":
            raise SystemExit(f"{path} was {was[0]} and is no more")


def content(path):
    if path.is_symlink():
        return ("link", os.readlink(path))
    if path.is_file():
        return ("file", path.read_bytes())
    return ("folder",) if path.is_dir() else ("special",)


def values_of(words, *names):
    return [words[n + 1] for n, word in enumerate(words[:-1]) if word in names] + [
        word.split("=", 1)[1] for word in words if "=" in word and word.split("=", 1)[0] in names]


def read_files(words):
    return values_of(words, "-i", "--input") + [
        word for word in words[1:2] if words[0] == "info" and not word.startswith("-")]


def wants_json(words):
    """The last --json counts, and a word that is a value of something else is none. Only clear cases are judged."""
    clear = [n for n, word in enumerate(words) if word == "--json=-" or word == "--json" and words[n + 1 : n + 2] == ["-"]]
    told = any(word.startswith(("--help", "--version", "-h")) for word in words)  # with a value, too
    return len(clear) == 1 and sum(word.startswith("--json") for word in words) == 1 and not told and "--" not in words


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--count", type=int, default=0, help="end after so many; 0: when the time is up")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--repeat", help="SEED:NUMBER")
    return parser.parse_args()


def main():
    options = parse()
    memory = 0 if options.sanitized else MEMORY
    known = grammar(options.program)
    statuses = collections.Counter()
    wrong_ones = number = 0
    started = time.monotonic()

    with tempfile.TemporaryDirectory(prefix="poisson3d-fuzz-") as root:
        directory = pathlib.Path(root) / "work"
        directory.mkdir()
        scene = Scene(options.program, directory)

        def try_one(name):
            words = CommandLines(known, random.Random(name)).make()
            words = [word.replace("\0", "") for word in words]
            ended = processes.run([options.program, *words], directory, memory,
                                  {"XDG_CACHE_HOME": str(pathlib.Path(root) / "cache")})
            statuses[ended.status] += 1
            wrong = processes.judge(ended, wants_json(words)) + scene.changes(words, ended)
            if wrong:
                print(f"WRONG {name} {words}: {'; '.join(wrong)}", flush=True)
            elif options.repeat:
                print(words, ended)
            return bool(wrong)

        if options.repeat:
            return try_one(options.repeat)
        while time.monotonic() < started + options.seconds and (not options.count or number < options.count):
            number += 1
            wrong_ones += try_one(f"{options.seed}:{number}")
    ends = ", ".join(f"{status}: {times}" for status, times in sorted(statuses.items()))
    print(f"seed {options.seed}: {number} command lines in {time.monotonic() - started:.0f} s, {wrong_ones} wrong; {ends}")
    return 1 if wrong_ones else 0


if __name__ == "__main__":
    sys.exit(main())
