// What callers give the members of a plan in one call: checked, and as calls of their engines. Fields that are
// moved to other boxes first (moved_fields.hpp) are solved for where they are moved to.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "field_checks.hpp"
#include "member.hpp"
#include "moved_fields.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "range.hpp"
#include "require_members.hpp"

namespace poisson3d {

template <class T>
class MemberCalls {
public:
    using Engines = std::vector<std::unique_ptr<MemberEngine<T>>>;  ///< of my members

    /// `own`: boxes that members have; `solved`: those in which they solve, to which fields are moved if `moves`;
    /// `terms`: of each of my members. What it is given must outlive it.
    MemberCalls(const Problem& problem, const Decomposition& own, const Decomposition& solved, bool moves,
                Transport& transport, Index batch, std::vector<BoundaryTerms<T>> terms)
        : problem_(problem),
          own_(own),
          solved_(solved),
          transport_(transport),
          mine_(transport.mine()),
          batch_(batch),
          halvings_(halving<T>(problem)),
          terms_(std::move(terms)),
          calls_(terms_.size()),
          given_(moves ? terms_.size() : 0) {}

    /// Throws Error{usage} or Error{data}.
    void check(std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
               std::span<const BoundaryData<T>> boundary, std::span<const Stream> streams) const {
        require_count(f.size(), "views of f");
        require_count(u.size(), "views of u");
        if (!boundary.empty()) require_count(boundary.size(), "sets of boundary data");
        if (!streams.empty()) require_count(streams.size(), "streams");
        for (std::size_t m = 0; m < mine_.size(); ++m) {
            const std::string who = of_member(m);
            if (f[m].count != f[0].count)
                throw Error(ErrorCode::usage, "fields" + who + ": found " + std::to_string(f[m].count) +
                                                  ", wanted " + std::to_string(f[0].count) +
                                                  ", as many as of my first member");
            require_fields(f[m].count, u[m].count, batch_);
            if (!has_points(own_, m)) continue;
            const Extents points = own_.box(mine_[m]).points;
            require_view(points, f[m].first, ("f" + who).c_str());
            require_view(points, u[m].first, ("u" + who).c_str());
            if (!boundary.empty()) require_possible(problem_, boundary[m]);
        }
        require_no_capture(streams);
    }

    void require_count(std::size_t found, const char* what) const {
        if (found != mine_.size())
            throw Error(ErrorCode::usage, "found " + std::to_string(found) + " " + what + ", wanted " +
                                              std::to_string(mine_.size()) + ", one for each of my members");
    }

    /// Of arguments that are checked. Throws Error{usage} if they are not in the memory of a member's device.
    void set(ModeOperation operation, std::span<const FieldBatch<const T>> f, std::span<const FieldBatch<T>> u,
             std::span<const BoundaryData<T>> boundary, double scale, std::optional<MovedFields<T>>& moved,
             const Engines& engines) {
        const int s = halving<T>(halvings_, scale);
        for (std::size_t m = 0; m < calls_.size(); ++m) {
            BoundaryData<T> faces = boundary.empty() ? BoundaryData<T>{} : boundary[m];
            if (moved) {  // one field after the other, in place
                if (on_devices() && has_points(own_, m)) require_on_device(m, f[m].first, u[m].first, faces);
                given_[m] = {operation,  f[m].first,  u[m].first,  scale, terms_[m].with_data(faces),
                             f[m].count, f[m].stride, u[m].stride, 1.0};
                faces = moved->faces(m);
                calls_[m] = {operation,
                             moved->field(m),
                             moved->field(m),
                             std::ldexp(scale, -s),
                             terms_[m].with_data(faces).halved(s),
                             f[m].count,
                             0,
                             0,
                             std::ldexp(1.0, s)};
                continue;
            }
            calls_[m] = {
                operation,  f[m].first,  u[m].first,  std::ldexp(scale, -s), terms_[m].with_data(faces).halved(s),
                f[m].count, f[m].stride, u[m].stride, std::ldexp(1.0, s)};
            if (has_points(solved_, m)) engines[m]->require(calls_[m], of_member(m));
        }
    }

    /// Whether a member, of any process, has data on a face.
    void set_any_data(bool any) {
        for (std::vector<Call<T>>* const all : {&calls_, &given_})
            for (Call<T>& call : *all) {
                if (!any) call.boundary = call.boundary.with_data({});  // nothing was moved to faces
                call.boundary.any = any;
            }
    }

    /// Of each of my members, as engines are called.
    [[nodiscard]] std::vector<Call<T>>& solved() noexcept { return calls_; }
    /// As callers gave them: what makes two calls the same.
    [[nodiscard]] const std::vector<Call<T>>& given() const noexcept { return given_.empty() ? calls_ : given_; }

private:
    [[nodiscard]] bool on_devices() const { return transport_.device(mine_.front()) >= 0; }
    [[nodiscard]] bool has_points(const Decomposition& boxes, std::size_t m) const {
        return size_of(boxes.box(mine_[m])) > 0;
    }
    [[nodiscard]] std::string of_member(std::size_t m) const { return " of member " + std::to_string(mine_[m]); }

    /// Members of other processes send messages, for which the host waits.
    void require_no_capture(std::span<const Stream> streams) const {
        if (!on_devices() || mine_.size() == static_cast<std::size_t>(solved_.members())) return;
        if (capturing(streams.empty() ? Stream{} : streams.front()))
            throw Error(ErrorCode::usage,
                        "found a stream that is captured in a graph, wanted one that is not: members of other "
                        "processes send messages, for which this one waits");
    }

    /// What is moved need not be as the member wants it, but in its device's memory.
    void require_on_device(std::size_t m, FieldView<const T> f, FieldView<T> u,
                           const BoundaryData<T>& boundary) const {
        const int device = transport_.device(mine_[m]);
        const std::string who = of_member(m);
        require_in_memory_of(device, f.data, "f" + who);
        require_in_memory_of(device, u.data, "u" + who);
        for (const auto& axis : boundary.faces)
            for (const FaceValues<T>& face : axis)
                if (face.data != nullptr) require_in_memory_of(device, face.data, "boundary data" + who);
    }

    const Problem& problem_;
    const Decomposition& own_;
    const Decomposition& solved_;
    Transport& transport_;
    std::vector<int> mine_;
    Index batch_;
    int halvings_;
    std::vector<BoundaryTerms<T>> terms_;
    std::vector<Call<T>> calls_, given_;  ///< `given` where fields are moved first
};

}  // namespace poisson3d
