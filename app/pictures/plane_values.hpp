// The values on a plane as a picture shows them: from face to face of the box, between its points interpolated.
#pragma once

#include <array>
#include <vector>

#include "pictures/section.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::app {

/// The stretch from face to face; around a single node a step.
std::array<double, 2> ends_of(const Axis& axis);

/// Where the samples of a section along an axis are.
std::vector<double> sample_positions(const Section& section, std::size_t axis, const Axis& of_grid);

/// A plane of samples, and beyond the outermost ones the values up to the faces: along periodic axes those between
/// the last and the first, else the outermost again.
class PlaneValues {
public:
    PlaneValues(const Section& section, const Grid& grid);

    /// The axes of the plane: the first of them is drawn to the right, the second upwards.
    [[nodiscard]] std::size_t right() const noexcept { return axes_[0]; }
    [[nodiscard]] std::size_t up() const noexcept { return axes_[1]; }

    /// [position to the right][position upwards], the latter contiguous.
    [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }
    /// Of these, rising, along the axis to the right (0) or upwards (1).
    [[nodiscard]] const std::vector<double>& positions(std::size_t which) const noexcept {
        return positions_[which];
    }

    /// Bilinear at width × height places, the middles of equal rectangles from face to face; rows from the top. Not
    /// finite beside such a value.
    [[nodiscard]] std::vector<double> resampled(int width, int height) const;

private:
    std::array<std::size_t, 2> axes_{};
    std::array<std::vector<double>, 2> positions_{};
    std::vector<double> values_;
};

}  // namespace poisson3d::app
