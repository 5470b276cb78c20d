"""Written files as VTK's own reader and filters see them: bounds, points, isosurfaces, slices and values between
points lie where the grid says, to a millionth of a cell.

test_vtk.py WRITER, where WRITER FILE POINTS LABELS CENTERING TYPE writes what write_vtk_field.cpp says.
Exit code 77: VTK, h5py or numpy is not installed.
"""
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "support"))
try:
    import h5py
    import numpy as np
    import vtk_filters
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SPACING = np.array([0.5, 0.25, 2.0])  # in index order, as the writer has them
ORIGIN = np.array([-0.75, 1.0, 0.125])
THICK = (4, 5, 7)


def axes_along(labels):
    """The grid's axis along x, y and z."""
    return [labels.index(c) for c in "xyz"] if sorted(labels) == list("xyz") else [0, 1, 2]


def value(places):
    x, y, z = places.T
    return x + 100 * y + 10000 * z + x * y * z


def gradient(places):
    x, y, z = places.T
    return np.stack([1 + y * z, 100 + x * z, 10000 + x * y], axis=-1)


class Box:
    """What the grid says, in the order x, y, z; made here from the numbers above and nothing else."""

    def __init__(self, points, labels, centering):
        axes = axes_along(labels)
        self.points = np.array(points)[axes]
        self.spacing = SPACING[axes]
        self.lower = ORIGIN[axes] + (0.5 * self.spacing if centering == "cell" else 0)
        self.upper = self.lower + (self.points - 1) * self.spacing
        self.thin = self.points == 1

    def inside(self, count, seed=1):
        """Places between the points; an axis of one point has only one."""
        parts = np.random.default_rng(seed).uniform(0, 1, (count, 3))
        return self.lower + parts * (self.upper - self.lower)


def rounding(dtype):
    return 8 * np.finfo(dtype).eps


def check_image(image, box):
    """Points and values, and that nothing depends on the image's direction."""
    half = np.where(box.thin, 0.5 * box.spacing, 0)
    wanted = np.stack([box.lower - half, box.upper + half], axis=-1)
    np.testing.assert_allclose(image.GetBounds(), wanted.ravel(), rtol=0, atol=1e-6 * box.spacing.min())
    assert image.GetDimensions() == tuple(np.where(box.thin, 2, box.points)), image.GetDimensions()
    direction = image.GetDirectionMatrix()
    assert all(direction.GetElement(i, j) == (i == j) for i in range(3) for j in range(3))
    places = vtk_filters.points(image)
    places[:, box.thin] = box.lower[box.thin]
    held = vtk_filters.arrays(image)
    np.testing.assert_allclose(held["solution"], value(places), rtol=rounding(held["solution"].dtype))
    return places, held


def check_filters(image, box):
    """x, y and z as fields have planes as isosurfaces, and are themselves wherever they are looked at."""
    allowed = 1e-6 * box.spacing
    for axis, name in enumerate("xyz"):
        if box.thin[axis]:
            continue
        for part in (0.07, 0.5, 0.93):
            level = box.lower[axis] + part * (box.upper[axis] - box.lower[axis])
            found = vtk_filters.contour(image, name, level)
            assert len(found) > 0, f"no isosurface {name} = {level}"
            assert abs(found[:, axis] - level).max() < allowed[axis], (name, level, found[:, axis])
            for other in set(range(3)) - {axis}:
                assert np.ptp(found[:, other]) > 0.99 * (box.upper - box.lower)[other], "not from wall to wall"
    cutting, there = vtk_filters.cut(image, (box.lower + box.upper) / 2, (0.9, 0.4, 0.1) / box.spacing)
    assert len(cutting) > 0
    probes = box.inside(50)
    for places, arrays in ((cutting, there), (probes, vtk_filters.probe(image, probes))):
        for axis, name in enumerate("xyz"):
            if not box.thin[axis]:
                assert abs(arrays[name] - places[:, axis]).max() < allowed[axis], name
    np.testing.assert_allclose(arrays["solution"], value(probes), rtol=1e-6)
    np.testing.assert_allclose(arrays["gradient"], gradient(probes), rtol=1e-6)


def check_links(path, labels, thin, box):
    """The solution file: an image only where its layout is one, and no value stored twice."""
    with h5py.File(path, "r") as file:
        solution = file["/solution"]
        names = {"solution", *(f"gradient_{label}" for label in labels)}
        if labels != "zyx" or thin:
            assert "VTKHDF" not in file
            return
        assert set(file["/VTKHDF/PointData"]) == names
        assert file["/VTKHDF/PointData/solution"] == solution, "a copy, not a link"
    image = vtk_filters.read(path)
    places, held = check_image(image, box)
    for axis, label in enumerate("xyz"):
        np.testing.assert_allclose(held[f"gradient_{label}"], gradient(places)[:, axis], rtol=1e-6)
    probes = box.inside(50)
    found = vtk_filters.probe(image, probes)
    np.testing.assert_allclose(found["solution"], value(probes), rtol=1e-6)
    level = np.median(value(places))
    surface = vtk_filters.contour(image, "solution", level)
    assert len(surface) > 0 and abs(value(surface) - level).max() < 1e-6 * abs(level)


def check_h5py(path, labels, centering):
    """The same file as users of h5py see it: words are str, numbers are numbers."""
    with h5py.File(path, "r") as file:
        attributes = dict(file["/solution"].attrs)
        assert file["/solution"].shape == THICK
        assert attributes["engine"] == "host" and attributes["residual_max"] == 1.5e-15
        assert tuple(attributes["spacing"]) == tuple(SPACING) and tuple(attributes["origin"]) == tuple(ORIGIN)
        assert list(attributes["boundary"]) == ["periodic"] * 2 + ["dirichlet"] + ["neumann"] * 3
        assert list(attributes["centering"]) == [centering] * 3
        assert list(attributes["axis_labels"]) == list(labels)
        assert attributes["helmholtz"] == 0.0


def check(writer, path, points, labels, centering, kind):
    subprocess.run([writer, path, "x".join(map(str, points)), labels, centering, kind], check=True)
    box = Box(points, labels, centering)
    image = vtk_filters.read(path + ".vtkhdf")
    places, held = check_image(image, box)
    assert set(held) == {"solution", "gradient", "x", "y", "z"}
    np.testing.assert_allclose(held["gradient"], gradient(places), rtol=rounding(held["gradient"].dtype))
    assert held["gradient"].dtype == (np.float32 if kind == "float" else np.float64)
    check_filters(image, box)
    check_links(path, labels, 1 in points, box)
    if points == THICK:
        check_h5py(path, labels, centering)


def main():
    writer = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "field.h5")
        for labels in ("xyz", "zyx", "yzx", "zxy", "yxz", "xzy", "rst"):
            for centering in ("cell", "node"):
                for kind in ("double", "float"):
                    check(writer, path, THICK, labels, centering, kind)
        for points in ((1, 5, 7), (4, 1, 7), (4, 5, 1), (4, 1, 1), (1, 1, 7)):
            for labels in ("xyz", "zyx", "zxy"):
                check(writer, path, points, labels, "cell", "double")
    print("VTK's filters agree with the grid for all axis orders")


main()
