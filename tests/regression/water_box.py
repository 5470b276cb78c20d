"""The box sample on its own grid and on every second and every fourth node of it: what the test and the plot share.

The grids are nested, so the same data makes all three, and solutions can be subtracted point by point.
"""

import json
import subprocess

import h5py
import numpy as np

SCALE = "-12.566370614359172"  # -4 pi
STEPS = (4, 2, 1)
EPS = {"double": 2.0**-52, "single": 2.0**-23}


def coarsen(source, target, step):
    """Every step-th node of all that the file holds; true types, true attributes."""
    with h5py.File(source, "r") as sample, h5py.File(target, "w") as coarse:
        rhs = sample["rhs"]
        coarse["rhs"] = rhs[::step, ::step, ::step]
        for name in ("origin", "boundary", "centering", "axis_labels"):
            coarse["rhs"].attrs[name] = rhs.attrs[name]
        coarse["rhs"].attrs["spacing"] = rhs.attrs["spacing"] * step
        coarse["exact"] = sample["exact"][::step, ::step, ::step]
        for face, values in sample["boundary_values"].items():
            coarse[f"boundary_values/{face}"] = values[::step, ::step]


class Solved:
    """One run of the program on one grid."""

    def __init__(self, program, box, folder, step, precision="double"):
        source, target = folder / f"every-{step}.h5", folder / f"every-{step}-{precision}.solution.h5"
        coarsen(box, source, step)
        run = subprocess.run([program, "--input", source, "--output", target, "--scale", SCALE, "--exact", "/exact",
                              "--precision", precision, "--json", "-"], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise RuntimeError(f"exit code {run.returncode}: {run.stdout}{run.stderr}")
        self.report = json.loads(run.stdout)
        with h5py.File(source, "r") as file:
            self.exact = file["exact"][...].astype(float)
            self.faces = {name: values[...] for name, values in file["boundary_values"].items()}
            self.spacing, self.origin = file["rhs"].attrs["spacing"], file["rhs"].attrs["origin"]
        with h5py.File(target, "r") as file:
            self.solution = file["solution"][...]
        self.error = self.solution.astype(float) - self.exact
        self.rms, self.max = root_mean_square(self.error), np.abs(self.error).max()


def root_mean_square(error):
    """Over the unknowns."""
    return np.sqrt((error[1:-1, 1:-1, 1:-1] ** 2).mean())


def plane(values, face):
    """The nodes on a face: plane(values, "y_upper")."""
    return values.take(0 if face.endswith("lower") else -1, "xyz".index(face[0]))


def extrapolated(coarse, fine):
    """What is left of the error at the nodes of the coarse grid when the part that falls as h^2 is taken out
    (Richardson 1911)."""
    return (4 * fine.solution[::2, ::2, ::2] - coarse.solution) / 3 - coarse.exact
