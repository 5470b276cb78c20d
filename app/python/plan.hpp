// A planned solver as Python holds it: one class for both precisions and the mixed one, safe to call from any
// thread.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "command_line/spec.hpp"
#include "poisson3d/solver.hpp"
#include "problem.hpp"

namespace poisson3d::python {

using app::Precision;

/// Arrays are what read_array() reads. `stream` is a cudaStream_t as a number; it matters for arrays on a GPU only.
/// `keep`: the plan keeps the arrays until the stream is done with them, since their library does not. One call at
/// a time: a second thread waits. The interpreter's lock is released while a call plans, solves or waits.
class Plan {
public:
    virtual ~Plan() = default;

    /// u := solution of (∇² − λ) u = scale · f, with boundary values.
    virtual void solve(nanobind::handle f, nanobind::handle u, nanobind::handle boundary, double scale,
                       std::uintptr_t stream, bool keep) = 0;
    /// u := scale · (∇² − λ) f.
    virtual void apply(nanobind::handle f, nanobind::handle u, double scale, std::uintptr_t stream, bool keep) = 0;
    /// gradient[a] := ∂u/∂x_a; of a batch, gradient[b, a]. `f`, with `scale` what u solves, may be None.
    virtual void gradient(nanobind::handle u, nanobind::handle gradient, nanobind::handle boundary,
                          nanobind::handle f, double scale, std::uintptr_t stream, bool keep) = 0;

    /// Of the last solve, u what it found, in host memory.
    virtual double freeness(nanobind::handle u) = 0;

    /// Waits for the last solve. Throws Error{usage} if there was none.
    virtual std::vector<Result> results() = 0;
    virtual std::vector<PassReport> passes() = 0;
    /// Makes a stream wait for the last work; the host does not.
    virtual void make_wait(std::uintptr_t stream) = 0;
    /// A stream for libraries that have none to give.
    virtual std::uintptr_t own_stream() = 0;

    [[nodiscard]] virtual Engine engine() const = 0;
    [[nodiscard]] virtual Memory memory() const = 0;
    [[nodiscard]] virtual int threads() const = 0;
    [[nodiscard]] virtual std::size_t workspace() const = 0;
    [[nodiscard]] virtual std::string description() const = 0;
    /// The positions of the points along an axis.
    [[nodiscard]] virtual std::vector<double> positions(int axis) const = 0;
};

std::unique_ptr<Plan> make_plan(Precision precision, const Arguments& arguments);

/// The bytes such a plan would take; nothing is allocated.
std::size_t workspace_bytes(Precision precision, const Arguments& arguments);

}  // namespace poisson3d::python
