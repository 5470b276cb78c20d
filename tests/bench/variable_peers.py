"""∇·(ε∇u) = f on n³ cells between Dirichlet walls, ε from 1 to a contrast by a tanh of 0.1: poisson3d.VariableSolver
and PyAMG (smoothed aggregation and Ruge-Stüben as preconditioners of conjugate gradients), both to the same residual.

    PYTHONPATH=build/cpu/python python3 tests/bench/variable_peers.py --points 128

Wall and processor time; the machine's load is told, since others may be at work on it.
"""

import argparse
import os
import resource
import time

import numpy as np
import scipy.sparse as sparse

import poisson3d


def coefficient(n, contrast):
    x = (np.arange(n) + 0.5) / n
    x, y, z = np.meshgrid(x, x, x, indexing="ij")
    distance = np.sqrt((x - 0.5) ** 2 + (y - 0.45) ** 2 + (z - 0.52) ** 2) - 0.27
    return contrast ** (0.5 + 0.5 * np.tanh(distance / 0.1))


def matrix(epsilon):
    """−∇·(ε∇) with harmonic means on faces. By diagonals, since a list of entries takes several times its memory."""
    n = len(epsilon)
    size = n**3
    diagonal, diagonals, offsets = np.zeros(epsilon.shape), [], []
    for axis, stride in enumerate((n * n, n, 1)):
        above = np.zeros(epsilon.shape)  # the face between a point and the next
        e, d, face = (np.moveaxis(a, axis, 0) for a in (epsilon, diagonal, above))
        face[:-1] = n * n * 2 / (1 / e[1:] + 1 / e[:-1])
        d[1:] += face[:-1]
        d[:-1] += face[:-1]
        d[0] += 2 * n * n * e[0]
        d[-1] += 2 * n * n * e[-1]
        diagonals += [-above.ravel()[:size - stride]] * 2
        offsets += [stride, -stride]
    found = sparse.diags([diagonal.ravel(), *diagonals], [0, *offsets], format="csr")
    found.eliminate_zeros()
    return found


def timed(work):
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - processor


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=64)
    parser.add_argument("--contrast", type=float, default=1000.0)
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--peers", nargs="*", choices=("aggregation", "ruge-stueben"),
                        default=("aggregation", "ruge-stueben"), help="at 256³ the first takes 8 GB, the second more")
    options = parser.parse_args()
    n = options.points
    epsilon = coefficient(n, options.contrast)
    x = (np.arange(n) + 0.5) / n
    f = np.cos(np.pi * x)[:, None, None] * np.cos(2 * np.pi * x)[:, None] * (1 + x)
    print(f"{n}³, contrast {options.contrast:g}, residual {options.tolerance:g}, load {os.getloadavg()[0]:.1f}")

    def told(name, iterations, setup, solve, u):
        residual = np.linalg.norm(a @ u.ravel() + f.ravel()) / np.linalg.norm(f)
        print(f"{name:28} {iterations:4} iterations, set-up {setup[1]:.2f} s ({setup[2]:.2f} of processor time), "
              f"solve {solve[1]:.2f} s ({solve[2]:.2f}), residual {residual:.1e}", flush=True)

    a = matrix(epsilon)
    solver = poisson3d.VariableSolver((n, n, n), spacing=1 / n, boundary="dirichlet")
    setup = timed(lambda: solver.set_coefficient(epsilon))
    solver.solve(f, tolerance=options.tolerance)
    solve = timed(lambda: solver.solve(f, tolerance=options.tolerance))
    told("poisson3d", solver.result.iterations, setup, solve, solve[0])

    try:
        import pyamg
    except ImportError:
        print("no PyAMG here: pip install pyamg")
        return
    makers = {"aggregation": ("smoothed aggregation", pyamg.smoothed_aggregation_solver),
              "ruge-stueben": ("Ruge-Stüben", pyamg.ruge_stuben_solver)}
    for name, make in map(makers.get, options.peers):
        setup = timed(lambda: make(a))
        residuals = []
        solve = timed(lambda: setup[0].solve(-f.ravel(), tol=options.tolerance, accel="cg", residuals=residuals))
        told("PyAMG, " + name, len(residuals) - 1, setup, solve, solve[0])
        print(f"  memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB", flush=True)


if __name__ == "__main__":
    main()
