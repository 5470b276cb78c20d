// A member on threads of this process (member.hpp).
#include <algorithm>
#include <vector>

#include "field_passes.hpp"
#include "member.hpp"
#include "poisson3d/memory.hpp"
#include "separator_lines.hpp"

namespace poisson3d::host {

namespace {

template <class T>
class HostMember final : public MemberEngine<T> {
public:
    HostMember(const Problem& problem, const Options& options, SplitMethod method, const Parts& parts, int member)
        : method_(method),
          parts_(parts),
          part_(parts.parts[static_cast<std::size_t>(member)]),
          active_(parts.active()),
          lines_(parts.lines()),
          rows_(part_.unknowns * parts.y.unknowns * axis_kind(problem.grid.axes[2]).unknowns),
          first_(parts.share_first[static_cast<std::size_t>(member)]),
          share_(parts.share(member)),
          share_lines_(parts.lines_of(member)),
          solves_constant_(parts.owner_of_constant() == member),
          passes_(problem, options, eliminates() ? 0 : -1, box_part(),
                  layout_of(problem, options, eliminates() ? 0 : -1, box_part(), parts.z)),
          results_(static_cast<std::size_t>(options.batch)) {
        const auto size = [](Index n) { return static_cast<std::size_t>(n); };
        const auto count = static_cast<Index>(active_.size());
        if (eliminates()) {
            const Index all = parts.unknowns[0];
            planes_.resize(size(std::max(2 * lines_ + part_.unknowns, 3 * lines_)));
            shares_.resize(size(std::max(2 * count * share_lines_ + all, 3 * count * share_lines_)));
            potentials_.resize(size(count * share_lines_ + all + 1));
            ends_.resize(size(2 * lines_ + part_.unknowns + 1));
            mine_ = passes_.middle().lines();
            if (!parts.has_constant()) mine_.constant = nullptr;
            if (part_.unknowns > 0)
                mine_.chain =
                    mine_.chain.part(static_cast<int>(part_.first_unknown), static_cast<int>(part_.unknowns));
            links_.resize(size(3 * count * share_lines_));
            separators_.resize(size(passes_.team().size() * separator_numbers()));
        }
        const Index numbers = part_.unknowns * lines_;  // after the exchange within rows
        Index first = parts_.pencils ? std::max(numbers, rows_) + 1 : 0, second = parts_.pencils ? numbers + 1 : 0;
        if (parts.one_field) {
            first = parts.unknowns[0] * lines_ + 2;
        } else if (!eliminates()) {
            first = std::max(first, numbers + 1);
            second = std::max(second, parts.unknowns[0] * share_lines_ + 1);
        }
        first_field_ = Numbers(first), second_field_ = Numbers(second);
    }

    void require(const Call<T>&, const std::string&) const override {}

