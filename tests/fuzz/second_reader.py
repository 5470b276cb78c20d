"""Reads field files by h5py, in a process of its own, since HDF5 may not survive a damaged one. Each line of stdin is a
request in JSON, for each comes one line of JSON.

    {"read": PATH, "names": [...]}    numbers of data sets and of attributes of /rhs, to the last bit
    {"copy": PATH, "to": PATH}        the same field in a new file: plain, nothing left of the old structures
"""

import json
import sys

import h5py
import numpy as np

ATTRIBUTES = ("spacing", "origin", "helmholtz")
MOST_POINTS = 1 << 20
DEFAULTS = {"origin": [0.0, 0.0, 0.0], "helmholtz": [0.0]}


def is_openpmd(rhs):
    return "gridSpacing" in rhs.attrs and "spacing" not in rhs.attrs


def mesh(rhs):
    """What attributes of openPMD say in the words of ours, by their standard; of Fortran's the fastest index is first."""
    def three(name, standard):
        found = [float(x) for x in np.ravel(rhs.attrs.get(name, standard))]
        if len(found) != 3:
            raise ValueError(f"{name}: {len(found)} numbers")
        return found[::-1] if text(rhs.attrs.get("dataOrder", "C")) == "F" else found

    unit = float(np.ravel(rhs.attrs.get("gridUnitSI", 1.0))[0])
    spacing, place = three("gridSpacing", ()), three("position", [0.0] * 3)
    offset = three("gridGlobalOffset", [0.0] * 3)
    return {"spacing": [h * unit for h in spacing],
            "origin": [(x + p * h) * unit for x, p, h in zip(offset, place, spacing)],
            "centering": ["node" if p == 0.0 else "cell" for p in place]}


def text(value):
    return value.decode() if isinstance(value, bytes) else str(np.ravel(value)[0])


def numbers_of(rhs):
    with np.errstate(all="ignore"):
        numbers = np.asarray(rhs[()], dtype="f8")
        return numbers * float(np.ravel(rhs.attrs["unitSI"])[0]) if is_openpmd(rhs) and "unitSI" in rhs.attrs else numbers


def exact(values):
    return [float(value).hex() for value in np.asarray(values).ravel()]


def read_one(file, name):
    if name in ATTRIBUTES:
        if is_openpmd(file["rhs"]) and name != "helmholtz":
            return exact(mesh(file["rhs"])[name])
        found = file["rhs"].attrs.get(name)
        return exact(DEFAULTS[name] if found is None else found)
    if file[name].size > MOST_POINTS:
        raise ValueError("too large")
    if name == "rhs":
        return exact(numbers_of(file[name]))
    with np.errstate(all="ignore"):
        return exact(np.asarray(file[name][()], dtype="f8"))


def read(path, names):
    found = {}
    with h5py.File(path, "r") as file:
        for name in names:
            try:
                found[name] = read_one(file, name)
            except Exception as error:  # whatever a damaged file makes of it
                found[name] = f"{type(error).__name__}: {error}"
    return found


def copy(path, to):
    with h5py.File(path, "r") as source, h5py.File(to, "w") as target:
        old = source["rhs"]
        if old.size > MOST_POINTS:
            raise ValueError("too large")
        plain = numbers_of(old) if is_openpmd(old) else np.asarray(old[()], dtype=old.dtype.newbyteorder("="))
        new = target.create_dataset("rhs", data=plain)
        for name in (*ATTRIBUTES, "boundary", "centering", "axis_labels"):
            if name in old.attrs:
                new.attrs[name] = old.attrs[name]
        if is_openpmd(old):
            for name, value in mesh(old).items():
                new.attrs[name] = value
        names = [name for name in ("coefficient", "lambda") if isinstance(source.get(name), h5py.Dataset)]
        for group in ("boundary_values", "conductances", "weights", "coefficient"):
            if isinstance(source.get(group), h5py.Group):
                names += [f"{group}/{name}" for name in source[group]]
        for name in names:
            target[name] = np.asarray(source[name][()], dtype="f8")
    return {"done": True}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = read(request["read"], request["names"]) if "read" in request else copy(request["copy"], request["to"])
        except Exception as error:  # the same
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
