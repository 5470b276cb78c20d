// The part of the lines along x that a member has, where x is eliminated: reduced to what it sends, and put back;
// the separators of its share, and the line κ = 0 where it solves that.
#pragma once

#include <optional>

#include "eliminated_axis.hpp"
#include "free_faces.hpp"
#include "member_buffers.hpp"
#include "member_separators.hpp"
#include "near_ends.hpp"
#include "slab_passes.hpp"

namespace poisson3d::members {

using fused::EliminatedAxis;
using fused::EliminationTask;

template <class T>
class EliminatedPart {
public:
    using Removed = typename Pipeline<T>::Removed;

    EliminatedPart(const Problem& problem, const Parts& parts, int member, const SlabPasses<T>& slab)
        : parts_(parts),
          member_(member),
          part_(parts.parts[static_cast<std::size_t>(member)]),
          active_(static_cast<Index>(parts.active().size())),
          slab_(slab),
          whole_(make_chain(problem.grid.axes[0])),
          helmholtz_(problem.helmholtz),
          solves_constant_(lines::has_constant_line(problem, 0) && parts.has_constant() &&
                           parts.owner_of_constant() == member),
          singular_(poisson3d::singular(problem)),
          far_(!takes_constant(problem)) {
        if (part_.unknowns == 0 || parts.lines() == 0) return;
        middle_.emplace(problem, part_);
        if (!middle_->fits())
            throw Error(ErrorCode::unsupported, "member " + std::to_string(member) + " has " +
                                                    std::to_string(part_.unknowns) +
                                                    " planes of unknowns, wanted at most " +
                                                    std::to_string(fused::max_eliminated) + ": use more members");
    }

    void reserve(WorkspaceLayout& layout) {
        if (middle_) middle_->reserve(layout);
        if (middle_) near_.reserve(layout, parts_.unknowns[1]);
        links_ = layout.take(whole_.links.size() * sizeof(T));
        volumes_ = layout.take(whole_.volumes.size() * sizeof(T));
    }
    /// Synchronises.
    void bind(std::byte* base, Removed* removed) {
        if (middle_) {
            middle_->upload(base);
            near_.plan(base, whole_.part(part_.first_unknown, part_.unknowns).on_host(),
                       task(LineParts<T>::Step::reduce, {}, {}, removed), helmholtz_);
        }
        if (!solves_constant_) return;
        copy_to_device(base + links_, whole_.links.data(), whole_.links.size() * sizeof(T));
        copy_to_device(base + volumes_, whole_.volumes.data(), whole_.volumes.size() * sizeof(T));
        constant_ = lines::make_constant_line(whole_, singular_, far_);
        constant_->chain.links = reinterpret_cast<const T*>(base + links_);
        constant_->chain.volumes = reinterpret_cast<const T*>(base + volumes_);
    }

    /// What separators are made of: to `planes`; of lines of zeros, in `ends`.
    void reduce_links(const MemberBuffers<T>& buffers, Removed* removed, Stream stream) const {
        if (!middle_) return;
        EliminationTask<T> of_zeros = task(LineParts<T>::Step::reduce, {}, {}, removed);
        fill_on_device(buffers[MemberBuffer::ends], 0, buffers.bytes(MemberBuffer::ends), stream);
        of_zeros.data = buffers[MemberBuffer::ends];
        of_zeros.slow = of_zeros.line = of_zeros.sample = 0;
        T* const planes = buffers[MemberBuffer::planes];
        of_zeros.parts.tie = planes;
        of_zeros.parts.excess = planes + lines();
        of_zeros.parts.left_excess = planes + 2 * lines();
        of_zeros.parts.constant = buffers[MemberBuffer::ends] + 2 * lines();
        launch_elimination(of_zeros, slab_.early(), stream);
    }

