"""Arrays of NumPy: those that the library reads and writes where they lie, and one copy of all others.

The library takes elements of the machine's byte order, the last axis contiguous, and rows and planes that do not
overlap; slices without ghost layers are such views. Arrays in Fortran's order, with steps along the last axis, with
axes that run backwards, broadcast, big-endian or unaligned are none: they are copied once, with a CopyWarning.
"""

import sys
import warnings

import numpy as np

from ._errors import usage


class CopyWarning(UserWarning):
    """An array of NumPy cannot be used where it lies and is copied: its strides or its byte order. Shown once for
    each line of code by default; warnings.simplefilter("error", poisson3d.CopyWarning) finds them all."""


def why_copied(array, axes=3):
    """What keeps the library from using an array where it lies; None: nothing. `axes`: how many of the last ones
    belong to one field (3) or face (2); those before are a batch, whose fields may lie anywhere."""
    if array.dtype.kind != "f" or array.itemsize not in (4, 8):
        return None  # refused by the library, which says what it found
    if not array.dtype.isnative:
        return f"elements of the other byte order, {array.dtype.str}"
    flags = array.flags
    if flags.c_contiguous and flags.aligned:
        return None
    size = array.itemsize
    if not flags.aligned or any(stride % size for stride in array.strides):
        return "elements that are not aligned"
    extent = size
    for axis, (points, stride) in enumerate(zip(array.shape[::-1], array.strides[::-1])):
        if points == 1 or axis >= axes:
            continue
        if stride < extent or (axis == 0 and stride != size):
            order = "Fortran's order" if flags.f_contiguous else f"strides of {array.strides} bytes"
            return f"{order}, wanted the last axis contiguous and rows and planes apart"
        extent = stride * points
    return None


def readable(array, name, axes=3):
    """An array to be read: itself, or a copy."""
    if not isinstance(array, np.ndarray):
        return array
    why = why_copied(array, axes)
    if why is None:
        return array
    _warn(f"{name}: found {why}; it is copied, which takes time and the memory of {array.nbytes} bytes")
    return np.ascontiguousarray(array, _native(array))


def scratch_for(array, name):
    """None if an array can be written to where it lies; else a new one to be written instead, whose values are then
    to be copied to it."""
    why = why_copied(array) if isinstance(array, np.ndarray) else None
    if why is None:
        return None
    if not array.flags.writeable:
        raise usage(f"{name}: found an array that is read only, wanted one that may be written")
    _warn(f"{name}: found {why}; the result is copied to it, which takes time and the memory of {array.nbytes} bytes")
    return np.empty(array.shape, _native(array))


def _native(array):
    return array.dtype.newbyteorder("=")


def _warn(text):
    """Names the line outside of this package that calls it."""
    frame, level = sys._getframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, CopyWarning, stacklevel=level)
