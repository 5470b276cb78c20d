"""Processes that answer line by line and may die or hang, and runs of the program that are judged."""

import dataclasses
import json
import os
import resource
import select
import signal
import subprocess
import time
import unicodedata



def time_limit():
    """10 seconds of a machine that has nothing else to do."""
    return 10.0 * min(20.0, max(1.0, os.getloadavg()[0] / os.cpu_count()))


class Dead(Exception):
    """A process did not answer: how it ended."""


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class Answering:
    """A process that is asked in lines and answers in lines; a new one takes the place of one that died."""

    def __init__(self, words, log, memory=0):
        self.words = words
        self.log = log
        self.memory = memory
        self.process = None
        self.starts = 0

    def start(self):
        self.starts += 1
        self.process = subprocess.Popen(
            self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(self.log, "wb"),
            preexec_fn=limits(self.memory), start_new_session=True,
        )
        os.set_blocking(self.process.stdout.fileno(), False)

    def ask(self, line):
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Dead(f"after the file before: {self.death()}") from None
        answer = b""
        most = time_limit()
        end = time.monotonic() + most
        while not answer.endswith(b"\n"):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                self.stop()
                raise Dead(f"no answer within {most:.0f} s")
            piece = self.process.stdout.read(1 << 20)
            if piece == b"":
                raise Dead(self.death())
            answer += piece or b""
        return json.loads(answer)

    def death(self):
        status = self.process.wait()
        self.close()
        self.process = None
        with open(self.log, errors="replace") as log:
            said = log.read()
        for line in said.splitlines():
            if "ERROR: AddressSanitizer" in line or "runtime error" in line:
                return line.strip()[:200]
        return signal_name(-status) if status < 0 else f"exit {status}: {said.strip()[-200:]}"

    def close(self):
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:  # what was not sent any more
            pass

    def stop(self):
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.close()
            self.process = None


@dataclasses.dataclass
class Ended:
    status: int
    stdout: bytes
    stderr: bytes
    late: bool = False


def limits(memory):
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return set_limits


def run(words, directory, memory=0, environment=None):
    process = subprocess.Popen(
        words, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=limits(memory), start_new_session=True, env={**os.environ, **(environment or {})},
    )
    try:
        out, err = process.communicate(timeout=time_limit())
        return Ended(process.returncode, out, err)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return Ended(process.returncode, out, err, late=True)


def refuse_constant(word):
    raise ValueError(f"{word} is not JSON")


def judge(ended, wants_json, known=range(7)):
    """What is wrong with how the program ended, whatever it was asked: a list of sentences."""
    if ended.late:
        return ["did not end within 10 s"]
    if ended.status < 0:
        return [signal_name(-ended.status)]
    wrong = []
    if ended.status not in known:
        wrong.append(f"exit {ended.status}: {ended.stderr[:300]!r}")
    try:
        said = ended.stderr.decode()
    except UnicodeDecodeError:
        said = ended.stderr.decode(errors="replace")
        wrong.append(f"stderr is not UTF-8: {ended.stderr[:200]!r}")
    lines = said.rstrip("\n").split("\n") if said else []
    if len(lines) > 1:
        wrong.append(f"{len(lines)} lines on stderr: {said[:300]!r}")
    if ended.status != 0 and not lines:
        wrong.append(f"exit {ended.status} without a word")
    if any(unicodedata.category(c) == "Cc" for line in lines for c in line):
        wrong.append(f"control characters on stderr: {said[:300]!r}")
    if len(said) > 17000:
        wrong.append(f"{len(said)} characters on stderr")
    if wants_json:
        try:
            report = json.loads(ended.stdout.decode(), parse_constant=refuse_constant)
            if report["status"] != ended.status:
                wrong.append(f"exit {ended.status} and status {report['status']} in the report")
        except (ValueError, KeyError, TypeError) as error:
            wrong.append(f"no JSON on stdout: {error}: {ended.stdout[:200]!r}")
    return wrong
