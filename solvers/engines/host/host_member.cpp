// A member on threads of this process (member.hpp).
#include <algorithm>
#include <optional>
#include <vector>

#include "field_passes.hpp"
#include "lines_of_part.hpp"
#include "member.hpp"
#include "part_faces.hpp"
#include "poisson3d/memory.hpp"

namespace poisson3d::host {

namespace {

template <class T>
class HostMember final : public MemberEngine<T> {
public:
    HostMember(const Problem& problem, const Options& options, SplitMethod method, const Parts& parts, int member)
        : method_(method),
          parts_(parts),
          part_(parts.parts[static_cast<std::size_t>(member)]),
          lines_(parts.lines()),
          rows_(part_.unknowns * parts.y.unknowns * axis_kind(problem.grid.axes[2]).unknowns),
          first_(parts.share_first[static_cast<std::size_t>(member)]),
          share_(parts.share(member)),
          share_lines_(parts.lines_of(member)),
          passes_(problem, options, eliminates() ? 0 : -1, box_part(),
                  layout_of(problem, options, eliminates() ? 0 : -1, box_part(), parts.z)),
          results_(static_cast<std::size_t>(options.batch)) {
        if (eliminates())
            eliminated_.emplace(parts_, part_, share_lines_, parts.owner_of_constant() == member, passes_);
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
        if (eliminated_) eliminated_->reduce_links();
    }
    void keep_links() override { eliminated_->keep_links(); }

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
        if (eliminated_) eliminated_->reduce(call);
    }

    void forward_columns(const Call<T>& call) override {
        if (has_lines()) passes_.run_sweep({1, 1}, call);
        if (eliminated_) eliminated_->reduce(call);
    }

    void middle(int) override {
        if (!eliminates()) {
            if (share_lines_ > 0) passes_.team().run(lines_of_share());
            tell_removed();
            return;
        }
        if (passes_.operation() == ModeOperation::divide) eliminated_->solve_separators();
    }

    void close_faces(const Grid& free) override {
        if (eliminates() ? !has_lines() : share_lines_ == 0) return;
        std::array<Planes, 3> modes{
            Planes{part_.first_unknown, part_.unknowns}, {0, parts_.unknowns[1]}, parts_.z_modes};
        if (!eliminates()) {
            modes[0] = {0, parts_.unknowns[0]};
            Planes& slow = modes[static_cast<std::size_t>(parts_.slow_axis())];
            slow = {slow.first + first_, share_};
        }
        faces_.emplace(free, eliminates(), modes, parts_.across, passes_);
    }
    [[nodiscard]] FaceModes<T>* face_modes() override { return faces_ ? &faces_->modes() : nullptr; }
    void sum_faces(const Call<T>& call) override {
        if (!faces_) return;
        if (eliminates())
            eliminated_->with_substitution(call, [&](const PassTask<T>& task) { faces_->sum(task); });
        else
            faces_->sum(lines_of_share());
    }
    void add_faces(const Call<T>& call) override {
        if (faces_ && eliminates())
            eliminated_->with_substitution(call, [&](const PassTask<T>& task) { faces_->add(task); });
        if (faces_ && !eliminates()) faces_->add(lines_of_share());
        if (eliminates())
            eliminated_->reduce(call);
        else
            tell_removed();
    }

    void backward_columns(const Call<T>& call) override {
        const Index numbers = part_.unknowns * lines_;
        second_field_[numbers] = eliminated_ ? eliminated_->removed() : first_field_[numbers];
        if (eliminated_) eliminated_->substitute(call);
        if (has_lines()) passes_.run_sweep({3, 1}, call);
    }

    void backward(const Call<T>& call, int) override {
        if (parts_.pencils) {
            *passes_.removed() = first_field_[rows_];
            if (rows_ > 0) passes_.run_sweep({4, 1}, call);
        } else {
            *passes_.removed() = eliminated_ ? eliminated_->removed() : first_field_[first_field_.size() - 1];
            if (eliminated_) eliminated_->substitute(call);
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
            case MemberBuffer::planes:
            case MemberBuffer::shares:
            case MemberBuffer::potentials:
            case MemberBuffer::ends: return eliminated_ ? eliminated_->buffer(which) : nullptr;
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
        return passes_.layout().bytes + (eliminated_ ? eliminated_->bytes() : 0) + first_field_.bytes() +
               second_field_.bytes() + (faces_ ? faces_->bytes() : 0);
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
    /// The middle pass, transposed; and what it removed, behind the lines.
    [[nodiscard]] PassTask<T> lines_of_share() {
        return passes_.middle_task(buffer(MemberBuffer::across), first_, share_, restore_, parts_.one_field);
    }
    void tell_removed() {
        buffer(MemberBuffer::across)[parts_.unknowns[0] * (parts_.one_field ? lines_ : share_lines_)] =
            *passes_.removed();
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

    SplitMethod method_;
    Parts parts_;
    Part part_;
    Index lines_;
    Index rows_;  ///< numbers of its lines along z
    Index first_, share_, share_lines_;
    FieldPasses<T> passes_;
    std::optional<LinesOfPart<T>> eliminated_;
    std::optional<PartFaces<T>> faces_;   ///< closed ones that it has modes at
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
