"""Fields larger than memory: --memory disk, and what --max-memory leads to. The bits of a solve in memory, however many
slabs and blocks there are; memory below its limit; of the scratch file nothing is left, whatever happens.
"""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import time
import unittest

from program import PROGRAM, SANITIZED, UNIT_BOX, ProgramTest, h5py, main, noise, np

SHIM = os.environ.get("POISSON3D_FAIL_LIBRARY_CALL", "")
ON_DISK = ("--memory", "disk", "--engine", "host")


def limit_file_size(bytes_):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))


class Disk(ProgramTest):
    def solve(self, output, *options, status=0):
        return self.report("-i", "field.h5", "-o", output, *options, status=status)

    def compare(self, *options, slabs=2, datasets=("/solution",)):
        """Solves in memory and from disk, with the least kilobytes of 8, 16, 32 … that there is a way with; hands back
        the report of the latter."""
        self.solve("memory.h5", "--engine", "host", "--memory", "low", *options)
        for kilobytes in (8 * 2**n for n in range(8)):
            done = self.run_any("-i", "field.h5", "-o", "disk.h5", *ON_DISK, "--max-memory", f"{kilobytes}K", "--json", "-",
                                *options)
            self.assertIn(done.status, (0, 5), done.stderr)
            if done.status == 0:
                break
            self.assertIn("a solve from slabs in a file needs at least", done.stderr)
        report = done.json
        self.assertEqual(report["status"], 0)
        self.assertEqual(report["memory"], "disk")
        self.assertGreaterEqual(report["disk"]["slabs"], slabs)
        for dataset in datasets:
            found, wanted = (self.solution(name, dataset) for name in ("disk.h5", "memory.h5"))
            self.assertEqual(found.dtype, wanted.dtype)
            self.assertEqual(found.tobytes(), wanted.tobytes(), f"{options}, {dataset}")
        if "--no-verify" not in options:
            self.assertLess(report["residual"]["backward"], report["tolerance"])
        return report


