"""What a call costs beside the solve: 64³ doubles between walls on a GPU, from each library of Python.

    python python_overheads.py [points]

A row: call and wait, the median of 500, and the least. Libraries that are not installed are left out.
"""

import statistics
import sys
import time

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

import poisson3d

POINTS = int(sys.argv[1]) if len(sys.argv) > 1 else 64
SHAPE = (POINTS,) * 3
PROBLEM = dict(spacing=0.1, boundary="dirichlet")


def row(name, call, wait):
    for _ in range(50):
        call()
    wait()
    times = []
    for _ in range(500):
        start = time.perf_counter()
        call()
        wait()
        times.append(time.perf_counter() - start)
    print(f"{name:32} {statistics.median(times) * 1e6:9.1f} us   least {min(times) * 1e6:9.1f} us")


def of_cupy():
    import cupy

    f = cupy.random.default_rng(1).random(SHAPE)
    u = cupy.empty_like(f)
    solver = poisson3d.Solver(SHAPE, **PROBLEM)
    row("CuPy, Solver.solve", lambda: solver.solve(f, u), cupy.cuda.get_current_stream().synchronize)


def of_torch():
    import torch

    import poisson3d.torch

    if not torch.cuda.is_available():
        raise ImportError("a GPU for PyTorch")
    f = torch.rand(SHAPE, dtype=torch.float64, device="cuda")
    u = torch.empty_like(f)
    plain = poisson3d.Solver(SHAPE, **PROBLEM)
    solver = poisson3d.torch.Solver(SHAPE, **PROBLEM)
    wait = torch.cuda.synchronize
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
    row("JAX, Solver.solve", lambda: plain.solve(f).block_until_ready(), lambda: None)
    compiled = jax.jit(poisson3d.jax.Solver(SHAPE, **PROBLEM))
    row("JAX, jit", lambda: compiled(f).block_until_ready(), lambda: None)


print(f"{POINTS}³ doubles, Dirichlet cells; {poisson3d.Solver(SHAPE, **PROBLEM).description}")
for measure in (of_cupy, of_torch, of_jax):
    try:
        measure()
    except ImportError as missing:
        print(f"without {missing}")
