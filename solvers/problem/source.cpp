// What a right-hand side comes to: Q = Σ f · cell volume as the mean times the volume, so that the sum of large
// numbers stays one, and how much of it stands at free faces.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "axis_kind.hpp"
#include "poisson3d/free_space.hpp"

namespace poisson3d {

namespace {

/// The lengths that stored points stand for; 0 at Dirichlet nodes.
std::vector<double> lengths_of(const Axis& axis) {
    std::vector<double> lengths = mean_weights(axis);
    if (has_fast_transform(axis))
        for (double& length : lengths) length *= axis.step();
    return lengths;
}

/// ∂u/∂n by the data of a face that gives it; 0 of others.
double slope_factor(const Axis& axis, int side) {
    const Boundary wall = side == 0 ? axis.lower : axis.upper;
    if (wall == Boundary::neumann) return 1.0;
    const Robin& robin = axis.robin[static_cast<std::size_t>(side)];
    return wall == Boundary::robin && robin.alpha == 0.0 ? 1.0 / robin.beta : 0.0;
}

bool next_to_free_face(const Axis& axis, Index j) {
    return (j == 0 && axis.lower == Boundary::free) || (j == axis.points - 1 && axis.upper == Boundary::free);
}

}  // namespace

SourceMeter::SourceMeter(const Problem& problem, double scale, const BoundaryData<double>& boundary)
    : grid_(problem.grid), scale_(scale) {
    std::array<double, 3> lengths{};
    for (std::size_t a = 0; a < 3; ++a) {
        shares_[a] = lengths_of(grid_.axes[a]);
        lengths[a] = std::accumulate(shares_[a].begin(), shares_[a].end(), 0.0);
        for (double& share : shares_[a]) share /= lengths[a];
        volume_ *= lengths[a];
    }
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const FaceValues<double>& face = boundary.faces[axis][side];
            const double factor = slope_factor(grid_.axes[axis], side);
            if (factor == 0.0 || face.zero()) continue;
            double mean = face.constant;
            if (face.data != nullptr) {
                const auto [b, c] = across(axis);
                mean = 0.0;
                for (std::size_t p = 0; p < shares_[b].size(); ++p)
                    for (std::size_t q = 0; q < shares_[c].size(); ++q)
                        mean += shares_[b][p] * shares_[c][q] *
                                face.data[static_cast<Index>(p) * face.stride + static_cast<Index>(q)];
            }
            through_walls_ += factor * mean / lengths[static_cast<std::size_t>(axis)];
        }
}

template <class F>
void SourceMeter::add_planes(Index first, FieldView<const F> rhs) {
    const std::vector<double>& along = shares_[2];
    for (Index p = 0; p < rhs.extents[0]; ++p) {
        const double slab = shares_[0][first + p];
        const bool plane_is_edge = next_to_free_face(grid_.axes[0], first + p);
        double plane = 0.0;
        for (Index j = 0; j < rhs.extents[1]; ++j) {
            if (slab * shares_[1][j] == 0.0) continue;  // what stands at Dirichlet nodes may be anything
            const F* const f = &rhs(p, j, 0);
            double row = 0.0;
            double largest = 0.0;
            for (Index k = 0; k < rhs.extents[2]; ++k) {
                if (along[k] == 0.0) continue;
                const auto value = static_cast<double>(f[k]);
                row += along[k] * value;
                largest = std::max(largest, std::abs(value));
                if (next_to_free_face(grid_.axes[2], k)) edge_ = std::max(edge_, std::abs(value));
            }
            plane += shares_[1][j] * row;
            largest_ = std::max(largest_, largest);
            if (plane_is_edge || next_to_free_face(grid_.axes[1], j)) edge_ = std::max(edge_, largest);
        }
        mean_ += slab * plane;
    }
}

void SourceMeter::add(Index first, FieldView<const double> rhs) {
    add_planes(first, rhs);
}
void SourceMeter::add(Index first, FieldView<const float> rhs) {
    add_planes(first, rhs);
}

Source SourceMeter::result() const {
    const double mean = scale_ * mean_ - through_walls_;
    return {mean * volume_, mean, largest_ == 0.0 ? 0.0 : edge_ / largest_};
}

}  // namespace poisson3d