class Bits(Disk):
    def test_kinds(self):
        """Odd, prime and unequal; periodic and between walls of all kinds; cells and nodes; by both discretizations."""
        self.field("field.h5", noise(29, 17, 37))
        for number, (boundary, centering) in enumerate((
            ("dirichlet", "cell"), ("neumann", "node"), ("periodic", "cell"),
            ("x=dirichlet:neumann,y=periodic,z=neumann:dirichlet", "x=node,y=cell,z=node"),
            ("x=neumann,y=dirichlet,z=periodic", "node"),
            ("x=robin:1:0.5,y=dirichlet,z=neumann", "cell"),
            ("x=dirichlet,y=robin:1:0.5,z=neumann", "node"),
            ("x=periodic,y=dirichlet,z=robin:2:1", "cell"),
        )):
            for precision in "double", "single":
                with self.subTest(boundary=boundary, centering=centering, precision=precision):
                    more = ["--helmholtz", "0.7"] if number % 2 else []
                    if "robin" not in boundary and number % 3 == 0:
                        more += ["--discretization", "spectral"]
                    if "neumann" == boundary or "periodic" == boundary:
                        more += ["--gauge", "19,3,4"]
                    self.compare("--boundary", boundary, "--centering", centering, "--precision", precision,
                                 "--scale", "-2.5", *more, slabs=2 if "y=robin" in boundary else 4)

    def test_spectral(self):
        """L u, which verifies, is of a scratch file, too; in single precision of a larger one."""
        for dtype in "f8", "f4":
            self.field("field.h5", noise(31, 12, 33, dtype=dtype), attributes={"spacing": (0.1,) * 3, "boundary": "neumann"})
            report = self.compare("--discretization", "spectral", slabs=3)
            self.assertGreater(report["residual"]["max"], 0.0)
            whole = self.solve("memory.h5", "--engine", "host", "--discretization", "spectral")
            self.assertEqual(report["residual"], whole["residual"])

    def test_small(self):
        """One to three points, thin and long boxes."""
        for shape in (1, 1, 1), (1, 2, 3), (3, 2, 1), (2, 1, 3), (97, 2, 3), (3, 97, 2), (2, 3, 97), (3, 3, 3):
            for boundary in "periodic", "dirichlet", "neumann":
                with self.subTest(shape=shape, boundary=boundary):
                    self.field("field.h5", noise(*shape), attributes={**UNIT_BOX, "boundary": boundary})
                    self.compare("--strict" if boundary == "dirichlet" else "-v", slabs=1)

    def test_boundary_values(self):
        """Arrays on all faces."""
        shape = 23, 14, 34
        self.field("field.h5", noise(*shape))
        with h5py.File(self.dir / "field.h5", "a") as file:
            for axis, letter in enumerate("xyz"):
                face = shape[:axis] + shape[axis + 1:]
                for side in "lower", "upper":
                    file[f"/boundary_values/{letter}_{side}"] = noise(*face, seed=axis + len(side))
        for boundary in "dirichlet", "neumann", "x=dirichlet:neumann,y=neumann,z=neumann:dirichlet":
            for precision in "double", "single":
                with self.subTest(boundary=boundary, precision=precision):
                    self.compare("--boundary", boundary, "--precision", precision, slabs=3)

    def test_a_large_constant(self):
        """It is taken from f before the first pass, as in memory, where it is known from samples of all of f."""
        values = noise(41, 24, 35, dtype="f4") + np.float32(300.0)
        self.field("field.h5", values, attributes={"spacing": (0.1,) * 3, "boundary": "neumann"})
        report = self.compare(slabs=4)
        self.assertAlmostEqual(report["mean_removed"], 300.0, delta=0.1)

    def test_steps(self):
        """Many right-hand sides, one after the other through the same file, also where checking gives the solver up."""
        with h5py.File(self.dir / "field.h5", "w") as file:
            file["rhs"] = noise(3, 19, 10, 39, dtype="f4")
            file["rhs"].attrs.update(UNIT_BOX)
        for options in [], ["--discretization", "spectral"]:
            with self.subTest(options=options):
                report = self.compare("--step", "all", *options, slabs=3)
                self.assertEqual(len(report["steps"]), 3)

    def test_what_comes_after(self):
        """Gradient, comparison, picture and VTK's file read the output."""
        self.run_well("make", "mixed", "--points", "37,12,33", "-o", "field.h5", "-q")
        more = "--exact", "/exact", "--gradient"
        report = self.compare(*more, slabs=3, datasets=("/solution", "/gradient/x", "/gradient/y", "/gradient/z"))
        pictures, whole = [], None
        for options in ["--engine", "host"], [*ON_DISK, "--max-memory", "64K"]:
            whole = whole or self.solve("u.h5", *options, *more, "--preview", "p.png", "--vtk", "memory.vtkhdf")
            self.solve("u.h5", *options, *more, "--preview", "p.png", "--vtk", "disk.vtkhdf")
            pictures.append((self.dir / "p.png").read_bytes())
        self.assertEqual(report["error"], whole["error"])
        self.assertEqual(report["residual"], whole["residual"])
        self.assertEqual(*pictures)
        with h5py.File(self.dir / "memory.vtkhdf") as first, h5py.File(self.dir / "disk.vtkhdf") as second:
            compared = []
            first.visititems(lambda name, item: compared.append(name) if isinstance(item, h5py.Dataset) else None)
            for name in compared:
                np.testing.assert_array_equal(first[name][...], second[name][...])
            self.assertGreaterEqual(len(compared), 2)

    def test_formats(self):
        """Outputs that are no HDF5 file, that are packed, and standard output."""
        self.field("field.h5", noise(21, 9, 33), chunks=(4, 9, 33), compression="gzip")
        for name, options in (("u.npy", ()), ("u.h5", ("--compress", "4"))):
            self.report("-i", "field.h5", "-o", name, *ON_DISK, "--max-memory", "30K", *options)
        self.solve("memory.h5", "--engine", "host")
        wanted = self.solution("memory.h5")
        np.testing.assert_array_equal(np.load(self.dir / "u.npy"), wanted)
        np.testing.assert_array_equal(self.solution("u.h5"), wanted)
        with open(self.dir / "out.npy", "wb") as out:
            done = self.run_any("-i", "field.h5", "-o", "-", *ON_DISK, "--max-memory", "30K", stdout=out)
        self.assertEqual(done.status, 0, done.stderr)
        np.testing.assert_array_equal(np.load(self.dir / "out.npy"), wanted)


