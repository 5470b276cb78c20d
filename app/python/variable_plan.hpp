// A VariableSolver as Python holds it: one class for both precisions, safe to call from any thread. Arrays lie in
// host memory, or on the GPU of the solver, which waits for the stream that is given and blocks.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "command_line/spec.hpp"
#include "poisson3d/variable_solver.hpp"
#include "problem.hpp"

namespace poisson3d::python {

/// The interpreter's lock is released while a call works; a second thread waits.
class VariablePlan {
public:
    virtual ~VariablePlan() = default;
    /// `helmholtz`: None, or λ at the points.
    virtual void set_points(nanobind::handle coefficient, nanobind::handle helmholtz) = 0;
    virtual void set_faces(const std::array<nanobind::object, 3>& coefficient, nanobind::handle helmholtz) = 0;
    /// `guess`: None, or an array of the shape of u.
    virtual VariableResult solve(nanobind::handle f, nanobind::handle u, nanobind::handle boundary, double scale,
                                 double tolerance, int max_iterations, nanobind::handle guess,
                                 std::uintptr_t stream) = 0;
    virtual void apply(nanobind::handle u, nanobind::handle f, std::uintptr_t stream) = 0;
    [[nodiscard]] virtual double scaling() const = 0;
    [[nodiscard]] virtual int threads() const = 0;
    [[nodiscard]] virtual std::size_t workspace() const = 0;
    [[nodiscard]] virtual std::string description() const = 0;
};

std::unique_ptr<VariablePlan> make_variable_plan(app::Precision precision, const Arguments& arguments,
                                                 std::optional<double> scaling);

}  // namespace poisson3d::python
