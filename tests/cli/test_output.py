"""Results that cannot be written: exit code 6, no half file, and what was there stays as it was."""

import os
import resource
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest, main, noise


def limit_file_size(bytes_):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))


class Output(ProgramTest):
    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(32, 32, 32))

    def refuse_output(self, output, words=()):
        self.refuse(6, [str(output), *words], "-i", "field.h5", "-o", output)

    def test_folder_is_missing(self):
        self.refuse_output("nowhere/u.h5")

    def test_folder_is_a_file(self):
        (self.dir / "file").write_text("text")
        self.refuse_output("file/u.h5")

    def test_folder_that_takes_no_files(self):
        self.refuse_output("/proc/u.h5")

    def test_output_is_a_folder(self):
        (self.dir / "folder").mkdir()
        self.refuse_output("folder")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_without_permission(self):
        (self.dir / "closed").mkdir(mode=0o500)
        self.refuse_output("closed/u.h5", ["ermission"])

    def test_name_too_long(self):
        self.refuse_output("u" * 300 + ".h5")

    def test_file_size_limit(self):
        """What the system says in the middle of writing, as on a full disk."""
        (self.dir / "u.h5").write_text("precious")
        for limit in (0, 1000, 100_000, 262_144):
            with self.subTest(limit=limit):
                self.refuse(6, ["u.h5"], "-i", "field.h5", "-o", "u.h5", "--engine", "host",
                            before=limit_file_size(limit))
        self.assertEqual((self.dir / "u.h5").read_text(), "precious")

    def test_full_disk(self):
        disk = self.dir / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "poisson3d-test", str(disk)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            self.skipTest("cannot mount a small disk here; the file size limit is tested all the same")
        self.addCleanup(subprocess.run, ["umount", str(disk)], check=True)
        (disk / "u.h5").write_text("precious")
        done = self.run_well("-i", "field.h5", "-o", "disk/u.h5", status=6)
        self.assertIn("disk/u.h5", done.stderr)
        self.assertEqual([path.name for path in disk.iterdir()], ["u.h5"])
        self.assertEqual((disk / "u.h5").read_text(), "precious")

    def test_make(self):
        self.refuse(6, ["nowhere/u.h5"], "make", "sine", "--points", "8", "-o", "nowhere/u.h5")
        self.refuse(6, ["u.h5"], "make", "sine", "--points", "32", "-o", "u.h5", before=limit_file_size(100_000))

    def test_picture_or_report_that_cannot_be_written(self):
        """All are written before any appears: the older solution stays."""
        (self.dir / "u.h5").write_text("precious")
        for option in ("--preview", "--json"):
            # Room for the solution, but not for a picture or a report on the other disk.
            disk = self.dir / f"disk{option}"
            disk.mkdir()
            mount = ["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=8", "poisson3d-test", str(disk)]
            if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
                self.skipTest("cannot mount a small disk here; failing calls are tested all the same")
            self.addCleanup(subprocess.run, ["umount", str(disk)], check=True)
            (disk / "filler").write_bytes(b"x" * 4096)
            self.refuse(6, [str(disk.name)], "-i", "field.h5", "-o", "u.h5", option, f"{disk.name}/other.png")

    def test_existing_file_is_replaced_by_a_good_run_only(self):
        self.run_well("-i", "field.h5", "-o", "u.h5")
        before = self.contents()
        self.run_well("-i", "field.h5", "-o", "u.h5", "--boundary", "q=neumann", status=2)
        self.run_well("-i", "field.h5", "-o", "u.h5", "--boundary", "neumann", "--strict", status=4)
        self.assertEqual(self.contents(), before)
        self.run_well("-i", "field.h5", "-o", "u.h5", "--boundary", "neumann")
        self.assertNotEqual(self.contents(), before)
        self.assertEqual(set(self.contents()), {"field.h5", "u.h5"})

    def test_interrupt(self):
        """Ctrl-C ends the program by the signal and leaves nothing."""
        self.field("large.h5", noise(160, 160, 160))
        before = self.contents()
        for wait in (0.02, 0.1, 0.2):
            with self.subTest(wait=wait):
                process = subprocess.Popen([PROGRAM, "-i", "large.h5"], cwd=self.dir, stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE)
                time.sleep(wait)
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=60)
                if process.returncode == -signal.SIGINT:
                    self.assertEqual(self.contents(), before)
                else:
                    self.assertEqual(process.returncode, 0)  # it was done before the signal came
                    (self.dir / "large.solution.h5").unlink()


