// The part of the lines along x that a member on the host has, where x is eliminated: reduced to what it sends, and
// put back; the separators of its share, and the line κ = 0 where it solves that.
#pragma once

#include <algorithm>
#include <vector>

#include "field_passes.hpp"
#include "member.hpp"
#include "separator_lines.hpp"

namespace poisson3d::host {

template <class T>
class LinesOfPart {
public:
    /// What it is given must outlive it; `share_lines`: lines whose separators it solves.
    LinesOfPart(const Parts& parts, const Part& part, Index share_lines, bool solves_constant,
                FieldPasses<T>& passes)
        : parts_(parts),
          part_(part),
          count_(static_cast<Index>(parts.active().size())),
          lines_(parts.lines()),
          share_lines_(share_lines),
          solves_constant_(solves_constant),
          passes_(passes),
          mine_(passes.middle().lines()) {
        const auto size = [](Index n) { return static_cast<std::size_t>(n); };
        const Index all = parts.unknowns[0];
        planes_.resize(size(std::max(2 * lines_ + part.unknowns, 3 * lines_)));
        shares_.resize(size(std::max(2 * count_ * share_lines + all, 3 * count_ * share_lines)));
        potentials_.resize(size(count_ * share_lines + all + 1));
        ends_.resize(size(2 * lines_ + part.unknowns + 1));
        if (!parts.has_constant()) mine_.constant = nullptr;
        if (part.unknowns > 0)
            mine_.chain = mine_.chain.part(static_cast<int>(part.first_unknown), static_cast<int>(part.unknowns));
        links_.resize(size(3 * count_ * share_lines));
        separators_.resize(size(passes.team().size() * separator_numbers()));
    }

    /// What separators are made of: to `planes`; of lines of zeros.
    void reduce_links() {
        if (!has_lines()) return;
        const Extents unknowns{part_.unknowns, parts_.unknowns[1], parts_.unknowns[2]};
        const std::vector<T> zeros(static_cast<std::size_t>(unknowns[parts_.across]), T(0));
        std::vector<T> currents(static_cast<std::size_t>(2 * lines_));
        lines::ConstantLine<T> none;
        LineParts<T> reduce;
        reduce.tie = planes_.data(), reduce.excess = reduce.tie + lines_,
        reduce.left_excess = reduce.excess + lines_;
        reduce.current = currents.data(), reduce.left_current = currents.data() + lines_;
        EliminatedLines<T> lines{mine_.chain, nullptr, &reduce};
        // κ = 0 is set to 1 where that line is solved apart; what is written for it then is not used.
        std::vector<T> line(static_cast<std::size_t>(part_.unknowns));
        if (mine_.constant != nullptr) lines.constant = &none, reduce.constant = line.data();
        PassTask<T> task;
        task.direction = Direction::both;
        task.eliminated = &lines;
        passes_.begin(ModeOperation::divide, {}, {});
        task.modes = passes_.modes(0, parts_.across, 1.0);
        task.in = zeros.data();
        task.in_line = 1, task.in_sample = 0;
        task.slow = unknowns[parts_.slow_axis()], task.lines = unknowns[parts_.across];
        task.slow_axis = parts_.slow_axis(), task.line_axis = parts_.across, task.along_axis = 0;
        task.out_line = 1, task.out_sample = 0;
        passes_.team().run(task);
    }

    void keep_links() {
        std::copy_n(shares_.begin(), links_.size(), links_.begin());
        if (has_lines()) find_reach();
    }

    /// Lines along x, as far as they are eliminated here.
    void reduce(const Call<T>& call) {
        std::fill(ends_.begin(), ends_.end(), T(0));  // beside the ends of a chain nobody sends
        LineParts<T> reduce;
        reduce.current = planes_.data(), reduce.left_current = planes_.data() + lines_;
        reduce.constant = planes_.data() + 2 * lines_;
        run_lines(call, reduce);
    }
    void substitute(const Call<T>& call) { run_lines(call, substitution()); }
    /// body(task) with the pass that does that, to be aimed elsewhere.
    template <class Body>
    void with_substitution(const Call<T>& call, const Body& body) {
        with_lines(call, substitution(), body);
    }

