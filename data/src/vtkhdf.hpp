// VTK's own HDF5 format: the group that makes a file an image, and links for fields that lie as VTK wants them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "h5.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

/// The grid as VTK sees it; all in the order x, y, z.
struct VtkImage {
    std::array<std::size_t, 3> axes{};  ///< of the grid, which run along x, y and z
    std::array<bool, 3> doubled{};      ///< one point in the grid, two in the image
    Extents points{};                   ///< 2 at least
    std::array<double, 3> origin{};     ///< of the first point
    std::array<double, 3> spacing{};
    /// Of all points, if steps of an axis differ: then this is no image but a rectilinear grid.
    std::array<std::vector<double>, 3> coordinates{};

    [[nodiscard]] bool rectilinear() const noexcept { return !coordinates[0].empty(); }
};

/// Axes go by their labels; if these are not x, y, z in some order, by their index.
VtkImage vtk_image(const Grid& grid);

/// Fields of this grid lie as VTK wants them: index 0 runs along z, 1 along y, 2 along x, two points at least each,
/// and it is an image.
bool lies_as_vtk_image(const Grid& grid);

/// Adds the group /VTKHDF with its attributes to an open file; arrays go to /VTKHDF/PointData, coordinates to
/// /VTKHDF/XCoordinates, YCoordinates and ZCoordinates. Throws `subject`'s code, as does link_vtkhdf().
void write_vtkhdf(hid_t file, const h5::Subject& subject, const VtkImage& image);

/// The same, and PointData are hard links to `datasets` of a grid that lies_as_vtk_image(). "/gradient/x" appears
/// as gradient_x.
void link_vtkhdf(hid_t file, const h5::Subject& subject, const Grid& grid,
                 const std::vector<std::string>& datasets);

}  // namespace poisson3d
