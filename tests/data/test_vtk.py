"""Opens written files with VTK's own HDF5 reader: every point must lie where the grid says, with its value.

test_vtk.py WRITER, where WRITER FILE LABELS CENTERING writes x + 100 y + 10000 z + x y z as /solution.
Exit code 77: VTK, h5py or numpy is not installed.
"""
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkFiltersCore import vtkPassThrough
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

POINTS = (4, 5, 7)  # in index order, as the writer has them
SPACING = (0.5, 0.25, 2.0)
ORIGIN = (-3.0, 10.0, 0.125)


def value(places):
    x, y, z = places.T
    return x + 100 * y + 10000 * z + x * y * z


def expected_places(labels, centering):
    """The physical place of every point in C order, made here from the grid and nothing else."""
    shift = 0.5 if centering == "cell" else 0.0
    index = np.indices(POINTS).reshape(3, -1)
    along = [ORIGIN[a] + (index[a] + shift) * SPACING[a] for a in range(3)]
    direction = ["xyz".index(c) for c in labels] if sorted(labels) == list("xyz") else [0, 1, 2]
    places = np.empty((index.shape[1], 3))
    for a in range(3):
        places[:, direction[a]] = along[a]
    return places


def check_vtk(path, labels, centering):
    reader = vtkHDFReader()
    assert reader.CanReadFile(path), "VTK does not take the file"
    reader.SetFileName(path)
    # Up to VTK 9.1 at least, the reader sets Direction without telling the image, which goes on with its old
    # transform until somebody copies it. Filters that copy set it right, as ParaView does after every reader.
    copy = vtkPassThrough()
    copy.SetInputConnection(reader.GetOutputPort())
    copy.Update()
    image = copy.GetOutput()
    assert image.GetDimensions() == POINTS[::-1], image.GetDimensions()
    places = np.array([image.GetPoint(p) for p in range(image.GetNumberOfPoints())])
    np.testing.assert_allclose(places, expected_places(labels, centering), rtol=1e-14, atol=1e-14)
    for p, (i, j, k) in enumerate(np.ndindex(*POINTS)):
        there = [0.0, 0.0, 0.0]
        image.TransformIndexToPhysicalPoint(k, j, i, there)
        np.testing.assert_allclose(there, places[p], rtol=1e-14, atol=1e-14)
    arrays = image.GetPointData()
    assert {arrays.GetArrayName(a) for a in range(arrays.GetNumberOfArrays())} == {"solution", "gradient_x"}
    np.testing.assert_allclose(vtk_to_numpy(arrays.GetArray("solution")), value(places), rtol=1e-13)
    np.testing.assert_allclose(vtk_to_numpy(arrays.GetArray("gradient_x")), -value(places), rtol=1e-13)


def check_h5py(path, labels, centering):
    """The same file as users of h5py see it: words are str, numbers are numbers."""
    with h5py.File(path, "r") as file:
        solution = file["/solution"]
        assert solution.shape == POINTS and solution.dtype == np.float64
        np.testing.assert_allclose(solution[()].ravel(), value(expected_places(labels, centering)), rtol=1e-13)
        attributes = dict(solution.attrs)
        assert attributes["engine"] == "host" and attributes["residual_max"] == 1.5e-15
        assert tuple(attributes["spacing"]) == SPACING and tuple(attributes["origin"]) == ORIGIN
        assert list(attributes["boundary"]) == ["periodic"] * 2 + ["dirichlet"] + ["neumann"] * 3
        assert list(attributes["centering"]) == [centering] * 3
        assert list(attributes["axis_labels"]) == list(labels)
        assert attributes["helmholtz"] == 0.0
        assert file["/VTKHDF/PointData/solution"] == solution, "a copy, not a link"


def main():
    writer = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "field.h5")
        for labels in ("xyz", "zyx", "yzx", "zxy", "yxz", "xzy", "rst"):
            for centering in ("cell", "node"):
                subprocess.run([writer, path, labels, centering], check=True)
                check_vtk(path, labels, centering)
                check_h5py(path, labels, centering)
    print("VTK and h5py agree with the grid for all axis orders")


main()