    void solve_separators() {
        const int count = static_cast<int>(count_);
        const SeparatorLines<T> lines{links_.data(), shares_.data(), potentials_.data(), count, share_lines_};
        passes_.team().team().parallel_for(
            share_lines_, std::max<Index>(share_lines_ / 64, 16), [&](Index begin, Index end, int thread) {
                T* const ties = separators_.data() + thread * separator_numbers();
                T* const excesses = ties + count;
                T* const currents = excesses + count;
                T* const u = currents + count;
                for (Index line = begin; line < end; ++line) {
                    lines::eliminate_line(lines.gather(line, ties, excesses, currents), count, u, u + count);
                    lines.put(line, u);
                }
            });
        if (!solves_constant_ || mine_.constant == nullptr) return;
        const Index all = parts_.unknowns[0];
        T* const line = potentials_.data() + count * share_lines_;
        std::copy_n(shares_.data() + 2 * count * share_lines_, all, line);
        line[all] = lines::solve_whole(*mine_.constant, line);
    }

    /// The number behind the ends: what was removed from a singular problem.
    [[nodiscard]] T removed() const noexcept { return ends_.back(); }
    [[nodiscard]] T* buffer(MemberBuffer which) {
        switch (which) {
            case MemberBuffer::planes: return planes_.data();
            case MemberBuffer::shares: return shares_.data();
            case MemberBuffer::potentials: return potentials_.data();
            case MemberBuffer::ends: return ends_.data();
            default: return nullptr;
        }
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return sizeof(T) * (planes_.size() + shares_.size() + potentials_.size() + ends_.size() + links_.size() +
                            separators_.size());
    }

private:
    [[nodiscard]] bool has_lines() const noexcept { return part_.unknowns > 0 && lines_ > 0; }

    /// What reduces lines from their ends, where these take fewer nodes than there are.
    void find_reach() {
        const Extents unknowns{part_.unknowns, parts_.unknowns[1], parts_.unknowns[2]};
        const ModeSpace<T> modes = passes_.modes(0, parts_.across, 1.0);
        const T most = *std::max_element(modes.lanes, modes.lanes + unknowns[parts_.across]);
        for (Index s = 0; s < unknowns[parts_.slow_axis()]; ++s) {
            const double kappa = -(static_cast<double>(modes.slow[s]) + static_cast<double>(most) + modes.shift);
            const lines::Reach reach = lines::reach_of(mine_.chain, std::max(0.0, kappa));
            reach_.push_back(reach.last + reach.first < part_.unknowns ? reach : lines::Reach{});
        }
        mine_.reach = reach_.data();
    }

    /// What a thread needs for the separators of a line.
    [[nodiscard]] Index separator_numbers() const {
        const auto count = static_cast<long>(count_);
        return 4 * count + lines::elimination_work(count);
    }

    /// From potentials that have come.
    [[nodiscard]] LineParts<T> substitution() {
        LineParts<T> parts;
        parts.step = LineParts<T>::Step::substitute;
        parts.left = ends_.data(), parts.right = ends_.data() + lines_;
        parts.constant = ends_.data() + 2 * lines_;
        return parts;
    }
    /// The lines along x of this part.
    void run_lines(const Call<T>& call, const LineParts<T>& parts) {
        with_lines(call, parts, [&](const PassTask<T>& task) { passes_.team().run(task); });
    }
    template <class Body>
    void with_lines(const Call<T>& call, const LineParts<T>& parts, const Body& body) {
        if (!has_lines()) return;
        mine_.parts = &parts;
        PassTask<T> task = passes_.task(2, -1, call);
        task.eliminated = &mine_;
        body(task);
        mine_.parts = nullptr;
    }

    const Parts& parts_;
    const Part& part_;
    Index count_;  ///< members with unknowns
    Index lines_, share_lines_;
    bool solves_constant_;
    FieldPasses<T>& passes_;
    EliminatedLines<T> mine_;
    std::vector<lines::Reach> reach_;  ///< of its lines, by slow index
    std::vector<T> planes_, shares_, potentials_, ends_, links_, separators_;
};

}  // namespace poisson3d::host
