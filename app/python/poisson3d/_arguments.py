"""What the arguments of a Solver may look like, and how the library reads them.

The library reads one small language, that of the program's options: one word for all axes, "a,b,c" in index order, or
"x=a,y=b,z=c". Tuples and dictionaries are written in it here.
"""

from __future__ import annotations

import operator
from typing import Literal, Mapping, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._arrays import refuse_mask
from ._errors import usage

# What the arguments are, for those who read types.
Lengths = Union[float, str, Sequence[float], Mapping[str, float]]
Faces = Union[str, Tuple[str, str]]
Boundaries = Union[str, Sequence[Faces], Mapping[str, Faces]]
Centerings = Union[str, Sequence[str], Mapping[str, str]]
Discretization = Literal["second-order", "spectral"]
Gauge = Union[Literal["mean"], Tuple[int, int, int]]
Engine = Literal["automatic", "host", "cufft", "fused"]
Memory = Literal["automatic", "fast", "standard", "low"]

_LARGEST = 2**31 - 1


def spell_number(argument, value):
    try:
        return repr(float(value))  # the shortest text that reads back as the same number
    except (TypeError, ValueError):
        if isinstance(value, str):
            return value  # "0.1,0.2,0.1", "x=…": the library reads it
        raise usage(f"{argument}: found {value!r}, wanted a number") from None


def number(argument, value):
    try:
        return float(value)
    except (TypeError, ValueError):
        raise usage(f"{argument}: found {value!r}, wanted a number") from None


def spell_word(argument, value):
    if not isinstance(value, str):
        raise usage(f"{argument}: found {value!r}, wanted a word")
    return value


def spell_faces(argument, value):
    """One word, or (lower, upper) as lower:upper."""
    if isinstance(value, (tuple, list)):
        if len(value) != 2:
            raise usage(f"{argument}: found {value!r} for one axis, wanted a word or a pair (lower, upper)")
        return ":".join(spell_word(argument, word) for word in value)
    return spell_word(argument, value)


def spell_axes(argument, value, spell):
    """One value for all axes, three in index order, or {"x": …, "y": …, "z": …}."""
    refuse_mask(value)
    if isinstance(value, dict):
        return ",".join(f"{axis}={spell(argument, one)}" for axis, one in value.items())
    if isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim > 0):
        if len(value) != 3:
            raise usage(f"{argument}: found {len(value)} values, wanted one for all axes or three")
        return ",".join(spell(argument, one) for one in value)
    return spell(argument, value)


def whole(argument, value, least=0):
    try:
        number = operator.index(value)
    except TypeError:
        raise usage(f"{argument}: found {value!r}, wanted a whole number") from None
    if not least <= number <= _LARGEST:
        raise usage(f"{argument}: found {number}, wanted a whole number from {least} up to {_LARGEST}")
    return number


def spell_shape(shape):
    try:
        shape = tuple(operator.index(n) for n in shape)
    except TypeError:
        raise usage(f"shape: found {shape!r}, wanted three whole numbers") from None
    if len(shape) != 3 or any(not 0 < n < 2**62 for n in shape):
        raise usage(f"shape: found {shape}, wanted three numbers of points, each at least 1")
    return shape


def spell_dtype(dtype):
    """"float32" or "float64", from the type of any library."""
    try:
        name = np.dtype(dtype).name
    except TypeError:
        name = str(dtype).rpartition(".")[2]
    if name not in ("float32", "float64"):
        raise usage(f"dtype: found {name}, wanted float32 or float64")
    return name


def spell_precision(dtype, mixed):
    """The type of the fields and the word for the precision of the solve."""
    dtype = spell_dtype(dtype)
    if mixed and dtype != "float64":
        raise usage(f"mixed: found with dtype {dtype}, wanted float64: fields of a mixed solve are double")
    return dtype, "mixed" if mixed else "single" if dtype == "float32" else "double"


def spell_gauge(gauge):
    if isinstance(gauge, str):
        return gauge
    try:
        return ",".join(str(operator.index(index)) for index in gauge)
    except TypeError:
        raise usage(f"gauge: found {gauge!r}, wanted 'mean' or the indices (i, j, k) of a point") from None


def arguments(shape, *, spacing, boundary, centering, origin, discretization, helmholtz, gauge, batch, engine, memory,
          threads, device):
    """The arguments of a Solver as _core.plan() reads them."""
    found = _core.Arguments()
    found.shape = spell_shape(shape)
    found.spacing = spell_axes("spacing", spacing, spell_number)
    found.boundary = spell_axes("boundary", boundary, spell_faces)
    found.centering = spell_axes("centering", centering, spell_word)
    found.origin = spell_axes("origin", origin, spell_number)
    found.discretization = spell_word("discretization", discretization)
    found.helmholtz = number("helmholtz", helmholtz)
    found.gauge = spell_gauge(gauge)
    found.batch = whole("batch", batch, 1)
    found.engine = spell_word("engine", engine)
    found.memory = spell_word("memory", memory)
    found.threads = whole("threads", threads)
    found.device = whole("device", device)
    return found
