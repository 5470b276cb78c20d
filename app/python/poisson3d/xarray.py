"""Solves of xarray's labelled arrays: spacing, positions and names come from the coordinates.

    import poisson3d.xarray
    u = poisson3d.xarray.solve(rho, boundary={"lon": "periodic", "lat": "neumann", "depth": "dirichlet"})
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

import numpy as np
import xarray

from . import _solve
from ._errors import usage

__all__ = ["solve"]

_AXES = "xyz"


def solve(f: xarray.DataArray, *, boundary: Any, dims: Optional[Sequence[str]] = None, centering: Any = "cell",
          spacing: Optional[Mapping[str, Any]] = None, widths: Optional[Mapping[str, Any]] = None,
          boundary_values: Optional[Mapping[str, Any]] = None, name: str = "solution",
          **others: Any) -> xarray.DataArray:
    """The solution of (∇² − helmholtz) u = scale · f, with the dimensions and coordinates of f.

    dims             the three axes of the box; None: the last three of f. The others are a batch
    boundary, centering, widths, boundary_values
                     as poisson3d.solve() takes them; dictionaries have names of dimensions in the place of x, y, z,
                     faces are called "lat_lower". Face values may be DataArrays
    spacing          {"lat": …} for dimensions whose coordinate does not tell; wins over it
    name             of the result
    others           what else poisson3d.solve() takes: scale, helmholtz, discretization, gauge, …

    A coordinate must rise. Equal steps to rounding are a spacing; others are the positions of nodes. Of cells they do
    not tell the faces: give `widths`, or their n + 1 positions as `spacing`. Raises what poisson3d.solve() does."""
    if not isinstance(f, xarray.DataArray):
        raise usage(f"f: found {type(f).__name__}, wanted a DataArray")
    dims = tuple(f.dims[-3:] if dims is None else dims)
    if len(dims) != 3 or any(dim not in f.dims for dim in dims):
        raise usage(f"dims: found {dims}, wanted three of {tuple(f.dims)}")
    others_of_f = [dim for dim in f.dims if dim not in dims]
    fields = f.transpose(*others_of_f, *dims)
    axis_of = dict(zip(dims, _AXES))
    centering = _by_axis("centering", centering, axis_of)
    widths = _by_axis("widths", widths or {}, axis_of)
    found = {}
    for dim, axis in axis_of.items():
        if dim in (spacing or {}):
            found[axis] = spacing[dim]
        elif axis not in widths:
            where = centering.get(axis, "cell") if isinstance(centering, dict) else centering
            found[axis] = _spacing_of(f, dim, where)
    values = {}
    for face, one in (boundary_values or {}).items():
        dim, _, side = face.rpartition("_")
        if dim not in axis_of:
            raise usage(f"boundary_values: found {face!r}, wanted {dims[0]}_lower, {dims[0]}_upper, …")
        values[f"{axis_of[dim]}_{side}"] = _face(one, fields, [d for d in fields.dims if d != dim])
    array = fields.data
    batch = array.shape[:-3]
    u = _solve.solve(array.reshape(-1, *array.shape[-3:]) if batch else array, spacing=found, widths=widths or None,
                     boundary=_by_axis("boundary", boundary, axis_of), centering=centering,
                     boundary_values=values or None, **others)
    result = fields.copy(data=u.reshape(array.shape)).transpose(*f.dims)
    result.name, result.attrs = name, {}
    return result


def _by_axis(argument, value, axis_of):
    """A dictionary with x, y and z for the names of dimensions."""
    if not isinstance(value, Mapping):
        return value
    for dim in value:
        if dim not in axis_of:
            raise usage(f"{argument}: found dimension {dim!r}, wanted one of {tuple(axis_of)}")
    return {axis_of[dim]: one for dim, one in value.items()}


def _spacing_of(f, dim, centering):
    if dim not in f.coords:
        raise usage(f"spacing: dimension {dim!r} has no coordinate, wanted one or spacing={{{dim!r}: …}}")
    line = np.asarray(f.coords[dim].values)
    if not np.issubdtype(line.dtype, np.number):
        raise usage(f"spacing: found coordinate {dim!r} of type {line.dtype}, wanted numbers")
    line = line.astype(float)
    if len(line) < 2:
        raise usage(f"spacing: dimension {dim!r} has one point, which tells no spacing: give spacing={{{dim!r}: …}}")
    steps = np.diff(line)
    if not (steps > 0).all():
        raise usage(f"spacing: coordinate {dim!r} does not rise: give f.sortby({dim!r})")
    mean = (line[-1] - line[0]) / (len(line) - 1)
    if np.abs(line - (line[0] + mean * np.arange(len(line)))).max() <= 8 * np.finfo(float).eps * np.abs(line).max():
        return mean
    if centering == "cell":
        raise usage(f"spacing: the steps of coordinate {dim!r} differ, and the centres of cells do not tell their "
                    f"faces: give widths={{{dim!r}: …}}")
    return line


def _face(value, fields, rest):
    """Values over the two last of the dimensions `rest`; if they differ within the batch, over all of them."""
    if not isinstance(value, xarray.DataArray):
        return value
    if any(dim not in rest for dim in value.dims) or any(dim not in value.dims for dim in rest[-2:]):
        raise usage(f"boundary_values: found dimensions {value.dims}, wanted {tuple(rest[-2:])}")
    if len(value.dims) == 2:
        rest = rest[-2:]
    whole = value.expand_dims({dim: fields.sizes[dim] for dim in rest if dim not in value.dims}).transpose(*rest)
    array = whole.data.astype(fields.dtype, order="C")
    return array.reshape(-1, *array.shape[-2:]) if array.ndim > 2 else array
