"""Small runs of the program that are disturbed: what each starts from, and what must be true after it."""

import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import h5py
import numpy as np

OLDER = b"an older file that a failed run must not change\n"
INPUT = "field.h5"
# Of a report: times, also estimated ones, what is measured only where memory is left for it, and the name of a
# processor that will not tell it.
UNSTEADY = ("seconds", "passes", "copies", "bytes", "device", "solve")


@dataclasses.dataclass(frozen=True)
class Scene:
    """A command line and the outputs it replaces, all of which are there before."""

    name: str
    arguments: tuple
    outputs: tuple = ()
    report: str = ""


SCENES = {
    scene.name: scene
    for scene in (
        Scene(
            "solve",
            ("-i", INPUT, "-o", "out.h5", "--exact", "/exact", "--gradient", "--preview", "out.png",
             "--vtk", "out.vtkhdf", "--json", "out.json", "--threads", "2", "--engine", "host"),
            ("out.h5", "out.png", "out.vtkhdf"),
            "out.json",
        ),
        Scene(
            "disk",
            ("-i", INPUT, "-o", "out.h5", "--memory", "disk", "--max-memory", "4K", "--exact", "/exact", "--json", "out.json",
             "--threads", "2", "-q"),
            ("out.h5",),
            "out.json",
        ),
        Scene("make", ("make", "cavity", "--points", "6,5,4", "-o", "out.h5", "--json", "out.json"), ("out.h5",), "out.json"),
        Scene("info", ("info", INPUT, "--json", "-")),
    )
}


def without_pictures(scene):
    """The same for a program that was built without Cairo."""
    words = list(scene.arguments)
    if "--preview" in words:
        at = words.index("--preview")
        del words[at:at + 2]
    return dataclasses.replace(scene, arguments=tuple(words),
                               outputs=tuple(name for name in scene.outputs if not name.endswith(".png")))


def scenes_of(program):
    """By name, what a program can do."""
    asked = subprocess.run([program, "plot", "no.h5", "-o", "no.png"], capture_output=True, text=True, check=False)
    if "without Cairo" not in asked.stderr:
        return SCENES
    return {name: without_pictures(scene) for name, scene in SCENES.items()}


def make_input(program, directory):
    """The field all scenes start from: walls with values, an exact solution."""
    path = pathlib.Path(directory) / INPUT
    subprocess.run([program, "make", "quadratic", "--points", "6,5,4", "-o", path, "-q"], check=True)
    return path.read_bytes()


