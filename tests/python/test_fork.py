"""Children of fork(): they solve with plans of their own, end without waiting for threads that are not there, and
are told when they use a solver of their parent's. Each runs in an interpreter of its own with a time limit, since
what it looks for is a hang."""

import subprocess
import sys
import textwrap

from python_test import PythonTest, main

START = """
    import os, sys, multiprocessing
    import numpy as np
    import poisson3d
    f = np.random.default_rng(1).standard_normal((20, 21, 22))
    def solve(seed):
        g = np.random.default_rng(seed).standard_normal((20, 21, 22))
        return poisson3d.solve(g, spacing=0.1, boundary="dirichlet", threads=3, engine="host")
    def in_child(work):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                work()
                status = 0
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


class Fork(PythonTest):
    def script(self, text):
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(START) + textwrap.dedent(text)], timeout=60,
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_child_solves_after_its_parent(self):
        self.script("""
            wanted = solve(2)
            in_child(lambda: np.testing.assert_array_equal(solve(2), wanted))
            np.testing.assert_array_equal(solve(2), wanted)
        """)

    def test_a_pool_of_forked_processes(self):
        self.script("""
            wanted = [solve(seed) for seed in range(6)]
            with multiprocessing.get_context("fork").Pool(3) as pool:
                found = pool.map(solve, range(6))
            np.testing.assert_array_equal(found, wanted)
        """)

    def test_a_child_ends_and_drops_what_it_inherited(self):
        self.script("""
            solver = poisson3d.Solver(f.shape, spacing=0.1, boundary="periodic", threads=3, engine="host")
            solver.solve(f)
            solve(1)
            process = multiprocessing.get_context("fork").Process(target=print)
            process.start()
            process.join()
            assert process.exitcode == 0
            child = os.fork()
            if child == 0:
                del solver
                sys.exit(0)  # through the end of the interpreter
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        """)

    def test_an_inherited_solver_raises(self):
        self.script("""
            solver = poisson3d.Solver(f.shape, spacing=0.1, boundary="periodic", threads=3, engine="host")
            wanted = solver.solve(f)
            def work():
                for use in (lambda: solver.solve(f), lambda: solver.gradient(f), lambda: solver.apply(f),
                            lambda: solver.result):
                    try:
                        use()
                    except poisson3d.UsageError as error:
                        assert "before a fork" in str(error), error
                    else:
                        raise AssertionError("nothing was raised")
                assert poisson3d.plan_cache_info().plans == 0
            solve(1)
            in_child(work)
            assert poisson3d.plan_cache_info().plans == 1
            np.testing.assert_array_equal(solver.solve(f), wanted)
        """)


if __name__ == "__main__":
    main()
