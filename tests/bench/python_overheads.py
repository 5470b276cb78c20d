"""What a call costs beside the solve: 64³ doubles between walls on a GPU, from each library of Python.

    python python_overheads.py [points]

A row: the call alone, and call and wait, medians of 500, and the least of these. Libraries that are not installed are
left out. Of JAX also what a compiled program costs that adds a number to the field, and what each further solve in one
program costs.
"""

import os
import statistics
import sys
import time

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
import poisson3d

POINTS = int(sys.argv[1]) if len(sys.argv) > 1 else 64
SHAPE = (POINTS,) * 3
PROBLEM = dict(spacing=0.1, boundary="dirichlet")


def row(name, call, wait):
    for _ in range(50):
        call()
    wait()
    calls, times = [], []
    for _ in range(500):
        start = time.perf_counter()
        out = call()
        called = time.perf_counter()
        wait(out)
        times.append(time.perf_counter() - start)
        calls.append(called - start)
    median = statistics.median(times)
    print(f"{name:32} call {statistics.median(calls) * 1e6:8.1f}  and wait {median * 1e6:8.1f} us   "
          f"least {min(times) * 1e6:8.1f} us", flush=True)
    return median


def of_cupy():
    import cupy

    f = cupy.random.default_rng(1).random(SHAPE)
    u = cupy.empty_like(f)
    solver = poisson3d.Solver(SHAPE, **PROBLEM)
    stream = cupy.cuda.get_current_stream()
    row("CuPy, Solver.solve", lambda: solver.solve(f, u), lambda _=None: stream.synchronize())


def of_torch():
    import torch

    import poisson3d.torch

    if not torch.cuda.is_available():
        raise ImportError("a GPU for PyTorch")
    f = torch.rand(SHAPE, dtype=torch.float64, device="cuda")
    u = torch.empty_like(f)
    plain = poisson3d.Solver(SHAPE, **PROBLEM)
    solver = poisson3d.torch.Solver(SHAPE, **PROBLEM)

    def wait(_=None):
        torch.cuda.synchronize()

    row("PyTorch, Solver.solve", lambda: plain.solve(f, u), wait)
    row("PyTorch, differentiable", lambda: solver(f), wait)
    compiled = torch.compile(solver, fullgraph=True)
    row("PyTorch, compiled", lambda: compiled(f), wait)
    needs = f.clone().requires_grad_()
    row("PyTorch, forward and backward", lambda: torch.autograd.grad(solver(needs).sum(), needs), wait)


def of_jax():
    import jax

    jax.config.update("jax_enable_x64", True)
    import poisson3d.jax

    if jax.default_backend() != "gpu":
        raise ImportError("a GPU for JAX")
    f = jax.numpy.asarray(np.random.default_rng(1).random(SHAPE))
    plain = poisson3d.Solver(SHAPE, **PROBLEM)

    def wait(u=None):
        return u if u is None else u.block_until_ready()

    row("JAX, Solver.solve", lambda: plain.solve(f), wait)
    solver = poisson3d.jax.Solver(SHAPE, **PROBLEM)
    add, compiled = jax.jit(lambda f: f + 1), jax.jit(solver)
    row("JAX, jit of f + 1", lambda: add(f), wait)
    one = row("JAX, jit", lambda: compiled(f), wait)

    @jax.jit
    def five(f):
        for _ in range(5):
            f = solver(f)
        return f

    print(f"{'JAX, each further one in a jit':32} {(row('JAX, jit of five', lambda: five(f), wait) - one) / 4 * 1e6:8.1f} us")


print(f"{POINTS}³ doubles, Dirichlet cells; {poisson3d.Solver(SHAPE, **PROBLEM).description}")
for measure in (of_cupy, of_torch, of_jax):
    try:
        measure()
    except ImportError as missing:
        print(f"without {missing}")