class Choice(Disk):
    def test_automatic(self):
        """What does not fit goes through a file by itself, with a warning; other modes are refused."""
        self.field("field.h5", noise(40, 24, 20))
        done = self.run_well("-i", "field.h5", "--engine", "host", "--max-memory", "100K", "--json", "-")
        self.assertEqual(done.json["memory"], "disk")
        self.assertRegex(done.stderr, r"\Apoisson3d: warning: the field is solved from disk, in \d+ slabs, .* scratch "
                                      r"file of 150\.00 KiB beside the output; .* go between files and memory\n\Z")
        self.assertEqual(self.attributes()["memory"], "disk")
        done = self.run_well("-i", "field.h5", "--engine", "host", "--max-memory", "2M", "--json", "-")
        self.assertEqual(done.json["memory"], "fast")
        self.assertEqual(done.stderr, "")
        (self.dir / "field.solution.h5").unlink()
        self.refuse(5, ["out of host memory", "150.00 KiB"], "-i", "field.h5", "--memory", "low", "--max-memory", "100K",
                    "--engine", "host")
        self.refuse(5, ["out of host memory", "nor is there a way through a file", "plane"], "-i", "field.h5",
                    "--max-memory", "2K", "--engine", "host")

    def test_how_long(self):
        """Bytes, and the time at the speed that the disk was seen to have."""
        self.field("field.h5", noise(160, 80, 96))
        done = self.run_well("-i", "field.h5", *ON_DISK, "--max-memory", "3M")
        self.assertRegex(done.stderr, r"which takes about \d+ s at the [\d.]+ [KMG]iB a second that this disk took just now")
        self.assertIn("on disk", done.stdout)
        report = self.report("-i", "field.h5", *ON_DISK, "--max-memory", "3M")["disk"]
        size = 160 * 80 * 96 * 8
        self.assertEqual(report["scratch"], size)
        self.assertEqual(report["moved"], 8 * size)  # four times scratch, twice input, twice output
        self.assertGreater(report["rate"], 0)
        self.assertEqual(self.run_well("-i", "field.h5", *ON_DISK, "-q").stderr, "")

    def test_refused(self):
        """One sentence, and nothing left."""
        self.field("field.h5", noise(8, 9, 10))
        for words, options in (
            (["--precision mixed"], ["--precision", "mixed"]),
            (["free faces", "axis y"], ["--boundary", "x=dirichlet,y=free,z=neumann"]),
            (["--gradient", "spectral"], ["--gradient", "--discretization", "spectral"]),
            (["members"], ["--members", "2"]),
        ):
            with self.subTest(options=options):
                self.refuse(2, words, "-i", "field.h5", "--memory", "disk", *options)
        self.refuse(2, ["--engine fused", "host"], "-i", "field.h5", "--memory", "disk", "--engine", "fused")
        with h5py.File(self.dir / "field.h5", "a") as file:
            file["coefficient"] = 1.0 + 0.5 * noise(8, 9, 10)
        self.refuse(2, ["/coefficient", "--memory disk"], "-i", "field.h5", "--memory", "disk")
        self.refuse(2, ["--max-memory", "found '12Q'", "500M"], "-i", "field.h5", "--max-memory", "12Q")
        self.refuse(2, ["--max-memory"], "-i", "field.h5", "--max-memory", "-1")
        self.refuse(2, ["--memory", "diskette", "disk"], "-i", "field.h5", "--memory", "diskette")
        self.refuse(2, ["--memory", "found 'disk'"], "bench", "solve", "--memory", "disk")


