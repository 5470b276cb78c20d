"""The program by members: threads of one process, and ranks of MPI, which are the same program to whoever starts it.

The environment variable POISSON3D_MPIEXEC names the mpirun of the MPI that the program was built with; without it
only what needs none is tested.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

from program import PROGRAM, SANITIZED, Finished, ProgramTest, h5py, main, noise, np

MPIEXEC = os.environ.get("POISSON3D_MPIEXEC", "")
# Open MPI's words for: more ranks than processors, as root, without the calls that containers forbid.
ENVIRONMENT = {
    **os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "ASAN_OPTIONS": "detect_leaks=0",
}
MIXED = {"spacing": (0.1, 0.2, 0.15), "boundary": ["dirichlet", "neumann", "periodic", "periodic", "neumann", "neumann"]}


def ranks_of(run):
    """The processes of a run by ranks, the first rank first, whatever stands between mpirun and them."""
    found, waiting = {}, [run.pid]
    while waiting:
        process = pathlib.Path(f"/proc/{waiting.pop()}")
        waiting += [int(child) for child in (process / "task" / process.name / "children").read_text().split()]
        if os.readlink(process / "exe").endswith("poisson3d-mpi"):
            variables = dict(one.split("=", 1) for one in (process / "environ").read_text().split("\0") if "=" in one)
            found[int(variables.get("OMPI_COMM_WORLD_RANK", variables.get("PMI_RANK", "0")))] = int(process.name)
    return [found[rank] for rank in sorted(found)]


class MembersTest(ProgramTest):
    def same_report_on_free_faces(self, one, many):
        """Of what is judged with free faces, all of which members measure as one process does."""
        for key in ("net", "edge"):
            self.assertAlmostEqual(one[key], many[key], delta=1e-12)
        self.assertLess(many["freeness"], many["tolerance"])
        self.assertLess(many["residual"]["backward"], many["tolerance"])
        self.assertLess(max(abs(one["freeness"] - many["freeness"]),
                            abs(one["residual"]["backward"] - many["residual"]["backward"])), many["tolerance"] / 4)

    def by(self, ranks, *words, **options):
        """Starts the program by so many ranks; 0: without mpirun."""
        start = [MPIEXEC, "-n", str(ranks)] if ranks > 0 else []
        return subprocess.Popen([*start, PROGRAM, *map(str, words)], cwd=self.dir, text=True, env=ENVIRONMENT,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def ended(self, process):
        process.stdout_text, process.stderr_text = process.communicate(timeout=60)
        done = Finished(process)
        done.stdout, done.stderr = process.stdout_text, process.stderr_text
        return done

    def run_by(self, ranks, *words, status=0):
        done = self.ended(self.by(ranks, *words))
        self.assertEqual(done.status, status, f"{ranks} ranks, {words}\n{done.stdout}{done.stderr}")
        return done

    def refuse_by(self, ranks, status, words, *arguments):
        """All ranks end, with one sentence of the program, and no file is changed."""
        before = self.contents()
        done = self.run_by(ranks, *arguments, status=status)
        said = [line for line in done.stderr.splitlines() if line.startswith("poisson3d: ")]
        self.assertEqual(len(said), 1, done.stderr)
        for word in words:
            self.assertIn(word, said[0])
        self.assertEqual(self.contents(), before)


class Threads(MembersTest):
    def test_elimination(self):
        self.field("field.h5", noise(13, 8, 9), attributes=MIXED)
        self.run_well("-i", "field.h5", "-o", "one.h5")
        report = self.report("-i", "field.h5", "-o", "many.h5", "--members", "5")
        self.assertEqual((report["members"]["count"], report["members"]["method"]), (5, "eliminate"))
        self.assertGreater(report["members"]["bytes"], 0)
        for key in ("messages", "bytes"):  # of the member that sends most: no less than the mean, no more than all
            total, most = report["members"][key], report["members"]["most"][key]
            self.assertTrue(total <= 5 * most <= 5 * total, (key, total, most))
        one, many = self.solution("one.h5"), self.solution("many.h5")
        self.assertLess(abs(one - many).max(), 1e-13 * abs(one).max())
        done = self.run_well("-i", "field.h5", "-o", "many.h5", "--members", "5")
        self.assertIn("5, by elimination", done.stdout)
        self.assertRegex(done.stdout, r"\d+ messages of .* between them, at most \d+ of .* by one")

    def test_transposing_gives_the_bytes_of_one(self):
        self.field("field.h5", noise(13, 8, 32), attributes=MIXED)
        self.run_well("-i", "field.h5", "-o", "one.h5", "--middle", "transform")
        for members in (1, 4, 20):
            self.run_well("-i", "field.h5", "-o", "many.h5", "--members", members, "--method", "transpose",
                          "--decomposition", "slabs")
            self.assertEqual((self.dir / "one.h5").read_bytes(), (self.dir / "many.h5").read_bytes())

    def test_pencils(self):
        """Slabs while there are planes for all; cut before unknown 32 of y, z for two: the bytes of one."""
        self.field("field.h5", noise(5, 64, 64), attributes=MIXED)
        asked = ("-i", "field.h5", "-o", "many.h5")
        for words, shape in ((["--members", "4"], [4, 1]), (["--members", "8"], [4, 2]),
                             (["--members", "9", "--decomposition", "pencils"], [3, 3]),
                             (["--decomposition", "3x2"], [3, 2]), (["--decomposition", "slabs"], [1, 1])):
            self.assertEqual(self.report(*asked, *words)["members"]["decomposition"], shape)
        self.run_well("-i", "field.h5", "-o", "one.h5", "--middle", "transform")
        done = self.run_well(*asked, "--decomposition", "3x2", "--method", "transpose")
        self.assertIn("6, 3 x 2 pencils, by transposing", done.stdout)
        self.assertEqual((self.dir / "one.h5").read_bytes(), (self.dir / "many.h5").read_bytes())
        self.refuse(2, ["--decomposition", "3x2", "6 members", "5"], "-i", "field.h5", "--decomposition", "3x2",
                    "--members", "5")
        for words in ("3x", "0x2", "3x2x1", "columns", "99999x99999"):
            self.refuse(2, ["--decomposition"], "-i", "field.h5", "--decomposition", words)

    def test_info_tells_the_methods(self):
        self.field("field.h5", noise(4, 4, 4))
        self.assertEqual(self.report("info", "field.h5")["methods"], ["eliminate", "transpose"])
        self.field("free.h5", noise(4, 4, 4), attributes={"spacing": (1, 1, 1), "boundary": "free"})
        self.assertEqual(self.report("info", "free.h5")["methods"], ["eliminate", "transpose"])

    def test_refusals(self):
        self.field("field.h5", noise(4, 4, 4))
        one = ("-i", "field.h5")
        self.refuse(2, ["--members", "'0'"], *one, "--members", "0")
        self.refuse(2, ["--method", "automatic, eliminate, transpose"], *one, "--method", "sideways")
        self.refuse(2, ["--devices", "'a'"], *one, "--devices", "0,a")
        self.refuse(2, ["--devices", "'0'"], *one, "--devices", "0")
        self.refuse(2, ["--devices", "99999"], *one, "--devices", "99999")
        self.refuse(2, ["--devices", "--device "], *one, "--devices", "0,1", "--device", "0")
        self.refuse(2, ["--devices", "--members"], *one, "--devices", "0,1", "--members", "2")
        self.refuse(2, ["--method", "--devices"], "bench", "solve", "--points", "8", "--method", "transpose")
        # There are not so many, and in a build without CUDA none can be used.
        with_cuda = self.report("devices")["cuda"].startswith("built with CUDA")
        words = ["--devices", "GPU", "poisson3d devices" if with_cuda else "no CUDA"]
        for command in (one, ("bench", "solve", "--points", "8")):
            self.refuse(5 if with_cuda else 2, words, *command, "--devices", "0,999")
        self.refuse(2, ["mixed"], *one, "--members", "2", "--precision", "mixed")
        self.refuse(2, ["--memory low"], *one, "--members", "2", "--memory", "low")
        self.refuse(2, ["--engine fused"], *one, "--members", "2", "--engine", "fused")
        self.refuse(2, ["eliminated"], *one, "--method", "eliminate", "--discretization", "spectral")

    def test_free_faces(self):
        self.field("field.h5", noise(11, 8, 9), attributes={"spacing": (0.1, 0.2, 0.15)})
        asked = ("-i", "field.h5", "--gradient")
        for boundary, members in (("x=free,y=periodic,z=neumann", "3"), ("x=free:dirichlet,y=dirichlet,z=periodic", "2"),
                                  ("free", "3"), ("x=periodic,y=free,z=neumann:free", "4"),
                                  ("x=neumann,y=periodic,z=free", "2")):
            one = self.report(*asked, "--boundary", boundary, "-o", "one.h5")
            many = self.report(*asked, "--boundary", boundary, "-o", "many.h5", "--members", members)
            self.same_report_on_free_faces(one, many)
            for name in ("/solution", "/gradient/x", "/gradient/y"):
                expected, found = self.solution("one.h5", name), self.solution("many.h5", name)
                self.assertLess(abs(expected - found).max(), 1e-13 * abs(expected).max())

    def test_padded_axes(self):
        """Spectral: nothing is known beyond the points, so that neither residual nor freeness is told."""
        self.field("field.h5", noise(11, 8, 9), attributes={"spacing": (0.1, 0.2, 0.15)})
        for boundary, more in (("free", ["--members", "3"]), ("x=free,y=periodic,z=neumann", ["--gauge", "mean"]),
                               ("x=neumann,y=free,z=free:dirichlet", ["--decomposition", "2x2"])):
            asked = ("-i", "field.h5", "--discretization", "spectral", "--boundary", boundary)
            gauge = more if "--gauge" in more else ()
            one = self.report(*asked, "-o", "one.h5", *gauge)
            many = self.report(*asked, "-o", "many.h5", *more, *(["--members", "2"] if gauge else ()))
            self.assertEqual(many["members"]["method"], "transpose")
            self.assertEqual((one["freeness"], many["freeness"]), (None, None))
            expected, found = self.solution("one.h5"), self.solution("many.h5")
            self.assertLess(abs(expected - found).max(), 1e-13 * abs(expected).max())

    def test_several_ranks_want_the_program_with_mpi(self):
        """Which stands beside the other one."""
        shutil.copy(PROGRAM, self.dir / "poisson3d")
        done = subprocess.run(["./poisson3d", "--version"], cwd=self.dir, text=True, capture_output=True, check=False,
                              env={**os.environ, "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("started as 2 ranks", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


@unittest.skipUnless(MPIEXEC, "without MPI")
class Ranks(MembersTest):
    def test_every_output_is_that_of_one(self):
        """Boundary values, gradient, picture, VTK, comparison; by transposing to the last byte."""
        path = self.field("field.h5", noise(13, 8, 32), attributes={"spacing": (0.1, 0.2, 0.15),
                                                                    "boundary": "dirichlet"})
        with h5py.File(path, "a") as file:
            file["/exact"] = noise(13, 8, 32, seed=2)
            file["/boundary_values/x_lower"] = noise(8, 32, seed=3)
            file["/boundary_values/x_upper"] = noise(8, 32, seed=4)
            file["/boundary_values/y_upper"] = noise(13, 32, seed=5)
            file["/boundary_values/z_lower"] = noise(13, 8, seed=6)
        asked = ("-i", "field.h5", "--exact", "/exact", "--gradient", "--preview-of", "error")

        def outputs(name):
            return ("-o", f"{name}.h5", "--vtk", f"{name}.vtkhdf", "--preview", f"{name}.png", "-q")

        self.run_well(*asked, *outputs("one"), "--middle", "transform")
        names = [f"one.{ending}" for ending in ("h5", "vtkhdf", "png")]
        one, whole = self.solution("one.h5"), [(self.dir / name).read_bytes() for name in names]
        for ranks in (1, 2, 4):
            self.run_by(ranks, *asked, *outputs("one"), "--method", "transpose")
            self.assertEqual([(self.dir / name).read_bytes() for name in names], whole)
        self.run_by(3, *asked, *outputs("one"), "--method", "eliminate")
        self.assertLess(abs(one - self.solution("one.h5")).max(), 1e-13 * abs(one).max())
        self.run_by(4, *asked, *outputs("one"), "--decomposition", "2x2")
        self.assertLess(abs(one - self.solution("one.h5")).max(), 1e-13 * abs(one).max())

    def test_spectral_single_precision_and_ranks_without_planes(self):
        self.field("field.h5", noise(2, 6, 32, dtype="f4"), attributes=MIXED)
        asked = ("-i", "field.h5", "--discretization", "spectral")
        self.run_well(*asked, "-o", "one.h5", "--middle", "transform")
        report = self.run_by(3, *asked, "-o", "many.h5", "--json", "-", "--decomposition", "slabs").json
        self.assertEqual((report["members"]["count"], report["members"]["method"]), (3, "transpose"))
        self.assertLess(report["residual"]["backward"], report["tolerance"])
        self.assertEqual((self.dir / "one.h5").read_bytes(), (self.dir / "many.h5").read_bytes())

    def test_steps(self):
        """After the check of a spectral solution in single precision, which takes the planes of every rank."""
        self.field("field.h5", noise(3, 5, 6, 32, dtype="f4"), attributes=MIXED)
        asked = ("-i", "field.h5", "--discretization", "spectral", "--step", "all")
        self.run_well(*asked, "-o", "one.h5", "--middle", "transform")
        self.run_by(2, *asked, "-o", "many.h5", "--method", "transpose", "-q")
        self.assertEqual((self.dir / "one.h5").read_bytes(), (self.dir / "many.h5").read_bytes())

    def test_chunks_across_ranks_and_uneven_axes(self):
        """Slabs of the file that several ranks have planes of; an axis with positions; nothing verified."""
        path = self.field("field.h5", noise(7, 5, 6), chunks=(5, 5, 6))
        with h5py.File(path, "a") as file:
            file["/positions/x"] = np.cumsum(1 + np.arange(8.0))
        self.run_well("-i", "field.h5", "-o", "one.h5")
        self.run_by(3, "-i", "field.h5", "-o", "many.h5", "--no-verify", "-q")
        one = self.solution("one.h5")
        self.assertLess(abs(one - self.solution("many.h5")).max(), 1e-13 * abs(one).max())

    def test_free_faces(self):
        """In several steps; then on planes so large that both ends are there at no other time."""
        self.field("field.h5", noise(3, 11, 8, 9), attributes={"spacing": (0.1, 0.2, 0.15)})
        asked = ("-i", "field.h5", "--boundary", "x=free,y=periodic,z=neumann", "--gradient", "--json", "-")
        one = self.run_well(*asked, "--step", "all", "-o", "one.h5").json
        many = self.run_by(3, *asked, "--step", "all", "-o", "many.h5").json
        for before, after in zip(one["steps"], many["steps"]):
            self.same_report_on_free_faces(before | {"tolerance": one["tolerance"]}, after | {"tolerance": many["tolerance"]})
        expected, found = self.solution("one.h5", "/gradient/x"), self.solution("many.h5", "/gradient/x")
        self.assertLess(abs(expected - found).max(), 1e-13 * abs(expected).max())
        self.field("closed.h5", noise(9, 8, 10), attributes={"spacing": (0.1, 0.2, 0.15)})
        for boundary in ("free", "x=free,y=free,z=periodic", "x=neumann:free,y=periodic,z=free"):
            closed = ("-i", "closed.h5", "--boundary", boundary, "--gradient", "--json", "-")
            one = self.run_well(*closed, "-o", "one.h5").json
            for ranks in (1, 2, 3, 4):
                many = self.run_by(ranks, *closed, "-o", "many.h5", *(("--decomposition", "2x2") * (ranks == 4))).json
                self.same_report_on_free_faces(one, many)
                self.assertEqual(many["members"]["count"] if ranks > 1 else 1, ranks)
                for name in ("/solution", "/gradient/y", "/gradient/z"):
                    expected, found = self.solution("one.h5", name), self.solution("many.h5", name)
                    self.assertLess(abs(expected - found).max(), 1e-13 * abs(expected).max())
        self.field("field.h5", noise(1, 701, 1100).repeat(12, axis=0), attributes={"spacing": (0.1, 0.1, 0.1)})
        asked = ("-i", "field.h5", "--boundary", "x=neumann:free,y=periodic,z=periodic", "--json", "-")
        self.same_report_on_free_faces(self.run_well(*asked, "-o", "u.h5").json,
                                       self.run_by(2, *asked, "--decomposition", "slabs", "-o", "u.h5").json)

    def test_windows_on_large_planes(self):
        """Of planes of 6 MB two go into a slab: what is verified, compared, drawn and differentiated comes and goes."""
        path = self.field("field.h5", noise(1, 701, 1100).repeat(5, axis=0), attributes={
            "spacing": (0.1, 0.1, 0.1), "boundary": ["periodic", "periodic", "dirichlet", "neumann", "neumann", "neumann"]})
        with h5py.File(path, "a") as file:
            file["/rhs"][:, 0, 0] = np.arange(5)
            file["/exact"] = file["/rhs"][...]
        asked = ("-i", "field.h5", "--method", "transpose", "--exact", "/exact", "--gradient", "--preview-of", "error",
                 "--preview", "u.png", "-o", "u.h5", "-q")
        self.run_well(*asked)
        before = self.contents()
        self.run_by(3, *asked)
        self.assertEqual(self.contents(), before)

    @unittest.skipIf(SANITIZED, "sanitizers take memory of their own")
    def test_verifying_spectral_solutions_takes_some_planes(self):
        """The first of two ranks holds half the field, what is exchanged of it, and slabs of L u, never all of it."""
        planes, side = 300, 256
        self.field("field.h5", noise(1, side, side, dtype="f4").repeat(planes, axis=0), attributes={
            "spacing": (1.0, 1.0, 1.0), "boundary": "dirichlet", "helmholtz": 1.0})
        watched = self.dir / "watched.py"
        # A file for each rank: what they say on stderr mpirun may join in the middle of a line.
        watched.write_text("import os, resource, subprocess, sys\nended = subprocess.run(sys.argv[1:])\n"
                           "with open(f'{os.getpid()}.peak', 'w') as file:\n"
                           "    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024))\n"
                           "sys.exit(ended.returncode)\n")

        def most(*words):
            done = subprocess.run([MPIEXEC, "-n", "2", sys.executable, watched, PROGRAM, "-i", "field.h5", "-o", "u.h5",
                                   "--discretization", "spectral", "--precision", "double", "-q", *words], cwd=self.dir,
                                  text=True, env=ENVIRONMENT, capture_output=True, timeout=120, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = list(self.dir.glob("*.peak"))
            self.assertEqual(len(told), 2)
            peaks = [int(path.read_text()) for path in told]
            for path in told:
                path.unlink()
            return max(peaks)

        field = planes * side * side * 8
        self.assertLess(most() - most("--no-verify"), 0.6 * field)

    def test_one_speaks(self):
        self.assertEqual(self.run_by(2, "--version").stdout.count("\n"), 1)
        self.field("field.h5", noise(4, 5, 6))
        self.assertEqual(self.run_by(2, "info", "field.h5", "--json", "-").json["points"], [4, 5, 6])

    def test_errors(self):
        self.field("field.h5", noise(6, 6, 6))
        self.refuse_by(3, 2, ["--members"], "-i", "field.h5", "--members", "2")
        self.refuse_by(2, 2, ["--engine cufft", "wanted host or fused"], "-i", "field.h5", "--engine", "cufft")
        if not any(one["available"] for one in self.report("devices")["engines"] if one["name"] == "fused"):
            self.refuse_by(3, 5, ["rank 0 cannot be on a device"], "-i", "field.h5", "--engine", "fused")
        self.refuse_by(2, 4, ["no solution"], "-i", "field.h5", "--boundary", "neumann", "--strict")

    @unittest.skipIf(SANITIZED, "sanitizers take more addresses than the test leaves")
    def test_another_rank_has_no_memory(self):
        """What one of the others meets ends all of them, in its words."""
        with h5py.File(self.dir / "large.h5", "w") as file:
            rhs = file.create_dataset("/rhs", (800, 500, 500), dtype="f8")  # never written, so it takes no room
            rhs.attrs["spacing"], rhs.attrs["boundary"] = (1.0, 1.0, 1.0), "dirichlet"
        before = self.contents()
        asked = [PROGRAM, "-i", "large.h5", "--allow-fill"]
        little = ["sh", "-c", f"ulimit -v 700000; exec {' '.join(asked)}"]
        done = subprocess.run([MPIEXEC, "-n", "1", *asked, ":", "-n", "1", *little], cwd=self.dir, text=True,
                              env=ENVIRONMENT, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 5, done.stderr)
        said = [line for line in done.stderr.splitlines() if line.startswith("poisson3d: ")]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn("memory", said[0])
        self.assertEqual(self.contents(), before)


@unittest.skipUnless(MPIEXEC, "without MPI")
class Killed(MembersTest):
    def start(self):
        """A run that reads, of which the last rank stands still, so that it cannot end before it is killed; and its
        processes, the first rank first."""
        self.field("field.h5", noise(1, 96, 96).repeat(96, axis=0), chunks=(1, 96, 96))
        before = self.contents()
        run = self.by(3, "-i", "field.h5", "--progress", "always", "-q")
        while "reading" not in run.stderr.readline(8):
            self.assertIsNone(run.poll())
        ranks = ranks_of(run)
        os.kill(ranks[2], signal.SIGSTOP)
        time.sleep(0.2)
        return run, before, ranks

    def start_solving(self):
        """A run of many small solves, of which the last rank stands still in the middle, so that the others wait for it
        within one."""
        self.field("field.h5", noise(1, 64, 64, 64, dtype="f4").repeat(60, axis=0), attributes={
            "spacing": (1.0, 1.0, 1.0), "boundary": "dirichlet"})
        before = self.contents()
        run = self.by(3, "-i", "field.h5", "--step", "all", "--progress", "always", "-q", "--method", "transpose",
                      "--no-verify")
        said = ""
        while said.count("100 %") < 8:
            more = run.stderr.readline(8)
            self.assertTrue(more, said)
            said += more
        ranks = ranks_of(run)
        os.kill(ranks[2], signal.SIGSTOP)
        time.sleep(0.5)
        return run, before, ranks

    def stops(self, run, before):
        started = time.monotonic()
        self.assertNotEqual(self.ended(run).status, 0)
        self.assertLess(time.monotonic() - started, 30)
        self.assertEqual(self.contents(), before)

    def test_a_killed_rank_ends_all(self):
        run, before, ranks = self.start()
        os.kill(ranks[2], signal.SIGKILL)
        self.stops(run, before)

    def test_a_rank_that_is_killed_while_all_solve_ends_all(self):
        run, before, ranks = self.start_solving()
        os.kill(ranks[2], signal.SIGKILL)
        self.stops(run, before)

    def test_a_signal_for_the_first_rank_ends_all(self):
        run, before, ranks = self.start()
        os.kill(ranks[0], signal.SIGTERM)
        self.stops(run, before)


if __name__ == "__main__":
    main()
