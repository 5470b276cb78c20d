// A DistributedSolver as Python holds it: the members of this process, one in a rank of MPI with fields in host
// memory, or one on each of some GPUs; one class for both precisions.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
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
///
/// Lists have an object for each member of this process. Members on GPUs work in `streams` (cudaStream_t as
/// numbers), which calls in other streams than before wait for; a call returns when all is launched. `keep`: the
/// plan keeps the arrays until the streams are done with them. Arrays in host memory are copied to the GPUs and
/// back, and the call blocks.
class DistributedPlan {
public:
    using Streams = std::vector<std::uintptr_t>;
    virtual ~DistributedPlan() = default;
    /// `boundaries` is empty, or has a dictionary or None of each member.
    virtual void solve(const nanobind::list& f, const nanobind::list& u, const nanobind::list& boundaries,
                       double scale, const Streams& streams, bool keep) = 0;
    virtual void apply(const nanobind::list& f, const nanobind::list& u, double scale, const Streams& streams,
                       bool keep) = 0;
    /// gradients[m][a] := ∂u/∂x_a of member m; of a batch, gradients[m][b, a]. On free faces with what the last
    /// solve found there. `f`, with `scale` what u solves, may be empty. The first call plans.
    virtual void gradient(const nanobind::list& u, const nanobind::list& gradients,
                          const nanobind::list& boundaries, const nanobind::list& f, double scale,
                          const Streams& streams, bool keep) = 0;
    /// Throws Error{usage} if nothing was solved.
    [[nodiscard]] virtual std::vector<Result> results() = 0;
    /// Makes a stream wait for the last work of a member of this process; the host does not.
    virtual void make_wait(int member, std::uintptr_t stream) = 0;
    /// A stream on a member's GPU for libraries that have none to give.
    virtual std::uintptr_t own_stream(int member) = 0;
    [[nodiscard]] virtual Box box(int member) const = 0;
    /// The positions along an axis of the points that this process has.
    [[nodiscard]] virtual std::vector<double> positions(int axis) const = 0;
    [[nodiscard]] virtual Method method() const = 0;
    [[nodiscard]] virtual Traffic traffic() const = 0;
    [[nodiscard]] virtual Traffic sent_by(int member) const = 0;
    [[nodiscard]] virtual int threads() const = 0;
    [[nodiscard]] virtual std::size_t workspace() const = 0;
    [[nodiscard]] virtual std::string description() const = 0;
};

/// Plans, a call of all members. `devices`: those the members are on, none: fields are in host memory. `method`,
/// `way` and `chunks` as in DistributedOptions.
std::unique_ptr<DistributedPlan> make_distributed_plan(app::Precision precision, const Arguments& arguments,
                                                       const Communicator& members, const std::vector<int>& devices,
                                                       const Cuts& cuts, const std::string& method,
                                                       const std::string& way, int chunks);

}  // namespace poisson3d::python