class NothingLeft(Disk):
    def test_full_disk(self):
        """A limit on the size of files, which the scratch file meets first, and then the output."""
        self.field("field.h5", noise(40, 40, 40))
        field = 40**3 * 8
        self.refuse(6, ["field.solution.h5", "scratch file", "500.00 KiB", "File too large"], "-i", "field.h5", "-q",
                    *ON_DISK, before=limit_file_size(field - 1))
        self.refuse(5, ["out of host memory", "nor is there a way through a file", "scratch file"], "-i", "field.h5", "-q",
                    "--engine", "host", "--max-memory", "300K", before=limit_file_size(field - 1))
        self.refuse(6, ["field.solution.h5"], "-i", "field.h5", "-q", *ON_DISK, before=limit_file_size(field + 1))

    def test_more_than_the_disk_has(self):
        """A file may promise what no disk holds."""
        with h5py.File(self.dir / "field.h5", "w") as file:
            rhs = file.create_dataset("rhs", (16_000,) * 3, "f8", chunks=(64,) * 3)
            rhs.attrs.update(UNIT_BOX)
        self.refuse(6, ["scratch file", "needs 29.80 TiB"], "-i", "field.h5", "--allow-fill", *ON_DISK, "--max-memory", "8G")

    @unittest.skipUnless(os.path.exists(SHIM) and not SANITIZED, "what makes calls fail was not built")
    def test_failing_disk(self):
        """A disk that is full when a piece is written to it, whichever."""
        self.field("field.h5", noise(20, 20, 33))
        said = ""
        for number in 1, 2, 3, 5, 8, 13, 21, 34:
            environment = {**os.environ, "LD_PRELOAD": SHIM, "FAIL_CALL": f"pwrite:{number}:ENOSPC"}
            said += self.refuse(6, ["field.solution.h5", "No space left on device"], "-i", "field.h5", *ON_DISK, "-q",
                                "--max-memory", "20K", env=environment).stderr
        self.assertGreaterEqual(said.count("the scratch file for it"), 5)

    def start(self, environment):
        return subprocess.Popen([PROGRAM, "-i", "field.h5", *ON_DISK, "-q", "--max-memory", "4M"], cwd=self.dir,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **environment})

    def scratch_of(self, process):
        """What the process has open in its directory that has no name."""
        found = []
        try:
            links = list(pathlib.Path(f"/proc/{process.pid}/fd").iterdir())
        except OSError:
            return found  # it has ended
        for link in links:
            try:
                target = os.readlink(link)
                size = os.stat(link).st_size
            except OSError:
                continue
            if target.startswith(str(self.dir)) and "(deleted)" in target:
                found.append(size)
        return found

    def test_signals(self):
        """Ctrl-C, and the signal that nobody can handle, when the scratch file is there. Where files cannot be without a
        name, the latter leaves the output's hidden file, and no other."""
        self.field("field.h5", noise(192, 160, 160))
        scratch = 192 * 160 * 160 * 8
        before = self.contents()
        for environment in {}, {"LD_PRELOAD": SHIM, "FAIL_CALL": "tmpfile:0:EOPNOTSUPP"}:
            if environment and (SANITIZED or not os.path.exists(SHIM)):
                continue
            for number in signal.SIGINT, signal.SIGTERM, signal.SIGKILL:
                with self.subTest(signal=number, environment=environment):
                    for patience in range(20):
                        process = self.start(environment)
                        seen = []
                        while process.poll() is None and scratch not in seen:
                            seen = self.scratch_of(process)
                            time.sleep(0.001)
                        time.sleep(0.005 * patience)
                        process.send_signal(number)
                        process.communicate(timeout=60)
                        self.assertIn(scratch, seen)
                        if process.returncode != 0:
                            break
                        (self.dir / "field.solution.h5").unlink()  # it was done before the signal came
                    self.assertEqual(process.returncode, -number)
                    left = [path for path in self.dir.iterdir() if path.name not in before]
                    self.assertEqual(len(left), 1 if environment and number == signal.SIGKILL else 0, left)
                    for path in left:
                        self.assertTrue(path.name.startswith(".poisson3d-"))
                        path.unlink()
                    self.assertEqual(self.contents(), before)


@unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
@unittest.skipUnless(sys.platform == "linux", "resident sizes are told in kilobytes on Linux")
class Memory(Disk):
    def peak(self, *options):
        """Of the program alone, in a child of this process."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                self.run_well(*options)
                os.write(write, str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024).encode())
                status = 0
            finally:
                os._exit(status)
        os.close(write)
        with os.fdopen(read) as pipe:
            words = pipe.read()
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        return int(words)

    def test_below_the_limit(self):
        """Fields of 400 MB, with 168 MB."""
        limit = 160 << 20
        for precision, points, more in (
            ("double", 368, ["--boundary", "neumann"]),
            ("double", 368, ["--discretization", "spectral"]),
            ("single", 464, ["--gradient"]),
            ("single", 463, ["--discretization", "spectral"]),
        ):
            self.run_well("make", "random", "--points", points, "--precision", precision, "-o", "field.h5", "-q")
            peak = self.peak("-i", "field.h5", "--engine", "host", "--max-memory", limit, "-o", "u.h5", *more)
            size = points**3 * (8 if precision == "double" else 4)
            print(f"{precision} {' '.join(more):30} field {size / 1e6:.0f} MB, limit {limit / 1e6:.0f}, peak {peak / 1e6:.0f}")
            self.assertEqual(self.attributes("u.h5")["memory"], "disk")
            self.assertLess(peak, limit)
            self.assertGreater(size, 2 * limit)


if __name__ == "__main__":
    main()
