"""Use from many threads, the plans that solve() keeps, what a long loop holds, what may not be done."""

import copy
import gc
import pathlib
import pickle
import re
import resource
import subprocess
import sys
import threading
import time
import tracemalloc
from unittest import mock

from python_test import PythonTest, main, Solver, noise, poisson3d, solve, workspace_bytes, np

SHAPE = (5, 6, 7)


class Threads(PythonTest):
    def in_threads(self, count, work):
        """Runs work(number) in threads that start together; returns the results."""
        results, gate = [None] * count, threading.Barrier(count)

        def run(number):
            gate.wait()
            results[number] = work(number)

        threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results

    def test_one_solver_each(self):
        def work(number):
            shape = (9 + number, 10, 11)
            f = noise(*shape, seed=number)
            solver = Solver(shape, spacing=0.1, boundary="dirichlet", threads=1)
            return f, [solver.solve(f) for _ in range(50)]

        for f, solutions in self.in_threads(4, work):
            wanted = Solver(f.shape, spacing=0.1, boundary="dirichlet", threads=1).solve(f)
            for u in solutions:
                np.testing.assert_array_equal(u, wanted)

    def test_one_solver_for_all(self):
        solver = Solver((16, 17, 18), spacing=0.1, boundary=("dirichlet", "neumann", "periodic"))
        fields = [noise(16, 17, 18, seed=number) for number in range(4)]
        wanted = [solver.solve(f) for f in fields]
        gradients = [solver.gradient(u) for u in wanted]

        def work(number):
            return [(solver.solve(fields[number]), solver.gradient(wanted[number])) for _ in range(50)]

        for number, found in enumerate(self.in_threads(4, work)):
            for u, gradient in found:
                np.testing.assert_array_equal(u, wanted[number])
                np.testing.assert_array_equal(gradient, gradients[number])

    def test_other_threads_run_while_one_solves(self):
        solver = Solver((160, 160, 160), spacing=0.1, boundary="dirichlet", threads=1)
        f = noise(160, 160, 160)
        solver.solve(f)
        ticks, stop = [0], threading.Event()

        def tick():
            while not stop.is_set():
                time.sleep(0.001)
                ticks[0] += 1

        thread = threading.Thread(target=tick)
        thread.start()
        for _ in range(4):
            solver.solve(f, f)
        stop.set()
        thread.join()
        # Were the lock held, ticks could come between solves alone: one or two each.
        self.assertGreater(ticks[0], 20)

    def test_the_cache_from_many_threads(self):
        poisson3d.clear_plan_cache()

        def work(number):
            return [solve(noise(*SHAPE), spacing=0.1 * (1 + (number + i) % 12), boundary="dirichlet")
                    for i in range(60)]

        results = self.in_threads(4, work)
        for number, found in enumerate(results):
            for i, u in enumerate(found):
                self.assert_close(u, results[0][(number + i) % 12], 1e-12)
        self.assertLessEqual(poisson3d.plan_cache_info().plans, 8)


