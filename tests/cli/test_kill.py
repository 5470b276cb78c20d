"""Runs that are ended from outside, and runs that write the same files: what is found afterwards is always whole.

`test_kill.py MOMENTS` kills that many runs; the suite is content with some.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest

from program import PROGRAM, SANITIZED, ProgramTest, h5py, main, noise

MOMENTS = int(sys.argv.pop()) if sys.argv[-1].isdigit() else 40
SHIM = os.environ.get("POISSON3D_FAIL_LIBRARY_CALL", "")

# What people and batch systems send.
SIGNALS = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGXCPU",
           "SIGPOLL", "SIGPWR", "SIGRTMIN", "SIGRTMAX")


class Ended(ProgramTest):
    OUTPUTS = ("u.h5", "u.json")

    def start(self, helmholtz=0, source="field.h5", environment=None, before=None):
        words = ["-i", source, "-o", "u.h5", "--json", "u.json", "--helmholtz", str(helmholtz), "--engine", "host",
                 "--threads", "1", "-q"]
        return subprocess.Popen([PROGRAM, *words], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                env={**os.environ, **(environment or {})}, preexec_fn=before)

    def which(self):
        """λ of the runs that solution and report are of, each read whole."""
        with h5py.File(self.dir / "u.h5", "r") as file:
            solution = file["/solution"]
            self.assertEqual(solution[...].shape, self.shape)
            of_solution = float(solution.attrs["helmholtz"])
        return of_solution, json.loads((self.dir / "u.json").read_text())["problem"]["helmholtz"]

    def names(self):
        return {path.name for path in self.dir.iterdir()}


class Signals(Ended):
    shape = (160, 160, 160)

    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(*self.shape))
        self.write_older()
        self.before = self.contents()

    def write_older(self):
        for name in self.OUTPUTS:
            (self.dir / name).write_text("older")

    def interrupt(self, name, environment=None, times=1):
        number = getattr(signal, name)
        for wait in (0.15, 0.08, 0.04):
            process = self.start(environment=environment)
            time.sleep(wait)
            for _ in range(times):
                process.send_signal(number)
            process.communicate(timeout=60)
            if process.returncode != 0:
                break
            self.write_older()  # it was done before the signal came
        return process.returncode, -number

    def test_every_signal(self):
        for name in SIGNALS:
            for environment in ({}, {"LD_PRELOAD": SHIM, "FAIL_CALL": "tmpfile:0:EOPNOTSUPP"}):
                if environment and (SANITIZED or not os.path.exists(SHIM)):
                    continue
                with self.subTest(name=name, environment=environment):
                    found, wanted = self.interrupt(name, environment)
                    self.assertEqual(found, wanted)
                    self.assertEqual(self.contents(), self.before)

    def test_second_signal(self):
        """Ends the program at once, and leaves nothing either."""
        for environment in ({}, {"LD_PRELOAD": SHIM, "FAIL_CALL": "tmpfile:0:EOPNOTSUPP"}):
            if environment and (SANITIZED or not os.path.exists(SHIM)):
                continue
            found, wanted = self.interrupt("SIGTERM", environment, times=2)
            self.assertEqual(found, wanted)
            self.assertEqual(self.contents(), self.before)

    def test_says_what_was_removed(self):
        for wait in (0.15, 0.08, 0.04):
            process = subprocess.Popen([PROGRAM, "field.h5", "-o", "u.h5", "--engine", "host", "--threads", "1"],
                                       cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
            told, said = process.communicate(timeout=60)
            if process.returncode != 0:
                break
            self.write_older()
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(told, "")
        self.assertEqual(said, "poisson3d: ended by SIGINT: temporary output was removed, other files are as before\n")

    def test_ignored_signals_stay_ignored(self):
        process = self.start(before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(0.15)
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)


class Killed(Ended):
    shape = (48, 48, 48)

    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(*self.shape))

    def test_kill(self):
        """At any moment: the older output whole or the new one whole, and nothing else in the directory, but for
        the hidden names that files have between two calls, which the next run removes."""
        started = time.monotonic()
        self.assertEqual(self.start(1).wait(), 0)
        length = time.monotonic() - started
        moments = random.Random(MOMENTS)
        killed = left = 0
        for moment in range(MOMENTS):
            older = self.which()
            process = self.start(2 + moment)
            time.sleep(moments.uniform(0, 1.1 * length))
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
            of_solution, of_report = self.which()
            self.assertIn(of_solution, (older[0], 2 + moment))
            self.assertIn(of_report, (older[1], 2 + moment))
            if process.returncode == 0:
                self.assertEqual((of_solution, of_report), (2 + moment, 2 + moment))
            others = self.names() - {"field.h5", *self.OUTPUTS}
            left += bool(others)
            self.assertLessEqual(len(others), len(self.OUTPUTS))
            self.assertTrue(all(name.startswith(".poisson3d-") for name in others), others)
        self.assertGreater(killed, MOMENTS // 4)
        if MOMENTS >= 400:  # a file system that others keep busy takes its time for names
            self.assertLessEqual(left, 1 + MOMENTS // 200)
        self.assertEqual(self.start(1).wait(), 0)
        self.assertEqual(self.names(), {"field.h5", *self.OUTPUTS}, "the next run removes what is left")

    def test_two_writers(self):
        """Solution and report are of the same run, whoever comes last."""
        self.field("small.h5", noise(6, 6, 6))
        self.shape = (6, 6, 6)
        for turn in range(MOMENTS // 2):
            runs = [self.start(2 * turn + k, "small.h5") for k in range(3)]
            self.assertEqual([run.wait() for run in runs], [0, 0, 0])
            of_solution, of_report = self.which()
            self.assertEqual(of_solution, of_report)


if __name__ == "__main__":
    main()