class Stage:
    """A directory in which scenes are run one after the other."""

    def __init__(self, program, directory, field):
        self.program = program
        self.directory = pathlib.Path(directory)
        self.field = field
        self.clean = {}

    def set_up(self, scene):
        for path in self.directory.iterdir():
            path.unlink()
        (self.directory / INPUT).write_bytes(self.field)
        for name in scene.outputs + ((scene.report,) if scene.report else ()):
            (self.directory / name).write_bytes(OLDER)

    def run(self, scene, before=(), environment=None):
        """Runs the program, with words before its name; returns how it ended."""
        self.set_up(scene)
        started = time.monotonic()
        process = subprocess.Popen(
            [*before, self.program, *scene.arguments], cwd=self.directory, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            env={**os.environ, **(environment or {})},
        )
        late = False
        try:
            out, err = process.communicate(timeout=time_limit())
        except subprocess.TimeoutExpired:
            late = True
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
        return Ended(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"), late,
                     time.monotonic() - started)

    def learn(self, scene):
        """What an undisturbed run leaves: the measure of all others."""
        ended = self.run(scene)
        if ended.status != 0:
            raise SystemExit(f"{scene.name}: the undisturbed run failed: {ended}")
        self.clean[scene.name] = self.results(scene, ended)

    def results(self, scene, ended):
        """What a run that ended with 0 produced, times taken out."""
        found = {}
        for name in scene.outputs:
            found[name] = self.contents(name)
        report = (self.directory / scene.report).read_text() if scene.report else ended.stdout
        found["report"] = without_times(json.loads(report))
        return found

    def contents(self, name):
        path = self.directory / name
        return path.read_bytes() if name.endswith(".png") else numbers(path)

    def judge(self, scene, ended, harmless=()):
        """Everything that is wrong with how a disturbed run ended, as a list of sentences."""
        wrong = []
        if ended.late:
            return ["did not end within 10 s"]
        if ended.status < 0 or 128 < ended.status < 128 + signal.NSIG:
            return [f"signal {signal_name(ended.status)}"]
        if ended.status > 6:
            wrong.append(f"exit {ended.status}")
        lines = ended.stderr.splitlines()
        if len(lines) > 1:
            wrong.append(f"{len(lines)} lines on stderr")
        if ended.status != 0 and not lines and "silent" not in harmless:
            wrong.append(f"exit {ended.status} without a word")
        if (self.directory / INPUT).read_bytes() != self.field:
            wrong.append("the input changed")
        if "leftover" not in harmless:
            wrong += self.leftovers(scene)
        return wrong + (self.judge_success(scene, ended) if ended.status == 0 else self.judge_failure(scene, ended))

    def leftovers(self, scene):
        known = {INPUT, scene.report, *scene.outputs}
        return [f"left {path.name}" for path in self.directory.iterdir() if path.name not in known]

    def judge_success(self, scene, ended):
        try:
            found = self.results(scene, ended)
        except (OSError, ValueError, KeyError) as error:
            return [f"exit {ended.status} and the results cannot be read: {error}"]
        return [
            f"exit {ended.status} and other contents of {name}" for name, value in self.clean[scene.name].items()
            if not same(found[name], value) and not (name == "report" and tells_what_is_missing(found[name], value))
        ]

    def judge_failure(self, scene, ended):
        # Names are given one after the other, and what fails after that must say which of the files are new.
        told = re.search("; (?:new|written): (.*?)(?:; as before: .*)?$", ended.stderr.strip())
        new = told[1].split(", ") if told and ended.status == 6 else []
        wrong = []
        for name in scene.outputs:
            path = self.directory / name
            if not path.exists():
                wrong.append(f"exit {ended.status} and {name} is gone")
            elif name in new:
                wrong += self.judge_one(scene, name)
            elif path.read_bytes() != OLDER:
                wrong.append(f"exit {ended.status} and {name} changed")
        text = (self.directory / scene.report).read_bytes() if scene.report else OLDER
        if text != OLDER:
            try:
                # One that was written before stdout failed cannot know of it.
                if json.loads(text)["status"] not in (ended.status, 0 if new else ended.status):
                    wrong.append("the report has another status")
            except (ValueError, KeyError):
                wrong.append("the report is not whole")
        return wrong

    def judge_one(self, scene, name):
        try:
            found = self.contents(name)
        except OSError as error:
            return [f"{name} is said to be new and cannot be read: {error}"]
        return [] if same(found, self.clean[scene.name][name]) else [f"{name} is said to be new and has other contents"]


@dataclasses.dataclass
class Ended:
    status: int
    stdout: str
    stderr: str
    late: bool
    seconds: float


def time_limit():
    """10 seconds of a machine that has nothing else to do; an undisturbed run takes 0.1."""
    return 10.0 * min(20.0, max(1.0, os.getloadavg()[0] / os.cpu_count()))


def signal_name(status):
    number = -status if status < 0 else status - 128
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def numbers(path):
    """All data sets of a file, by name."""
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset):
            found[name] = item[()]

    with h5py.File(path, "r") as file:
        file.visititems(take)
    return found


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    return type(a) is type(b) and bool(np.all(a == b))


def tells_what_is_missing(found, clean):
    """info goes on without /exact, and without the range of values, and says why."""
    changed = {}
    if found.get("exact_problem") is not None:
        changed.update(exact=True, exact_problem=None)
    if found.get("values_problem") is not None:
        changed.update(values=None, values_problem=None)
    return bool(changed) and same({**found, **changed}, {**clean, **changed})


def without_times(report):
    """The report as far as it repeats from run to run."""
    return {key: value for key, value in report.items() if key not in UNSTEADY}
