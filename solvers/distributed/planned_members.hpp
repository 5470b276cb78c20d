// My members of a DistributedSolver, as they are planned: the parts of the box, and an engine for each.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "boundary_terms.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "problem_in_parts.hpp"

namespace poisson3d {

template <class T>
class PlannedMembers {
public:
    using Engines = std::vector<std::unique_ptr<MemberEngine<T>>>;

    /// `closed`: as it is solved; `boxes`: slabs or pencils, in which it is; `in_turn`: fields of a batch may be on
    /// their way at once.
    PlannedMembers(const Problem& problem, const Problem& closed, const Decomposition& boxes, Method method,
                   const Communicator& members, bool in_turn, const KnownMembers& known,
                   const DistributedOptions& options)
        : method_(method) {
        const std::vector<int>& mine = members.mine();
        const bool on_devices = members.transport().device(mine.front()) >= 0;
        const std::vector<Planes> shares =
            share_modes<T>(axis_kind(problem.grid.axes[2]).unknowns, boxes.shape()[1], on_devices);
        for (std::size_t c = 0; c < shares.size(); ++c)
            columns_.push_back(
                make_parts<T>(problem, boxes, static_cast<int>(c), shares[c], method, known, options));
        if (on_devices && singular(closed)) {
            const auto order = std::make_shared<const SampleOrder>(
                problem.grid.points(), [&](Index i, Index j) { return boxes.owner(i, j); });
            for (Parts& parts : columns_) parts.samples = order;
        }
        for (Parts& parts : columns_) parts.in_turn = in_turn;
        const SplitMethod split = method == Method::eliminate ? SplitMethod::eliminated : SplitMethod::transposed;
        const int processors = options.threads > 0 ? options.threads : members.transport().host_threads();
        Options each;
        each.threads = threads_ = std::max(1, processors / static_cast<int>(mine.size()));
        each.batch = options.batch;
        const BoundaryTerms<T> whole = terms_of_box(problem, closed);
        by_member_.resize(static_cast<std::size_t>(members.size()));
        for (const int m : mine) {
            each.device = std::max(0, members.transport().device(m));
            const auto [row, column] = boxes.place(m);
            const Parts& parts = columns_[static_cast<std::size_t>(column)];
            if (pads_free_lines(problem))
                engines_.push_back(on_devices ? make_padded_device_member<T>(problem, each, parts, row)
                                              : make_padded_host_member<T>(problem, each, parts, row));
            else
                engines_.push_back(on_devices ? make_device_member<T>(closed, each, split, parts, row)
                                              : make_host_member<T>(closed, each, split, parts, row));
            by_member_[static_cast<std::size_t>(m)] = engines_.back().get();
            terms_.push_back(terms_of(whole, parts.parts[static_cast<std::size_t>(row)], parts.y));
        }
    }

    /// Passes of all members, or of none.
    void choose_who_stores(const DistributedOptions& options, const Agreement& agreement) {
        const bool store = !agreement.any(
            [&] { return !std::ranges::all_of(engines_, [](const auto& engine) { return engine->may_store(); }); });
        if (options.way == Way::passes && !store)
            throw Error(ErrorCode::unsupported,
                        "passes of members cannot store what others need: found " +
                            std::to_string(by_member_.size()) + " members that " + name(method_) +
                            (columns_.size() > 1 ? " and have pencils" : "") +
                            ", wanted at most 16 that transpose slabs, whose FFTs along all axes have outer steps; "
                            "use another way");
        for (Parts& parts : columns_) {
            if (!store) parts.stored = 0.0;
            parts.direct = store && parts.rows_first;
        }
    }

    [[nodiscard]] const std::vector<Parts>& columns() const noexcept { return columns_; }
    [[nodiscard]] const Engines& engines() const noexcept { return engines_; }
    /// Of all members; null: not mine.
    [[nodiscard]] const std::vector<MemberEngine<T>*>& by_member() const noexcept { return by_member_; }
    /// What each of mine has at the faces of the box.
    [[nodiscard]] const std::vector<BoundaryTerms<T>>& terms() const noexcept { return terms_; }
    [[nodiscard]] int threads() const noexcept { return threads_; }  ///< of each

private:
    /// Free faces have the factors of the walls that they are closed by; unknowns stand where they are.
    [[nodiscard]] static BoundaryTerms<T> terms_of_box(const Problem& problem, const Problem& closed_problem) {
        BoundaryTerms<T> terms = make_boundary_terms<T>(problem.grid);
        const BoundaryTerms<T> closed = make_boundary_terms<T>(closed_problem.grid);
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side)
                if (is_free(problem.grid.axes[static_cast<std::size_t>(axis)], side))
                    terms.factor[axis][side] = closed.factor[axis][side];
        return terms;
    }

    Method method_;
    std::vector<Parts> columns_;
    int threads_ = 1;
    Engines engines_;
    std::vector<MemberEngine<T>*> by_member_;
    std::vector<BoundaryTerms<T>> terms_;
};

}  // namespace poisson3d
