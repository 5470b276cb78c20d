// A member on threads of a box whose free axes are padded with zeros (member.hpp): the sweeps of one host
// (padded_sweeps.hpp) over its planes of x, and over its share of the modes of z.
#include <algorithm>

#include "field_passes.hpp"
#include "member.hpp"
#include "padded_sweeps.hpp"
#include "poisson3d/memory.hpp"

namespace poisson3d::host {

namespace {

template <class T>
class PaddedMember final : public MemberEngine<T> {
public:
    PaddedMember(const Problem& problem, const Options& options, const Parts& parts, int member)
        : parts_(parts),
          member_(member),
          part_(parts.parts[static_cast<std::size_t>(member)]),
          sweeps_(problem, options, PaddedLayout<T>(problem, options, false)) {
        const auto bytes = [](Index count) { return static_cast<std::size_t>(count) * sizeof(T); };
        inner_ = HostBuffer(bytes(parts.mean_inner(member) + 1));
        if (!parts.one_field) across_ = HostBuffer(bytes(parts.mean_across(member) + 1));
    }

    void require(const Call<T>&, const std::string&) const override {}
    void reduce_links() override {}
    void keep_links() override {}

    void forward(const Call<T>& call, Constant<T>, int) override {
        restore_ = call.restore;
        if (part_.unknowns > 0) sweeps_.forward_z(call, planes(), lines_across());
    }
    void middle(int piece) override {
        const Planes some = parts_.piece(member_, piece);
        const Index first = parts_.share_first[static_cast<std::size_t>(member_)] + some.first;
        const Index end = std::min(first + some.count, sweeps_.layout().modes[2]);
        if (first < end) sweeps_.columns(share(some.first, end - first), first, restore_);
    }
    void backward(const Call<T>& call, int) override {
        if (part_.unknowns > 0) sweeps_.backward_z(call, planes(), lines_across());
        if (part_.points > 0) write_dirichlet_planes(call.u, call.boundary, 2);
    }

    void subtract(FieldView<T> u, T value) override {
        sweeps_.team().team().parallel_for(u.extents[0], 1, [&](Index begin, Index end, int) {
            for (Index i = begin; i < end; ++i)
                for (Index j = 0; j < u.extents[1]; ++j)
                    for (Index k = 0; k < u.extents[2]; ++k) u(i, j, k) -= value;
        });
    }
    void finish(Index) override {}
    [[nodiscard]] Result result(Index) override { return {}; }
    [[nodiscard]] T current(Index) override { return T(0); }

    [[nodiscard]] T* buffer(MemberBuffer which) override {
        if (which == MemberBuffer::inner) return inner();
        return which == MemberBuffer::across ? across() : nullptr;
    }
    [[nodiscard]] std::size_t workspace() const noexcept override {
        return sweeps_.layout().bytes + inner_.size() + across_.size();
    }
    [[nodiscard]] std::string description() const override {
        const int threads = sweeps_.team().size();
        return "host, " + std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") +
               instruction_set().name + ", padded lines";
    }

private:
    [[nodiscard]] T* inner() const noexcept { return static_cast<T*>(inner_.data()); }
    [[nodiscard]] T* across() const noexcept {
        return parts_.one_field ? inner() : static_cast<T*>(across_.data());
    }
    /// Lines that share complex numbers round together: the same ones in every slab, where y is not thin.
    [[nodiscard]] int lines_across() const {
        const Index y = parts_.unknowns[1];
        return y < kernels<T>().element_lines && part_.unknowns > y ? 0 : 1;
    }
    /// Modes of z of its planes, and of its share from `first` on at all x and y. In one field both are where they
    /// are in the whole.
    [[nodiscard]] FieldView<T> planes() const {
        T* const data = inner() + (parts_.one_field ? part_.first_unknown * parts_.lines() : 0);
        return {data,
                {part_.unknowns, parts_.unknowns[1], sweeps_.layout().modes[2]},
                {parts_.lines(), parts_.unknowns[2], 1}};
    }
    [[nodiscard]] FieldView<T> share(Index first, Index count) const {
        const Extents extents{parts_.unknowns[0], parts_.unknowns[1], count};
        if (parts_.one_field)
            return {inner() + parts_.share_first[static_cast<std::size_t>(member_)] + first,
                    extents,
                    {parts_.lines(), parts_.unknowns[2], 1}};
        return {across() + first, extents, {parts_.lines_of(member_), parts_.share(member_), 1}};
    }

    Parts parts_;
    int member_;
    Part part_;
    PaddedSweeps<T> sweeps_;
    HostBuffer inner_, across_;
    double restore_ = 1.0;
};

}  // namespace

}  // namespace poisson3d::host

namespace poisson3d {

template <class T>
std::unique_ptr<MemberEngine<T>> make_padded_host_member(const Problem& problem, const Options& options,
                                                         const Parts& parts, int member) {
    return std::make_unique<host::PaddedMember<T>>(problem, options, parts, member);
}

template std::unique_ptr<MemberEngine<float>> make_padded_host_member(const Problem&, const Options&, const Parts&,
                                                                      int);
template std::unique_ptr<MemberEngine<double>> make_padded_host_member(const Problem&, const Options&, const Parts&,
                                                                       int);

}  // namespace poisson3d
