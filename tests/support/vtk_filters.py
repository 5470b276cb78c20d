"""What VTK's own reader and filters make of a VTKHDF file, as NumPy arrays."""

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPlane, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkContourFilter, vtkCutter, vtkProbeFilter
from vtkmodules.vtkIOHDF import vtkHDFReader


def read(path):
    """The image straight from the reader."""
    reader = vtkHDFReader()
    assert reader.CanReadFile(str(path)), "VTK does not take the file"
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutputDataObject(0)


def arrays(data):
    """Point data by name."""
    held = data.GetPointData()
    return {held.GetArrayName(a): vtk_to_numpy(held.GetArray(a)) for a in range(held.GetNumberOfArrays())}


def points(data):
    return np.array([data.GetPoint(p) for p in range(data.GetNumberOfPoints())]).reshape(-1, 3)


def contour(image, name, value):
    """The points of an isosurface."""
    image.GetPointData().SetActiveScalars(name)
    surface = vtkContourFilter()
    surface.SetInputData(image)
    surface.SetValue(0, value)
    surface.Update()
    return points(surface.GetOutput())


def cut(image, origin, normal):
    """The points of a plane through the image, and the arrays there."""
    plane = vtkPlane()
    plane.SetOrigin(*origin)
    plane.SetNormal(*normal)
    cutter = vtkCutter()
    cutter.SetInputData(image)
    cutter.SetCutFunction(plane)
    cutter.Update()
    return points(cutter.GetOutput()), arrays(cutter.GetOutput())


def probe(image, places):
    """The arrays at places, all of which must lie in the image."""
    held = vtkPoints()
    held.SetData(numpy_to_vtk(np.ascontiguousarray(places), deep=True))
    at = vtkPolyData()
    at.SetPoints(held)
    filter_ = vtkProbeFilter()
    filter_.SetInputData(at)
    filter_.SetSourceData(image)
    filter_.Update()
    found = arrays(filter_.GetOutput())
    assert found.pop("vtkValidPointMask").all(), "places outside of the image"
    return found
