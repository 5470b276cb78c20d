// Mixed precision as the tests use it: fields and boundary data in host memory, whatever the engine.
#pragma once

#include <optional>
#include <vector>

#include "device_fields.hpp"
#include "engine_under_test.hpp"
#include "poisson3d/mixed_solver.hpp"
#include "problems.hpp"

namespace poisson3d::test {

/// Boundary data whose arrays lie where the engine wants them.
class PlacedBoundary {
public:
    explicit PlacedBoundary(const Grid& grid, const BoundaryData<double>& data) : placed_(data) {
        if constexpr (!on_device_under_test) return;
        for (int axis = 0; axis < 3; ++axis)
            for (FaceValues<double>& face : placed_.faces[axis]) {
                if (face.data == nullptr) continue;
                const Index rows = grid.axes[axis == 0 ? 1 : 0].points;
                const Index columns = grid.axes[axis == 2 ? 1 : 2].points;
                const auto bytes = static_cast<std::size_t>((rows - 1) * face.stride + columns) * sizeof(double);
                buffers_.emplace_back(bytes);
                copy_to_device(buffers_.back().data(), face.data, bytes);
                face.data = static_cast<const double*>(buffers_.back().data());
            }
    }
    [[nodiscard]] const BoundaryData<double>& get() const { return placed_; }

private:
    BoundaryData<double> placed_;
    std::vector<DeviceBuffer> buffers_;
};

class TestMixedSolver {
public:
    explicit TestMixedSolver(const Problem& problem, const Options& options = test_options(),
                             std::optional<int> refinements = std::nullopt)
        : grid_(problem.grid), solver_(problem, options, refinements) {}

    void solve(FieldView<const double> f, FieldView<double> u, const BoundaryData<double>& boundary = {},
               double scale = 1.0) {
        if constexpr (on_device_under_test) {
            DeviceFields<double> fields(f, u);
            const PlacedBoundary placed(grid_, boundary);
            try {
                solver_.solve(fields.f(), fields.u(), placed.get(), scale);
            } catch (...) {
                fields.fetch();  // a call that refuses must have left all as it was
                throw;
            }
            fields.fetch();
        } else {
            solver_.solve(f, u, boundary, scale);
        }
    }
    [[nodiscard]] MixedSolver& operator*() { return solver_; }
    [[nodiscard]] MixedSolver* operator->() { return &solver_; }

private:
    Grid grid_;
    MixedSolver solver_;
};

/// Plans and solves once, into a field that held NaN before.
inline Field<double> mixed(const Problem& problem, const Field<double>& f, Result* result = nullptr,
                           std::optional<int> refinements = std::nullopt, const BoundaryData<double>& boundary = {},
                           double scale = 1.0, const Options& options = test_options()) {
    Field<double> u = filled_field(problem.grid.points(), std::numeric_limits<double>::quiet_NaN());
    TestMixedSolver solver(problem, options, refinements);
    solver.solve(f.view(), u.view(), boundary, scale);
    if (result != nullptr) *result = solver->result();
    return u;
}

}  // namespace poisson3d::test