    void reduce_links() override {
        if (!eliminates() || !has_lines()) return;
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

    void keep_links() override {
        std::copy_n(shares_.begin(), links_.size(), links_.begin());
        if (has_lines()) find_reach();
    }

    void forward(const Call<T>& call, Constant<T> shift, int) override {
        passes_.begin(call.operation, shift, between(call.u));
        scale_ = call.scale * call.restore;
        restore_ = call.restore;
        if (parts_.pencils) {
            if (rows_ > 0) passes_.run_sweep({0, 1}, call);
            return;
        }
        if (part_.unknowns > 0)
            for (const Sweep& sweep : passes_.sweeps())
                if (sweep.first < 2) passes_.run_sweep(sweep, call);
        reduce(call);
    }

    void forward_columns(const Call<T>& call) override {
        if (has_lines()) passes_.run_sweep({1, 1}, call);
        reduce(call);
    }

    void middle(int) override {
        if (!eliminates()) {
            T* const across = buffer(MemberBuffer::across);
            if (share_lines_ > 0)
                passes_.team().run(passes_.middle_task(across, first_, share_, restore_, parts_.one_field));
            across[parts_.unknowns[0] * (parts_.one_field ? lines_ : share_lines_)] = *passes_.removed();
            return;
        }
        if (passes_.operation() == ModeOperation::divide) solve_separators();
    }

    void backward_columns(const Call<T>& call) override {
        const Index numbers = part_.unknowns * lines_;
        second_field_[numbers] = eliminates() ? ends_.back() : first_field_[numbers];
        substitute(call);
        if (has_lines()) passes_.run_sweep({3, 1}, call);
    }

    void backward(const Call<T>& call, int) override {
        if (parts_.pencils) {
            *passes_.removed() = first_field_[rows_];
            if (rows_ > 0) passes_.run_sweep({4, 1}, call);
        } else {
            *passes_.removed() = eliminates() ? ends_.back() : first_field_[first_field_.size() - 1];
            substitute(call);
            if (part_.unknowns > 0)
                for (const Sweep& sweep : passes_.sweeps())
                    if (sweep.first > 2) passes_.run_sweep(sweep, call);
        }
        if (part_.points * parts_.y.points > 0 && call.u.size() > 0)
            write_dirichlet_planes(call.u, call.boundary, 2);
    }

    void subtract(FieldView<T> u, T value) override {
        passes_.team().team().parallel_for(u.extents[0], 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i)
                for (Index j = 0; j < u.extents[1]; ++j)
                    for (Index k = 0; k < u.extents[2]; ++k) u(i, j, k) -= value;
        });
    }

    void finish(Index field) override { results_[static_cast<std::size_t>(field)] = passes_.result(scale_); }
    [[nodiscard]] Result result(Index field) override { return results_[static_cast<std::size_t>(field)]; }

    [[nodiscard]] T current(Index) override { return *passes_.removed(); }

    [[nodiscard]] T* buffer(MemberBuffer which) override {
        switch (which) {
            case MemberBuffer::planes: return planes_.data();
            case MemberBuffer::shares: return shares_.data();
            case MemberBuffer::potentials: return potentials_.data();
            case MemberBuffer::ends: return ends_.data();
            case MemberBuffer::rows:
            case MemberBuffer::inner: return first_field_.data();
            case MemberBuffer::columns: return second_field_.data();
            case MemberBuffer::across: return parts_.one_field ? first_field_.data() : second_field_.data();
            case MemberBuffer::samples:
            case MemberBuffer::gauge: return nullptr;
        }
        return nullptr;
    }

    [[nodiscard]] std::size_t workspace() const noexcept override {
        return passes_.layout().bytes +
               sizeof(T) * (planes_.size() + shares_.size() + potentials_.size() + ends_.size() + links_.size() +
                            separators_.size()) +
               first_field_.bytes() + second_field_.bytes();
    }
    [[nodiscard]] std::string description() const override { return passes_.description(); }

private:
    /// Of a whole part, in large pages.
    class Numbers {
    public:
        Numbers() = default;
        explicit Numbers(Index count) : memory_(static_cast<std::size_t>(count) * sizeof(T)), count_(count) {}
        [[nodiscard]] T* data() const noexcept { return static_cast<T*>(memory_.data()); }
        [[nodiscard]] T& operator[](Index i) const noexcept { return data()[i]; }
        [[nodiscard]] Index size() const noexcept { return count_; }
        [[nodiscard]] std::size_t bytes() const noexcept { return memory_.size(); }

    private:
        HostBuffer memory_;
        Index count_ = 0;
    };

    [[nodiscard]] bool eliminates() const noexcept { return method_ == SplitMethod::eliminated; }
    [[nodiscard]] BoxPart box_part() const { return {part_, parts_.y, parts_.z_modes, {0, parts_.y.all_unknowns}}; }
    /// Between walls in the place of free faces unknowns stand where they are with free ones.
    static Layout layout_of(const Problem& problem, const Options& options, int eliminated, const BoxPart& part,
                            const Part& z) {
        Layout layout =
            make_layout<T>(problem, FieldPasses<T>::memory_of(options), thread_count(options), eliminated, part);
        layout.kinds[2].points = z.all_points;
        layout.kinds[2].first = z.first_stored;
        return layout;
    }
    [[nodiscard]] bool has_lines() const noexcept { return part_.unknowns > 0 && lines_ > 0; }

