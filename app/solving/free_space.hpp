// What a run does for problems with free faces beside the rest: what the solver found on them, in the precisions
// that the gradient and the residual want.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "command_line/options.hpp"
#include "poisson3d/boundary_data.hpp"
#include "poisson3d/free_space.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::app {

/// What the solver finds on free faces is a boundary value of what comes after it.
inline bool needs_faces(const SolveOptions& options, const Problem& problem) {
    return unbounded_axes(problem.grid) > 0 && problem.discretization != Discretization::spectral &&
           (options.gradient || !options.no_verify);
}

/// Boundary data of all faces after a solve: of walls what the file has, of free faces what Solver::faces() found.
/// Points into the solver and into what the walls point into; without free faces it is the walls.
template <class T>
class FacesAfterSolve {
public:
    FacesAfterSolve(const Grid& grid, const BoundaryData<T>& walls_and_free, const BoundaryData<double>& walls)
        : own_(walls_and_free), wide_(walls) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                if (is_free(grid.axes[axis], side))
                    wide_.faces[axis][side] =
                        widened(own_.faces[axis][side], extents_of_face(grid.points(), axis), memory_[axis][side]);
            }
    }
    FacesAfterSolve(const FacesAfterSolve&) = delete;
    FacesAfterSolve& operator=(const FacesAfterSolve&) = delete;

    [[nodiscard]] const BoundaryData<T>& data() const noexcept { return own_; }
    [[nodiscard]] const BoundaryData<double>& in_double() const noexcept { return wide_; }

private:
    static FaceValues<double> widened(const FaceValues<T>& face, const std::array<Index, 2>& extents,
                                      std::vector<double>& memory) {
        FaceValues<double> wide{static_cast<double>(face.constant)};
        if (face.data == nullptr) return wide;
        memory.reserve(static_cast<std::size_t>(extents[0] * extents[1]));
        for (Index row = 0; row < extents[0]; ++row)
            for (Index k = 0; k < extents[1]; ++k)
                memory.push_back(static_cast<double>(face.data[row * face.stride + k]));
        wide.data = memory.data();
        wide.stride = extents[1];
        return wide;
    }

    BoundaryData<T> own_;
    BoundaryData<double> wide_;
    std::array<std::array<std::vector<double>, 2>, 3> memory_;
};

}  // namespace poisson3d::app