class Standard(ProgramTest):
    """stdout and the JSON report are outputs, too."""

    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(8, 8, 8))

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_stdout(self):
        with open("/dev/full", "w") as full:
            for options in ([], ["--json", "-"]):
                done = self.run_well("-i", "field.h5", *options, status=6, stdout=full)
                self.assertIn("standard output", done.stderr)

    def test_closed_stdout(self):
        """The report must not go into whatever file gets the number of stdout."""
        done = self.run_well("-i", "field.h5", "-o", "closed.h5", status=6, stdout=None,
                             before=lambda: os.close(1))
        self.assertIn("standard output", done.stderr)
        self.run_well("-i", "field.h5", "-o", "open.h5", "-q")
        self.assertEqual(self.contents()["closed.h5"], self.contents()["open.h5"])

    def test_broken_pipe(self):
        """Nobody reads the table: the solution is there, and the message says so."""
        read, write = os.pipe()
        os.close(read)
        done = self.run_any("-i", "field.h5", "--json", "report.json", stdout=write)
        os.close(write)
        self.assertEqual(done.status, 6)
        self.assertEqual(done.stderr.count("\n"), 1)
        for word in ("standard output", "written: field.solution.h5, report.json"):
            self.assertIn(word, done.stderr)
        self.assertEqual(set(self.contents()), {"field.h5", "field.solution.h5", "report.json"})

    def test_json_file(self):
        (self.dir / "folder").mkdir()
        for name in ("nowhere/report.json", "folder", "/proc/report.json"):
            with self.subTest(name=name):
                self.refuse(6, ["--json", name], "-i", "field.h5", "--json", name)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_json_file(self):
        done = self.run_well("-i", "field.h5", "-q", "--json", "/dev/full", status=6)
        self.assertIn("/dev/full", done.stderr)

    def test_json_over_other_files(self):
        for name in ("field.h5", "./field.h5", "field.solution.h5"):
            with self.subTest(name=name):
                self.refuse(2, ["--json", name], "-i", "field.h5", "--json", name)
        self.refuse(2, ["--json"], "info", "field.h5", "--json", "field.h5")
        self.refuse(2, ["--json"], "make", "sine", "-o", "s.h5", "--json", "s.h5")


class SameFile(ProgramTest):
    """The input is never the output, by whatever name it goes, and this is seen before anything else."""

    def setUp(self):
        super().setUp()
        self.field("field.h5", noise(8, 8, 8))
        (self.dir / "folder").mkdir()

    def refuse_both(self, source, target):
        self.refuse(2, ["--output", str(target), "input"], "-i", source, "-o", target)

    def test_same_name(self):
        self.refuse_both("field.h5", "field.h5")

    def test_other_spelling(self):
        for name in ("./field.h5", "folder/../field.h5", self.dir / "field.h5", "folder//.././field.h5"):
            with self.subTest(name=name):
                self.refuse_both("field.h5", name)
                self.refuse_both(name, "field.h5")

    def test_links(self):
        (self.dir / "soft.h5").symlink_to("field.h5")
        (self.dir / "folder" / "soft.h5").symlink_to("../soft.h5")
        (self.dir / "hard.h5").hardlink_to(self.dir / "field.h5")
        for name in ("soft.h5", "hard.h5", "folder/soft.h5"):
            with self.subTest(name=name):
                self.refuse_both("field.h5", name)
                self.refuse_both(name, "field.h5")

    def test_before_anything_else(self):
        (self.dir / "broken.h5").write_text("no HDF5")
        self.refuse_both("broken.h5", "broken.h5")
        self.refuse_both("missing.h5", "missing.h5")


if __name__ == "__main__":
    main()