    /// The unknowns `here`, to `planes`.
    void reduce(const Call<T>& call, const Unknowns<T>& here, const MemberBuffers<T>& buffers, Removed* removed,
                Stream stream) const {
        if (!middle_) return;
        EliminationTask<T> to_planes = task(LineParts<T>::Step::reduce, call, here, removed);
        T* const planes = buffers[MemberBuffer::planes];
        to_planes.parts.current = planes;
        to_planes.parts.left_current = planes + lines();
        to_planes.parts.constant = planes + 2 * lines();
        near_.reduce(to_planes, slab_.early(), stream);
    }
    /// From `ends`, to `there`, which may be another field where no line is constant.
    void substitute(const Call<T>& call, const Unknowns<T>& here, const Unknowns<T>& there,
                    const MemberBuffers<T>& buffers, Removed* removed, Stream stream) const {
        if (!middle_) return;
        EliminationTask<T> from_ends = task(LineParts<T>::Step::substitute, call, here, removed);
        T* const ends = buffers[MemberBuffer::ends];
        from_ends.parts.left = ends;
        from_ends.parts.right = ends + lines();
        from_ends.parts.constant = ends + 2 * lines();
        if (there.data != here.data) {
            from_ends.out = there.data;
            from_ends.out_slow = there.strides[1];
            from_ends.out_line = there.strides[2];
            from_ends.out_sample = there.strides[0];
        }
        launch_elimination(from_ends, slab_.early(), stream);
    }
    /// For multiplication, to `planes`: the last plane of this part, and the first.
    void take_end_planes(const Unknowns<T>& here, const MemberBuffers<T>& buffers, Stream stream) const {
        if (!middle_) return;
        fill_on_device(buffers[MemberBuffer::ends], 0, static_cast<std::size_t>(2 * lines()) * sizeof(T), stream);
        const Extents plane{1, parts_.unknowns[1], parts_.unknowns[2]};
        for (const int side : {0, 1}) {
            RightHandSide<T> copy;
            copy.f = {here.planes_from(side == 0 ? part_.unknowns - 1 : 0).data, plane, here.strides};
            copy.out = {buffers[MemberBuffer::planes] + side * lines(), plane};
            launch_right_hand_side(copy, 1, stream);
        }
    }
    /// From `shares` to `potentials`.
    void solve_separators(const MemberBuffers<T>& buffers, Stream stream) const {
        const Index share = parts_.lines_of(member_);
        T *const shares = buffers[MemberBuffer::shares], *const potentials = buffers[MemberBuffer::potentials];
        SeparatorTask<T> of_share;
        of_share.separators = {buffers.links(),           shares, potentials,
                               static_cast<int>(active_), share,  buffers.work()};
        of_share.constant = constant_.has_value();
        if (of_share.constant) {
            of_share.constant_line = *constant_;
            of_share.samples = shares + 2 * active_ * share;
            of_share.solution = potentials + active_ * share;
        }
        launch_separators(of_share, stream);
    }

private:
    [[nodiscard]] Index lines() const { return parts_.lines(); }
    /// A step of the lines of this part; planes are still to be set.
    [[nodiscard]] EliminationTask<T> task(typename LineParts<T>::Step step, const Call<T>& call,
                                          const Unknowns<T>& here, Removed* removed) const {
        Call<T> one = call;
        one.fields = 1;
        EliminationTask<T> of_part = middle_->task(slab_.box(), slab_.middle_pass(), one, removed);
        of_part.lines = parts_.unknowns[2];
        of_part.lambda_lanes += parts_.z_modes.first;
        of_part.constant = of_part.constant && parts_.has_constant();
        of_part.data = here.data;
        of_part.slow = here.strides[1];
        of_part.line = here.strides[2];
        of_part.sample = here.strides[0];
        of_part.removed = nullptr;
        of_part.parts.step = step;
        return of_part;
    }

    const Parts& parts_;
    int member_;
    Part part_;
    Index active_;  ///< parts with unknowns
    const SlabPasses<T>& slab_;
    lines::ChainTables<T> whole_;
    double helmholtz_;
    bool solves_constant_, singular_, far_;
    std::optional<EliminatedAxis<T>> middle_;  ///< of lines along x the part that is here
    NearEnds<T> near_;
    std::optional<lines::ConstantLine<T>> constant_;  ///< where this member solves it
    std::size_t links_ = 0, volumes_ = 0;
};

}  // namespace poisson3d::members
