#!/usr/bin/env python3
"""Compares a solution of poisson3d with an independent NumPy FFT solution.

    water_reference.py RHS.h5 SOLUTION.h5 --scale S

Solves  nabla^2 u - lambda u = S f  for the fully periodic field f = /rhs of RHS.h5 and
compares with /solution of SOLUTION.h5. It was made for data/samples/water.h5, but any
fully periodic field file will do. The attribute `discretization` of /solution says which
eigenvalues to use along an axis of n points, spacing h and edge L = n h:

    spectral       -k^2                     with k = 2 pi m / L
    second-order   -(4 / h^2) sin^2(k h/2)  the usual difference of three points

For even n the Nyquist mode counts with |k| = pi / h in both. With lambda = 0 a periodic
problem has no mean: that of f is removed, and that of u is zero.

Prints the largest difference relative to max|u|. Exit code: 0 they agree, 1 they do not,
2 the files cannot be compared. Needs NumPy and h5py, and nothing of poisson3d.
"""

import argparse
import sys

import h5py
import numpy as np

TOLERANCE = {"float64": 1e-12, "float32": 5e-6}
EXIT_DIFFERENT, EXIT_NOT_COMPARABLE = 1, 2


class NotComparable(Exception):
    pass


def text(value):
    """HDF5 strings arrive as str or as padded bytes, by how they were stored."""
    return value.decode().strip("\0 ") if isinstance(value, bytes) else str(value)


def dataset(path, name):
    """The values and the attributes of one dataset."""
    try:
        with h5py.File(path, "r") as file:
            if name not in file:
                names = ", ".join(file) or "nothing"
                raise NotComparable(f"{path}: no dataset {name}; found {names}")
            found = file[name]
            return found[...], dict(found.attrs)
    except OSError as problem:
        raise NotComparable(f"{path}: cannot be read as HDF5: {problem}") from None


def read_rhs(path, name):
    """The right-hand side in double, its spacing and its Helmholtz coefficient."""
    rhs, attributes = dataset(path, name)
    if rhs.ndim != 3:
        raise NotComparable(f"{path}: {name} has {rhs.ndim} dimensions, not 3")
    for needed in ("spacing", "boundary"):
        if needed not in attributes:
            raise NotComparable(f"{path}: {name} has no attribute `{needed}`")

    spacing = np.atleast_1d(np.asarray(attributes["spacing"], dtype=np.float64))
    if spacing.shape != (3,) or not np.all(spacing > 0):
        raise NotComparable(f"{path}: `spacing` is {spacing}, not three positive numbers")
    boundary = [text(b) for b in np.atleast_1d(attributes["boundary"])]
    if any(b != "periodic" for b in boundary):
        raise NotComparable(f"{path}: `boundary` is {boundary}; this reference knows only periodic")
    return rhs.astype(np.float64), spacing, float(attributes.get("helmholtz", 0.0))


def eigenvalues(points, h, discretization):
    """The eigenvalues of the second derivative along one axis, in the order of the FFT."""
    k = 2 * np.pi * np.fft.fftfreq(points, h)
    if discretization == "spectral":
        return -(k**2)
    return -4 / h**2 * np.sin(k * h / 2) ** 2


def solve(f, spacing, discretization, helmholtz=0.0):
    """u with nabla^2 u - helmholtz u = f; without helmholtz the mean is removed."""
    lines = [eigenvalues(n, h, discretization) for n, h in zip(f.shape, spacing)]
    symbol = sum(np.ix_(*lines)) - helmholtz
    modes = np.fft.fftn(f)
    if helmholtz == 0:
        symbol[0, 0, 0] = 1
        modes[0, 0, 0] = 0
    return np.fft.ifftn(modes / symbol).real


def compare(options):
    rhs, spacing, helmholtz = read_rhs(options.rhs, options.dataset)
    if options.helmholtz is not None:
        helmholtz = options.helmholtz

    solution, attributes = dataset(options.solution, "/solution")
    if solution.shape != rhs.shape:
        raise NotComparable(
            f"{options.solution}: /solution has shape {solution.shape}, "
            f"but {options.dataset} of {options.rhs} has {rhs.shape}"
        )
    kind = solution.dtype.newbyteorder("=").name
    if kind not in TOLERANCE:
        raise NotComparable(f"{options.solution}: /solution is {kind}, not float64 or float32")
    discretization = text(attributes.get("discretization", "missing"))
    if discretization not in ("spectral", "second-order"):
        raise NotComparable(
            f"{options.solution}: the attribute `discretization` of /solution is {discretization}, "
            "not spectral or second-order"
        )

    expected = solve(options.scale * rhs, spacing, discretization, helmholtz)
    size = np.abs(expected).max()
    difference = np.abs(solution.astype(np.float64) - expected)
    error = difference.max() / size if size > 0 else difference.max()
    tolerance = TOLERANCE[kind]
    agree = bool(error <= tolerance)  # a NaN anywhere makes this false

    print(f"{options.solution}: {discretization}, {kind}, max|u| {size:.6g}")
    verdict = "agrees" if agree else "DIFFERS"
    print(f"error {error:.3e} of max|u|, tolerance {tolerance:g}: {verdict}")
    if not agree:
        where = np.unravel_index(np.argmax(difference), rhs.shape)  # the first NaN, if there is one
        at = "[" + ", ".join(str(int(i)) for i in where) + "]"
        print(f"worst at {at}: found {solution[where]:.17g}, expected {expected[where]:.17g}")
    return agree


def main():
    parser = argparse.ArgumentParser(description="compares a solution with a NumPy FFT solution")
    parser.add_argument("rhs", metavar="RHS.h5", help="the periodic field that was solved")
    parser.add_argument("solution", metavar="SOLUTION.h5", help="what poisson3d wrote")
    parser.add_argument("--scale", type=float, default=1.0, help="factor on /rhs (default 1)")
    parser.add_argument("--dataset", default="/rhs", help="what was solved (default /rhs)")
    parser.add_argument("--helmholtz", type=float, help="lambda (default: as in RHS.h5, else 0)")
    options = parser.parse_args()
    try:
        return 0 if compare(options) else EXIT_DIFFERENT
    except NotComparable as problem:
        print(f"water_reference.py: {problem}", file=sys.stderr)
        return EXIT_NOT_COMPARABLE


if __name__ == "__main__":
    sys.exit(main())
