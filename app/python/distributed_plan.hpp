// A DistributedSolver as Python holds it: one member, that of this process, with fields in host memory; one class
// for both precisions.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line/spec.hpp"
#include "poisson3d/distributed.hpp"
#include "problem.hpp"

namespace poisson3d::python {

/// How a grid is cut: "automatic", "slabs" or "pencils"; by the number of members in each direction; or by the
/// points of each row and column of members.
struct Cuts {
    std::string word;
    std::vector<int> members;                        ///< none or two
    std::vector<Index> rows, columns;                ///< none, rows, or both
    std::vector<int> order;                          ///< of in_order_of(), or none
    std::optional<std::pair<Extents, Extents>> box;  ///< this process's own, in the place of all these
};

/// Calls are calls of all members: what one of them cannot do all refuse, wrong arguments too. The interpreter's
/// lock is released while a call works; a second thread waits.
class DistributedPlan {
public:
    virtual ~DistributedPlan() = default;
    virtual void solve(nanobind::handle f, nanobind::handle u, nanobind::handle boundary, double scale) = 0;
    virtual void apply(nanobind::handle f, nanobind::handle u, double scale) = 0;
    /// Throws Error{usage} if nothing was solved.
    [[nodiscard]] virtual std::vector<Result> results() = 0;
    [[nodiscard]] virtual Box box(int member) const = 0;
    /// The positions of my points along an axis.
    [[nodiscard]] virtual std::vector<double> positions(int axis) const = 0;
    [[nodiscard]] virtual Method method() const = 0;
    [[nodiscard]] virtual Traffic traffic() const = 0;
    [[nodiscard]] virtual int threads() const = 0;
    [[nodiscard]] virtual std::size_t workspace() const = 0;
    [[nodiscard]] virtual std::string description() const = 0;
};

/// Plans, a call of all members.
std::unique_ptr<DistributedPlan> make_distributed_plan(app::Precision precision, const Arguments& arguments,
                                                       const Communicator& members, const Cuts& cuts,
                                                       const std::string& method);

}  // namespace poisson3d::python
