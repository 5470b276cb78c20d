"""One call, with the last plans kept."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import Any, Mapping, NamedTuple, Optional

from ._arrays import library_of
from ._solver import Solver
from ._arguments import (Boundaries, Centerings, Coefficients, Discretization, Engine, Gauge, Memory, Middle, Spacing,
                         Widths, freeze_coefficients, freeze_spacing, freeze_widths, number, spell_axes, spell_dtype,
                         spell_faces, spell_gauge, spell_word)

_lock = threading.Lock()
_plans: "OrderedDict[tuple, Solver]" = OrderedDict()  # the one used last at the end
_most_plans = 8
_most_bytes = 1 << 30
_hits = _misses = 0


class PlanCacheInfo(NamedTuple):
    """The plans that solve() keeps."""

    plans: int
    bytes: int  #: their workspaces together, on the host and on GPUs
    hits: int
    misses: int


def solve(f: Any, *, spacing: Spacing, boundary: Boundaries, centering: Centerings = "cell",
          widths: Optional[Widths] = None, coefficients: Optional[Coefficients] = None,
          discretization: Discretization = "second-order", helmholtz: float = 0.0, gauge: Gauge = None,
          mixed: bool = False, scale: float = 1.0, boundary_values: Optional[Mapping[str, Any]] = None,
          out: Any = None, engine: Engine = "automatic", memory: Memory = "automatic", middle: Middle = "automatic",
          threads: int = 0, stream: Any = None) -> Any:
    """The solution u of (∇² − helmholtz) u = scale · f on a box, in one call.

    f is an array of three axes, x slowest, float32 or float64, of NumPy, CuPy, PyTorch, JAX or another library with
    DLPack, or of four: a batch of right-hand sides. The other arguments are those of Solver and Solver.solve. The
    problem is solved where f is: on the host, or on the GPU that holds it; f in host memory with an engine of a GPU,
    which "automatic" is where there is one, is copied there and back.

    The plans of the last calls are kept, at most 8, and at most 1 GiB of workspace unless the last alone has more
    (plan_cache_info(), clear_plan_cache()); so calls that differ in f only plan once. A time loop is better off with
    a Solver: it knows what it holds, and what was removed from a singular problem's f (Solver.result).
    """
    device = library_of(f).device(f) or 0
    arguments = freeze(
        spacing=spacing, boundary=boundary, centering=centering, widths=widths, coefficients=coefficients,
        discretization=discretization, helmholtz=helmholtz, gauge=gauge, mixed=mixed, engine=engine, memory=memory,
        middle=middle, threads=threads)
    arguments.update(dtype=spell_dtype(f.dtype), batch=f.shape[0] if len(f.shape) == 4 else 1,
                     device=device)
    solver = _planned(tuple(f.shape[-3:]), arguments)
    return solver.solve(f, out, scale=scale, boundary_values=boundary_values, stream=stream)


def freeze(*, spacing, boundary, centering="cell", widths=None, coefficients=None, helmholtz=0.0, gauge=None,
           mixed=False, **others):
    """The arguments of a Solver as values that can be compared and hashed, which a Solver takes as well."""
    widths = freeze_widths(widths)
    return dict(spacing=freeze_spacing(spacing, widths), widths=widths,
                coefficients=freeze_coefficients(coefficients), boundary=spell_axes("boundary", boundary, spell_faces),
                centering=spell_axes("centering", centering, spell_word), helmholtz=number("helmholtz", helmholtz),
                gauge=spell_gauge(gauge), mixed=bool(mixed), **others)


def _planned(shape, arguments):
    """Two threads that miss the same plan at once both make it; one of them is kept."""
    global _hits, _misses
    key = (shape, *arguments.values())
    with _lock:
        solver = _plans.get(key)
        if solver is not None:
            _plans.move_to_end(key)
            _hits += 1
            return solver
        _misses += 1
    solver = Solver(shape, **arguments)
    with _lock:
        _plans[key] = solver
        _plans.move_to_end(key)
        dropped = []  # freed outside of the lock
        while len(_plans) > 1 and (len(_plans) > _most_plans or _bytes() > _most_bytes):
            dropped.append(_plans.popitem(last=False))
    return solver


def _bytes():
    return sum(solver.workspace for solver in _plans.values())


def plan_cache_info() -> PlanCacheInfo:
    """How many plans solve() keeps, what they hold, and how often one was there."""
    with _lock:
        return PlanCacheInfo(len(_plans), _bytes(), _hits, _misses)


def clear_plan_cache() -> None:
    """Lets go of the plans that solve() keeps, and of their memory once nobody solves with them."""
    global _hits, _misses
    with _lock:
        dropped = list(_plans.values())
        _plans.clear()
        _hits = _misses = 0
    del dropped


def _forget_in_child():
    """A child of fork() has neither the threads nor the GPU of its parent's plans, and perhaps a lock that nobody
    opens again."""
    global _lock
    _lock = threading.Lock()
    clear_plan_cache()


os.register_at_fork(after_in_child=_forget_in_child)
