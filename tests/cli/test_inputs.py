"""Files behind the input: never overwritten, never taken for nothing, never changed unseen; and files that hang."""

import fcntl
import os
import pathlib
import resource
import subprocess
import time

from program import PROGRAM, UNIT_BOX, ProgramTest, h5py, main, noise


class Linked(ProgramTest):
    def linked(self, name="field.h5"):
        """A field whose right-hand side and faces stand in data.h5."""
        with h5py.File(self.dir / "data.h5", "w") as file:
            made = file.create_dataset("values", data=noise(8, 8, 8))
            made.attrs.update(UNIT_BOX)
            file["wall"] = 1.5
        with h5py.File(self.dir / name, "w") as file:
            file["rhs"] = h5py.ExternalLink("data.h5", "/values")
            file["boundary_values/x_lower"] = h5py.ExternalLink("data.h5", "/wall")

    def test_outputs_over_what_the_input_leads_to(self):
        self.linked()
        os.link(self.dir / "data.h5", self.dir / "other name.h5")
        os.link(self.dir / "data.h5", self.dir / "other name.png")
        for option in ("-o", "--preview", "--json"):
            for name in ("other name.png",) if option == "--preview" else ("data.h5", "other name.h5"):
                with self.subTest(option=option, name=name):
                    args = ["-i", "field.h5", option, name] + ([] if option == "-o" else ["-o", "u.h5"])
                    self.refuse(2, [option, name, "data.h5", "field.h5", "never overwritten"], *args)
        self.refuse(2, ["--json", "data.h5"], "info", "field.h5", "--json", "data.h5")
        self.run_well("-i", "field.h5", "-o", "u.h5", "--json", "report.json")

    def test_a_report_of_a_failure_does_not_replace_an_input_either(self):
        self.linked()
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["boundary_values/x_upper"] = h5py.SoftLink("/gone")
        self.refuse(2, ["--json", "data.h5"], "-i", "field.h5", "--json", "data.h5")

    def test_raw_values(self):
        with h5py.File(self.dir / "field.h5", "w") as file:
            made = file.create_dataset("rhs", (8, 8, 8), "f8", external=[("raw.h5", 0, 8 * 512)])
            made.attrs.update(UNIT_BOX)
            cwd = os.getcwd()
            os.chdir(self.dir)
            made[...] = noise(8, 8, 8)
            os.chdir(cwd)
        os.link(self.dir / "raw.h5", self.dir / "raw.png")
        for option, name in (("-o", "raw.h5"), ("--json", "raw.h5"), ("--preview", "raw.png")):
            self.refuse(2, [option, name, "raw values"], "-i", "field.h5", option, name,
                        *([] if option == "-o" else ["-o", "u.h5"]))
        self.run_well("-i", "field.h5", "-o", "u.h5")

    def test_links_that_lead_nowhere(self):
        """They used to count as faces of value 0."""
        for name in ("boundary_values", "boundary_values/x_lower", "exact", "rhs"):
            for link in (h5py.SoftLink("/gone"), h5py.ExternalLink("gone.h5", "/values")):
                with self.subTest(name=name, link=link):
                    self.field("field.h5", noise(8, 8, 8))
                    with h5py.File(self.dir / "field.h5", "a") as file:
                        if name == "rhs":
                            del file["rhs"]
                        file[name] = link
                    if name == "exact":  # not asked for, not touched
                        self.run_well("-i", "field.h5")
                        told = self.report("info", "field.h5")
                        self.assertFalse(told["exact"])
                        self.assertIn("leads nowhere", told["exact_problem"])
                        self.assertIn("leads nowhere", self.run_well("info", "field.h5").stdout)
                    self.refuse(3, ["field.h5", "leads nowhere"], "-i", "field.h5", "--exact", "/exact")

    def test_a_pipe_behind_exact(self):
        os.mkfifo(self.dir / "pipe")
        self.field("field.h5", noise(8, 8, 8))
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["exact"] = h5py.ExternalLink("pipe", "/values")
        self.run_well("-i", "field.h5")
        self.assertIn("named pipe", self.report("info", "field.h5")["exact_problem"])
        os.remove(self.dir / "field.solution.h5")
        self.refuse(3, ["pipe", "named pipe"], "-i", "field.h5", "--exact", "/exact")


class Unwritten(ProgramTest):
    def test_allow_fill(self):
        path = self.field("field.h5", noise(8, 8, 8))
        with h5py.File(path, "a") as file:
            attributes = dict(file["rhs"].attrs)
            del file["rhs"]
            made = file.create_dataset("rhs", (8, 8, 8), "f8", chunks=(2, 8, 8), fillvalue=0.5)
            made.attrs.update(attributes)
            made[:4] = noise(4, 8, 8)
        words = ["field.h5", "/rhs", "2 of its 4 chunks", "0.5", "--allow-fill"]
        self.refuse(3, words, "-i", "field.h5")
        self.refuse(3, words, "info", "field.h5")
        self.run_well("info", "field.h5", "--allow-fill")
        self.run_well("-i", "field.h5", "--allow-fill")
        with h5py.File(path, "r") as file:
            values = file["rhs"][...]
        filled = self.solution()
        self.field("field.h5", values)
        self.run_well("-i", "field.h5")
        self.assertTrue((self.solution() == filled).all())


