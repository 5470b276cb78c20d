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
Numbers = Union[Sequence[float], np.ndarray]
Spacing = Union[Lengths, Sequence[Union[float, Numbers]], Mapping[str, Union[float, Numbers]]]
Widths = Mapping[str, Numbers]
Coefficients = Mapping[str, Tuple[Numbers, Numbers]]
Face = Union[str, Tuple[Literal["robin"], float, float]]
Faces = Union[Face, Tuple[Face, Face]]
Boundaries = Union[str, Sequence[Faces], Mapping[str, Faces]]
Centerings = Union[str, Sequence[str], Mapping[str, str]]
Discretization = Literal["second-order", "spectral"]
Gauge = Union[None, Literal["far", "mean"], Tuple[int, int, int]]
Engine = Literal["automatic", "host", "cufft", "fused"]
Memory = Literal["automatic", "fast", "standard", "low"]
Middle = Literal["automatic", "transform", "eliminate"]

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


def spell_face(argument, value):
    """A word, or ("robin", alpha, beta) as robin:alpha:beta."""
    if isinstance(value, (tuple, list)) and len(value) == 3 and value[0] == "robin":
        return ":".join(["robin", *(repr(number(argument, one)) for one in value[1:])])
    return spell_word(argument, value)


def spell_faces(argument, value):
    """One face, or (lower, upper) as lower:upper."""
    if not isinstance(value, (tuple, list)) or (len(value) == 3 and value[0] == "robin"):
        return spell_face(argument, value)
    if len(value) != 2:
        raise usage(f"{argument}: found {value!r} for one axis, wanted a word, ('robin', alpha, beta), or a pair "
                    "(lower, upper)")
    return ":".join(spell_face(argument, face) for face in value)


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


def line_of_numbers(argument, value):
    """A tuple of floats from anything that is an array of one axis."""
    refuse_mask(value)
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise usage(f"{argument}: found {value!r}, wanted numbers") from None
    if array.ndim != 1:
        raise usage(f"{argument}: found an array of {array.ndim} axes, wanted one")
    return tuple(array.tolist())


def by_axis(argument, value):
    """What a dictionary says of x, y and z; None where nothing."""
    for axis in value:
        if axis not in ("x", "y", "z"):
            raise usage(f"{argument}: found axis {axis!r}, wanted x, y or z")
    return [value.get(axis) for axis in "xyz"]


def is_line(value):
    return not isinstance(value, str) and np.ndim(value) > 0


def freeze_spacing(spacing, widths):
    """The text of uniform spacings; or, if an axis has positions, three numbers or tuples of numbers (or None). Axes
    with widths need no number."""
    if isinstance(spacing, dict):
        spacing = {**{axis: 1.0 for axis, one in zip("xyz", widths) if one}, **spacing}
        values = by_axis("spacing", spacing) if any(is_line(one) for one in spacing.values()) else []
    else:
        values = list(spacing) if isinstance(spacing, (tuple, list)) and len(spacing) == 3 else []
    if not any(is_line(one) for one in values):
        return spell_axes("spacing", spacing, spell_number)
    return tuple(line_of_numbers(f"spacing of {axis}", one) if is_line(one) else one
                 for axis, one in zip("xyz", values))


def freeze_widths(widths):
    if isinstance(widths, tuple):
        return widths
    return tuple(() if one is None else line_of_numbers(f"widths of {axis}", one)
                 for axis, one in zip("xyz", by_axis("widths", widths or {})))


def freeze_coefficients(coefficients):
    """(conductances, weights) of each axis."""
    if isinstance(coefficients, tuple):
        return coefficients
    frozen = []
    for axis, one in zip("xyz", by_axis("coefficients", coefficients or {})):
        if one is not None and (not isinstance(one, (tuple, list)) or len(one) != 2):
            raise usage(f"coefficients of {axis}: found {one!r}, wanted a pair (conductances, weights)")
        frozen.append(((), ()) if one is None else tuple(line_of_numbers(f"coefficients of {axis}", each)
                                                         for each in one))
    return tuple(frozen)


def spell_spacing(spacing, widths):
    """The text that the library reads, and the positions of each axis."""
    frozen = freeze_spacing(spacing, widths)
    if isinstance(frozen, str):
        return frozen, [(), (), ()]
    words = []
    for axis, one in zip("xyz", frozen):
        if one is None:
            raise usage(f"spacing: nothing is said of axis {axis}, wanted a number or positions for each axis")
        words.append("1" if isinstance(one, tuple) else spell_number("spacing", one))
    return ",".join(words), [one if isinstance(one, tuple) else () for one in frozen]


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
    if gauge is None:
        return ""
    if isinstance(gauge, str):
        return gauge
    try:
        return ",".join(str(operator.index(index)) for index in gauge)
    except TypeError:
        raise usage(f"gauge: found {gauge!r}, wanted 'mean', 'far' or the indices (i, j, k) of a point") from None


def arguments(shape, *, spacing, widths, coefficients, boundary, centering, origin, discretization, helmholtz, gauge,
              batch, engine, memory, middle, threads, device):
    """The arguments of a Solver as _core.plan() reads them."""
    found = _core.Arguments()
    found.shape = spell_shape(shape)
    found.widths = freeze_widths(widths)
    found.spacing, found.positions = spell_spacing(spacing, found.widths)
    frozen = freeze_coefficients(coefficients)
    found.conductances = [one[0] for one in frozen]
    found.weights = [one[1] for one in frozen]
    found.boundary = spell_axes("boundary", boundary, spell_faces)
    found.centering = spell_axes("centering", centering, spell_word)
    found.origin = spell_axes("origin", origin, spell_number)
    found.discretization = spell_word("discretization", discretization)
    found.helmholtz = number("helmholtz", helmholtz)
    found.gauge = spell_gauge(gauge)
    found.batch = whole("batch", batch, 1)
    found.engine = spell_word("engine", engine)
    found.memory = spell_word("memory", memory)
    found.middle = spell_word("middle", middle)
    found.threads = whole("threads", threads)
    found.device = whole("device", device)
    return found


def with_default_gauge(found):
    """The same arguments without a gauge."""
    other = _core.Arguments()
    for name in ("shape", "widths", "spacing", "positions", "conductances", "weights", "boundary", "centering",
                 "origin", "discretization", "helmholtz", "batch", "engine", "memory", "middle", "threads", "device"):
        setattr(other, name, getattr(found, name))
    return other
