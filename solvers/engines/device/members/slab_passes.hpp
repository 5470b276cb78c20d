// The passes of a member over its planes of x: z and y there and back, plane by plane, so that any range of planes
// may go through them by itself. In between the unknowns stand where the caller says, and lines along x, whole ones
// where they were exchanged, are transformed there.
#pragma once

#include <string>

#include "box_passes.hpp"
#include "launch_pass.hpp"
#include "part.hpp"
#include "pipeline.hpp"

namespace poisson3d::members {

using namespace device;

/// Unknowns in device memory, strides by axis.
template <class T>
struct Unknowns {
    T* data = nullptr;
    Strides strides{};
    [[nodiscard]] Unknowns planes_from(Index first) const { return {data + first * strides[0], strides}; }
};

template <class T>
class SlabPasses {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// `transforms_x`: lines along x are transformed by middle(), else they have no tables.
    SlabPasses(const Problem& problem, const Part& part, bool transforms_x);

    /// Why it cannot have an axis, in words that follow a colon; empty: it has all.
    static std::string refuses(const Problem& problem, bool transforms_x);

    void reserve(WorkspaceLayout& layout) { passes_.reserve(layout); }
    /// Synchronises.
    void bind(std::byte* workspace) { passes_.bind(workspace); }

    /// Planes of f to planes of `to`, and of `from` to those of u. `removed`: what is taken from f before.
    void forward(const Call<T>& call, const Planes& planes, const Unknowns<T>& to, Removed* removed,
                 Stream stream) const;
    void backward(const Call<T>& call, const Planes& planes, const Unknowns<T>& from, Stream stream) const;
    /// Lines along x, of y from `first` on, there and back with mode space in between.
    void middle(const Call<T>& call, Index first, Index count, const Unknowns<T>& lines, Removed* removed,
                Stream stream) const;

    /// The unknowns of this part's planes of a field of the caller.
    template <class U>
    [[nodiscard]] Unknowns<U> unknowns_of(const FieldView<U>& field) const {
        const Index offset = passes_.first_unknown(field.strides) - passes_.axis(0).kind().first * field.strides[0];
        return {field.data + offset + part_.first_stored * field.strides[0], field.strides};
    }
    [[nodiscard]] const BoxPasses<T, Compact>& box() const noexcept { return passes_; }
    [[nodiscard]] const Pass& middle_pass() const noexcept { return schedule_[2]; }
    [[nodiscard]] bool early() const noexcept { return early_; }

private:
    void launch(const Pass& pass, Role role, fused::Task<T>& task, Stream stream) const;
    void set_in(fused::Task<T>& task, const Pass& pass, Role role, const Unknowns<T>& from) const;
    void set_out(fused::Task<T>& task, const Pass& pass, Role role, const Unknowns<T>& to) const;

    Part part_;
    Schedule schedule_ = make_schedule_in_place(0);
    BoxPasses<T, Compact> passes_;
    bool early_ = fused::may_launch_early();
};

}  // namespace poisson3d::members