class Changing(ProgramTest):
    def output_is_open(self, pid):
        """The output has no name yet, or a hidden one."""
        for descriptor in pathlib.Path(f"/proc/{pid}/fd").iterdir():
            try:
                name = pathlib.Path(os.readlink(descriptor))
            except FileNotFoundError:
                continue
            if name.parent == self.dir.resolve() and name.name != "field.h5":
                return True
        return False

    def solve_while(self, change, *options):
        """Changes the input when it is open and not yet read: the program waits to tell its progress meanwhile, since
        the pipe to do so is full."""
        self.field("field.h5", noise(32, 32, 32))
        read, write = os.pipe()
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
        os.set_blocking(write, False)
        filled = 0
        try:
            while True:
                filled += os.write(write, b"." * 512)
        except BlockingIOError:
            pass
        os.set_blocking(write, True)
        words = [PROGRAM, "-i", "field.h5", "--progress", "always", *options]
        with subprocess.Popen(words, cwd=self.dir, stdout=subprocess.DEVNULL, stderr=write) as process:
            os.close(write)
            deadline = time.monotonic() + 60
            while not self.output_is_open(process.pid) and time.monotonic() < deadline:
                time.sleep(0.01)  # its output is made after the input was opened
            self.assertIsNone(process.poll())
            change(self.dir / "field.h5")
            with open(read, "rb") as said:
                text = said.read()[filled:].decode()
            return process.wait(timeout=60), text

    def test_cut_off(self):
        def cut(path):
            os.truncate(path, path.stat().st_size // 2)
        status, text = self.solve_while(cut)
        self.assertEqual(status, 3, text)
        self.assertIn("changed while it was read", text)
        self.assertEqual([path.name for path in self.dir.iterdir()], ["field.h5"])

    def test_copied_over(self):
        def copy(path):
            size = path.stat().st_size
            with open(path, "r+b") as file:
                file.truncate(0)
                file.truncate(size)
        status, text = self.solve_while(copy)
        self.assertEqual(status, 3, text)

    def test_replaced(self):
        """A new file under the old name does no harm."""
        def replace(path):
            (self.dir / "new").write_bytes(b"other")
            os.replace(self.dir / "new", path)
        status, text = self.solve_while(replace)
        self.assertEqual(status, 0, text)


class Hostile(ProgramTest):
    def test_many_links(self):
        with h5py.File(self.field("field.h5", noise(4, 4, 4)), "a") as file:
            group = file.create_group("boundary_values")
            for i in range(16000):
                group[f"n{i}"] = h5py.SoftLink("/rhs")
        start = time.monotonic()
        self.refuse(3, ["n0", "names of faces"], "info", "field.h5")
        self.assertLess(time.monotonic() - start, 10)

    def test_nothing_raw_reaches_the_terminal(self):
        name = "a\x1b[2Jb.h5"
        self.refuse(3, ["a\\x1b[2Jb.h5"], "info", name)
        hostile = {"boundary": "\x1b]0;x\x07" + "y" * 50000, "spacing": (1, 1, 1)}
        self.field("field.h5", noise(4, 4, 4), attributes=hostile)
        done = self.refuse(3, ["\\x1b]0;x\\x07yyy"], "-i", "field.h5")
        self.assertLess(len(done.stderr), 500)
        self.field(name, noise(4, 4, 4))
        self.assertNotIn("\x1b", self.run_well("info", name).stdout)

    def test_symbolic_links_in_a_circle(self):
        os.symlink("b.h5", self.dir / "a.h5")
        os.symlink("a.h5", self.dir / "b.h5")
        self.refuse(3, ["a.h5", "symbolic links"], "info", "a.h5")

    def test_no_free_descriptor(self):
        self.field("field.h5", noise(4, 4, 4))
        for most in range(3, 14):
            done = self.run_any(
                "info", "field.h5", before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
            if done.status == 0:
                break
            if "shared libraries" in done.stderr:
                continue
            self.assertEqual(done.status, 3, done.stderr)
            self.assertIn("no free file descriptor", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(done.status, 0, done.stderr)

    def test_locked(self):
        path = self.field("field.h5", noise(4, 4, 4))
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.refuse(3, ["lock", "HDF5_USE_FILE_LOCKING"], "info", "field.h5")


if __name__ == "__main__":
    main()
