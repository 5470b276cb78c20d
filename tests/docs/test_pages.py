"""Every command of a page runs, and prints what the page shows: test_pages.py PROGRAM PAGE

The ```sh blocks of the page are run in order by bash -e in an empty folder, which has data/, app/ and tests/ of the source
in it. Where a ```text block follows right behind, it is compared with what the commands printed, stdout and stderr together:

    …          in a line: any text; as a line of its own: any lines, or none
    ≈1.2e-16   a number that rounding or the machine changes: any number, with at most 30 times the size if it is below
               1e-9; ≈1.2 ms any time; the unit is compared otherwise

Runs of blanks count as one. A block that imports a Python module that is not installed is left out. The page then shows as
skipped (exit code 77), if no block before it failed; the first block that fails behind it may have needed its files. So
does a page that draws pictures, where the program was built without Cairo.
"""

import importlib
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
NUMBER = r"[-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
TIME = r"(?:ns|µs|ms|s|min|h)\b"


def blocks(page):
    """(line number, commands, expected output or None) of each block."""
    text = page.read_text(encoding="utf-8")
    for block in re.finditer(r"^```sh\n(.*?)^```\n(?:\n*```text\n(.*?)^```$)?", text, re.S | re.M):
        yield text.count("\n", 0, block.start()) + 2, block[1], block[2]


def missing_module(commands, page=""):
    """The first module that the Python programs of a block import, and that neither is there nor made by the page."""
    for words in re.findall(r"^(?:import (.*)|from (\S+) import .*)$", commands, re.M):
        for module in (words[1] or words[0]).split(","):
            top = module.split()[0].split(".")[0]
            if f">{top}.py" not in page and importlib.util.find_spec(top) is None:
                return top
    return None


def line_pattern(line):
    """A regular expression for a shown line, and the numbers behind ≈ in it."""
    parts, shown = [], []
    for part in re.split(rf"(…|≈{NUMBER}(?: {TIME})?)", " ".join(line.split())):
        if part == "…":
            parts.append(".*")
        elif part.startswith("≈"):
            number = re.match(NUMBER, part[1:])[0]
            shown.append(float(number.replace("−", "-")))
            parts.append(f"({NUMBER})" + (rf" {TIME}" if part[1:] != number else ""))
        else:
            parts.append(re.escape(part))
    return re.compile("".join(parts)), shown


def same_line(shown, printed):
    pattern, numbers = line_pattern(shown)
    match = pattern.fullmatch(" ".join(printed.split()))
    if match is None:
        return False
    found = [abs(float(text.replace("−", "-"))) for text in match.groups()]
    return all(abs(wanted) > 1e-9 or have <= 30 * abs(wanted or 1e-14) for wanted, have in zip(numbers, found))


def difference(shown, printed):
    """None if the printed lines are those shown, else the first shown line that was not found."""
    place = 0
    skipping = False
    for line in shown:
        if line.strip() == "…":
            skipping = True
            continue
        if skipping:
            while place < len(printed) and not same_line(line, printed[place]):
                place += 1
            skipping = False
        if place == len(printed) or not same_line(line, printed[place]):
            return line
        place += 1
    return None if skipping or place == len(printed) else f"(nothing more, but there is: {printed[place]})"


def draws_without_cairo(program, commands):
    if not re.search(r"--preview|poisson3d plot", commands):
        return False
    asked = subprocess.run([program, "plot", "no.h5", "-o", "no.png"], capture_output=True, text=True, check=False)
    return "without Cairo" in asked.stderr


def main():
    program, page = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    source = pathlib.Path(__file__).resolve().parents[2]
    try:
        importlib.import_module("numpy")
        importlib.import_module("h5py")
    except ImportError as missing:
        print(f"skipped: {missing}")
        return SKIPPED
    if draws_without_cairo(program, page.read_text(encoding="utf-8")):
        print("skipped: the program was built without Cairo")
        return SKIPPED
    compared, left_out = 0, []
    with tempfile.TemporaryDirectory(prefix="poisson3d-") as folder, tempfile.TemporaryDirectory() as tools:
        (pathlib.Path(tools) / "python3").symlink_to(sys.executable)
        for name in ("data", "app", "tests"):
            (pathlib.Path(folder) / name).symlink_to(source / name)
        environment = dict(os.environ, PATH=f"{tools}:{program.parent}:{os.environ['PATH']}", CUDA_VISIBLE_DEVICES="",
                           MPLBACKEND="Agg", MPLCONFIGDIR=tools)
        found = list(blocks(page))
        assert found, "no commands found"
        for number, commands, shown in found:
            if missing := missing_module(commands, page.read_text(encoding="utf-8")):
                left_out.append(f"{page}:{number} needs {missing}")
                continue
            done = subprocess.run(["bash", "-e", "-c", commands], cwd=folder, env=environment, text=True, timeout=300,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            print(f"{page}:{number}\n{done.stdout}", flush=True)
            failed = SKIPPED if left_out else 1
            if done.returncode != 0:
                print(f"exit code {done.returncode} of\n{commands}")
                return failed
            if shown is not None:
                compared += 1
                if (line := difference(shown.splitlines(), done.stdout.splitlines())) is not None:
                    print(f"the page shows what was not printed, or not there:\n{line}")
                    return failed
    print(f"{len(found) - len(left_out)} of {len(found)} blocks run, {compared} compared", *left_out, sep="\n")
    return SKIPPED if left_out else 0


if __name__ == "__main__":
    sys.exit(main())