class PlanCache(PythonTest):
    def setUp(self):
        poisson3d.clear_plan_cache()

    def test_the_same_problem_is_planned_once(self):
        f = noise(*SHAPE)
        for _ in range(3):
            solve(f, spacing=0.1, boundary="dirichlet", scale=2.0)
        solve(f, spacing=(0.1, 0.1, 0.1), boundary="dirichlet")
        info = poisson3d.plan_cache_info()
        self.assertEqual((info.plans, info.hits, info.misses), (2, 2, 2))
        self.assertEqual(info.bytes, 2 * workspace_bytes(SHAPE, spacing=0.1, boundary="dirichlet"))

    def test_what_makes_another_problem(self):
        f = noise(*SHAPE)
        base = dict(spacing=0.1, boundary="neumann")
        first = solve(f, **base)
        for change in ({"spacing": 0.2}, {"boundary": "periodic"}, {"centering": "node"}, {"helmholtz": 1.0},
                       {"discretization": "spectral"}, {"gauge": (0, 0, 0)}):
            u = solve(f, **{**base, **change})
            self.assertGreater(np.abs(u - first).max(), 1e-6, change)
        self.assertEqual(solve(f.astype("f4"), **base).dtype, np.float32)
        self.assertEqual(poisson3d.plan_cache_info().misses, 8)

    def test_few_plans_and_few_bytes_are_kept(self):
        for n in range(1, 20):
            solve(noise(n, 2, 2), spacing=1, boundary="dirichlet")
        self.assertEqual(poisson3d.plan_cache_info().plans, 8)
        solve(noise(19, 2, 2), spacing=1, boundary="dirichlet")  # the last one is there
        self.assertEqual(poisson3d.plan_cache_info().hits, 1)
        one = workspace_bytes((64, 64, 64), spacing=1, boundary="dirichlet", memory="fast")
        with mock.patch.object(poisson3d._solve, "_most_bytes", 2 * one + one // 2):
            f = noise(64, 64, 64)
            for spacing in range(1, 6):
                solve(f, spacing=spacing, boundary="dirichlet", memory="fast")
            self.assertEqual((poisson3d.plan_cache_info().plans, poisson3d.plan_cache_info().bytes), (2, 2 * one))
        with mock.patch.object(poisson3d._solve, "_most_bytes", one // 2):  # the last one stays, whatever it holds
            solve(f, spacing=6, boundary="dirichlet", memory="fast")
            self.assertEqual(poisson3d.plan_cache_info().plans, 1)
        self.assertEqual(poisson3d._solve._most_bytes, 1 << 30)
        poisson3d.clear_plan_cache()
        self.assertEqual(poisson3d.plan_cache_info(), (0, 0, 0, 0))


class LongLoops(PythonTest):
    def test_nothing_is_left_behind(self):
        f, out = noise(33, 32, 31), np.empty((33, 32, 31))
        face = noise(32, 31)
        solver = Solver(f.shape, spacing=0.1, boundary="dirichlet", threads=1)
        grad = np.empty((3, *f.shape))

        def step():
            solver.solve(f, out, boundary_values={"x_lower": face})
            solver.solve(f)
            solver.gradient(out, grad)
            solver.result
            for bad in (f[1:], f.astype("f4")):
                try:
                    solver.solve(bad)
                except poisson3d.Error:
                    pass

        for _ in range(20):
            step()
        gc.collect()
        tracemalloc.start()
        step()
        before, resident = tracemalloc.get_traced_memory()[0], _resident()
        for _ in range(300):
            step()
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        self.assertLess(after - before, 20_000)
        self.assertLess(_resident() - resident, 4 << 20)  # 300 fields left behind are 75 MiB

    def test_solvers_give_their_memory_back(self):
        f = noise(128, 128, 128)

        def plan():
            Solver(f.shape, spacing=0.1, boundary="free").solve(f, f)

        for _ in range(5):
            plan()
        resident = _resident()
        for _ in range(20):
            plan()
        self.assertLess(_resident() - resident, 16 << 20)  # one plan holds 3 MiB


def _resident():
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


class Package(PythonTest):
    def test_solvers_are_not_pickled(self):
        solver = Solver(SHAPE, spacing=0.1, boundary="dirichlet")
        for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
            with self.assertRaisesRegex(TypeError, "make it again from its arguments"):
                attempt(solver)

    def test_errors_are(self):
        error = pickle.loads(pickle.dumps(poisson3d.UsageError("why", 20, "usage")))
        self.assertEqual((str(error), error.code, error.name), ("why", 20, "usage"))

    def test_what_a_solver_says(self):
        solver = Solver(SHAPE, "float32", spacing=0.1, boundary="dirichlet", threads=1,
                                  memory="fast", batch=2)
        self.assertEqual((solver.shape, solver.batch, solver.engine, solver.memory, solver.threads),
                         (SHAPE, 2, "host", "fast", 1))
        self.assertEqual(solver.workspace, workspace_bytes(
            SHAPE, "float32", spacing=0.1, boundary="dirichlet", threads=1, memory="fast", batch=2))
        self.assertIn("5 x 6 x 7 float32, host, 1 thread", repr(solver))
        with self.refused("nothing was solved yet"):
            solver.result
        solver.solve(noise(*SHAPE, dtype="f4"))
        self.assertEqual([p.name for p in solver.passes], ["1 z y forward", "2 x both ways", "3 y z backward"])
        self.assertTrue(all(p.seconds > 0 and p.bytes > 0 for p in solver.passes))
        self.assertEqual(poisson3d.engine_unavailable("host"), "")

    def test_it_brings_no_library_that_nobody_asked_for(self):
        libraries = ["torch", "jax", "cupy", "xarray", "scipy", "h5py", "mpi4py", "dask", "pandas"]
        found = subprocess.run([sys.executable, "-c", "import poisson3d, sys, numpy as np\n"
                                "poisson3d.solve(np.ones((3, 4, 5)), spacing=1.0, boundary='dirichlet', engine='host')\n"
                                f"print(*[one for one in {libraries} if one in sys.modules])"],
                               capture_output=True, text=True, timeout=100)
        self.assertEqual((found.returncode, found.stdout, found.stderr), (0, "\n", ""))

    def test_the_readme_is_right(self):
        readme = pathlib.Path(__file__).parents[2] / "README.md"
        (block,) = re.findall(r"^```python\n(.*?)^```", readme.read_text(encoding="utf-8"), re.S | re.M)
        there = {"f": noise(*SHAPE)}
        exec(block, there)
        self.assertEqual(there["u"].shape, SHAPE)
        self.assertFalse(np.allclose(there["f"], noise(*SHAPE)), "the last line solves in place")

    def test_types_and_docstrings_come_with_it(self):
        folder = pathlib.Path(poisson3d.__file__).parent
        self.assertTrue((folder / "py.typed").exists())
        self.assertIn("class Plan:", (folder / "_core.pyi").read_text())
        for name in poisson3d.__all__:
            self.assertTrue(getattr(poisson3d, name).__doc__, name)
        for name, member in vars(poisson3d.Solver).items():
            if not name.startswith("_"):
                self.assertTrue(member.__doc__, name)
        self.assertRegex(poisson3d.__version__, r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    main()
