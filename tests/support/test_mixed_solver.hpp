// Mixed precision as the tests use it: fields and boundary data in host memory, whatever the engine.
#pragma once

#include <optional>

#include "device_fields.hpp"
#include "engine_under_test.hpp"
#include "poisson3d/mixed_solver.hpp"
#include "problems.hpp"

namespace poisson3d::test {

class TestMixedSolver {
public:
    explicit TestMixedSolver(const Problem& problem, const Options& options = test_options(),
                             std::optional<int> refinements = std::nullopt)
        : solver_(problem, options, refinements) {}

    void solve(FieldView<const double> f, FieldView<double> u, const BoundaryData<double>& boundary = {},
               double scale = 1.0) {
        if (on_device_under_test) {
            DeviceFields<double> fields(f, u);
            DeviceFaces<double> faces(boundary, f.extents);
            const auto fetch = [&] { fields.fetch(), faces.fetch(); };
            try {
                solver_.solve(fields.f(), fields.u(), faces.data(), scale);
            } catch (...) {
                fetch();  // a call that refuses must have left all as it was
                throw;
            }
            fetch();
        } else {
            solver_.solve(f, u, boundary, scale);
        }
    }
    [[nodiscard]] MixedSolver& operator*() { return solver_; }
    [[nodiscard]] MixedSolver* operator->() { return &solver_; }

private:
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