    Between<T> between(FieldView<T> u) {
        const Extents turned{part_.unknowns, parts_.unknowns[1], parts_.unknowns[2]};
        const FieldView<T> inner(first_field_.data() + (parts_.one_field ? part_.first_unknown * lines_ : 0),
                                 turned);
        if (!parts_.pencils) return eliminates() ? passes_.unknowns_of(u) : inner;
        // y is the slow index of what is exchanged within rows.
        const Extents& unknowns = passes_.layout().unknowns;
        const FieldView<T> rows(first_field_.data(), unknowns, {unknowns[2], unknowns[0] * unknowns[2], 1});
        const FieldView<T> columns(second_field_.data(), turned, {turned[2], turned[0] * turned[2], 1});
        return {rows, columns, inner};
    }

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

    /// Lines along x, as far as they are eliminated here.
    void reduce(const Call<T>& call) {
        if (!eliminates()) return;
        std::fill(ends_.begin(), ends_.end(), T(0));  // beside the ends of a chain nobody sends
        LineParts<T> reduce;
        reduce.current = planes_.data(), reduce.left_current = planes_.data() + lines_;
        reduce.constant = planes_.data() + 2 * lines_;
        run_lines(call, reduce);
    }
    void substitute(const Call<T>& call) {
        if (!eliminates()) return;
        LineParts<T> substitute;
        substitute.step = LineParts<T>::Step::substitute;
        substitute.left = ends_.data(), substitute.right = ends_.data() + lines_;
        substitute.constant = ends_.data() + 2 * lines_;
        run_lines(call, substitute);
    }

    /// What a thread needs for the separators of a line.
    [[nodiscard]] Index separator_numbers() const {
        const auto count = static_cast<long>(active_.size());
        return 4 * count + lines::elimination_work(count);
    }

    /// The lines along x of this part.
    void run_lines(const Call<T>& call, const LineParts<T>& parts) {
        if (!has_lines()) return;
        mine_.parts = &parts;
        PassTask<T> task = passes_.task(2, -1, call);
        task.eliminated = &mine_;
        passes_.team().run(task);
        mine_.parts = nullptr;
    }

    void solve_separators() {
        const int count = static_cast<int>(active_.size());
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

    SplitMethod method_;
    Parts parts_;
    Part part_;
    std::vector<int> active_;
    Index lines_;
    Index rows_;  ///< numbers of its lines along z
    Index first_, share_, share_lines_;
    bool solves_constant_;
    FieldPasses<T> passes_;
    EliminatedLines<T> mine_;
    std::vector<lines::Reach> reach_;  ///< of its lines, by slow index
    std::vector<T> planes_, shares_, potentials_, ends_, links_, separators_;
    Numbers first_field_, second_field_;  ///< rows or inner, columns or across; or the one field
    double scale_ = 1.0, restore_ = 1.0;
    std::vector<Result> results_;
};

}  // namespace

}  // namespace poisson3d::host

namespace poisson3d {

template <class T>
int host_axis_across(const Extents& unknowns) {
    return host::axis_across(unknowns, 0, host::kernels<T>().element_lines, 0);
}

template <class T>
std::unique_ptr<MemberEngine<T>> make_host_member(const Problem& problem, const Options& options,
                                                  SplitMethod method, const Parts& parts, int member) {
    return std::make_unique<host::HostMember<T>>(problem, options, method, parts, member);
}

template <class T>
Index host_element_lines() {
    return host::kernels<T>().element_lines;
}

template Index host_element_lines<float>();
template Index host_element_lines<double>();
template int host_axis_across<float>(const Extents&);
template int host_axis_across<double>(const Extents&);
template std::unique_ptr<MemberEngine<float>> make_host_member(const Problem&, const Options&, SplitMethod,
                                                               const Parts&, int);
template std::unique_ptr<MemberEngine<double>> make_host_member(const Problem&, const Options&, SplitMethod,
                                                                const Parts&, int);

}  // namespace poisson3d
