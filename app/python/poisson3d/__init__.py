"""Solves (∇² − λ) u = f on a three-dimensional box, fast and to rounding.

    import numpy as np, poisson3d
    u = poisson3d.solve(f, spacing=0.1, boundary="dirichlet")

solve() is one call; Solver plans once and solves many times, batches too; VariableSolver solves ∇·(ε∇u) − λu = f;
Solver(…, devices=[0, 1]) solves on several GPUs, DistributedSolver in several processes. Arrays may be of NumPy, CuPy,
PyTorch, JAX or any library with DLPack or the CUDA array interface, and are used where they lie; arrays of NumPy in
Fortran's order, with steps or of the other byte order are copied once, with a CopyWarning.
"""

from ._core import cuda_build, engine_unavailable
from ._core import version as __version__
from ._distributed import DistributedSolver, Traffic
from ._errors import Error, OutOfMemoryError, UsageError
from ._host_arrays import CopyWarning
from ._members import SolverOnDevices
from ._planned import Result
from ._solve import PlanCacheInfo, clear_plan_cache, plan_cache_info, solve
from ._solver import Pass, Solver
from ._variable import VariableResult, VariableSolver

__all__ = ["CopyWarning", "DistributedSolver", "Error", "OutOfMemoryError", "Pass", "PlanCacheInfo", "Result", "Solver",
           "SolverOnDevices", "Traffic", "UsageError", "VariableResult", "VariableSolver", "clear_plan_cache", "cuda_build",
           "engine_unavailable", "plan_cache_info", "solve"]
