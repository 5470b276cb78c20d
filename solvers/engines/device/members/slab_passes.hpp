// The passes of a member over its planes of x: z and y there and back, plane by plane, so that any range of planes
// may go through them by itself. Before and after lines along x the unknowns stand where the caller says:
//
//     turned      f → z → (x,z,y) → y → unknowns      unknowns → z → (x,z,y) → y → u
//     in place    f → z → unknowns ⟲ y                unknowns ⟲ y → z → u
//
// Turned, rows are read and columns written, some planes at a time; in place where no kernels can turn them.
// Lines along x, whole ones where they were exchanged, are transformed where they lie. Of pencils the passes along
// z and y are apart, since members of a row exchange between them.
#pragma once

#include <string>

#include "box_passes.hpp"
#include "launch_pass.hpp"
#include "part.hpp"
#include "pipeline.hpp"
#include "sent_pass.hpp"

namespace poisson3d::members {

using namespace device;

/// Unknowns in device memory, strides by axis; padded rows have room for an even number.
template <class T>
struct Unknowns {
    T* data = nullptr;
    Strides strides{};
    bool padded = false;
    [[nodiscard]] Unknowns planes_from(Index first) const { return {data + first * strides[0], strides, padded}; }
    [[nodiscard]] Unknowns<const T> read_only() const { return {data, strides, padded}; }
};

template <class T>
class SlabPasses {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// `transforms_x`: lines along x are transformed by middle(), else they have no tables.
    SlabPasses(const Problem& problem, const BoxPart& part, bool transforms_x);

    /// Why it cannot have an axis, in words that follow a colon; empty: it has all.
    static std::string refuses(const Problem& problem, bool transforms_x);

    void reserve(WorkspaceLayout& layout);
    /// Synchronises.
    void bind(std::byte* workspace);

    /// Planes of f to planes of `to`, and of `from` to those of u. `removed`: what is taken from f before.
    /// `sent`: rows of y that are stored elsewhere, counted from the first plane here; null: none, and
    /// kernels that do not ask.
    void forward(const Call<T>& call, const Planes& planes, const Unknowns<T>& to, Removed* removed, Stream stream,
                 const fused::SentElements<T>* sent = nullptr) const;
    void backward(const Call<T>& call, const Planes& planes, const Unknowns<T>& from, Stream stream) const;
    /// Lines along x, of y from `first` on, there and back with mode space in between. `sent`: planes of x that are
    /// stored elsewhere.
    void middle(const Call<T>& call, Index first, Index count, const Unknowns<T>& lines, Removed* removed,
                Stream stream, const fused::SentElements<T>* sent = nullptr) const;
    /// Of pencils the passes one by one, in place: along z of the rows of y that are here, f to `rows` and back to
    /// u, and along y of a share of the modes of z.
    void forward_z(const Call<T>& call, const Unknowns<T>& rows, Removed* removed, Stream stream) const;
    void forward_y(const Call<T>& call, const Unknowns<T>& from, const Unknowns<T>& to, Stream stream) const;
    void backward_y(const Call<T>& call, const Unknowns<T>& from, const Unknowns<T>& to, Stream stream) const;
    void backward_z(const Call<T>& call, const Unknowns<T>& rows, Stream stream) const;
    /// Whether there are kernels for what is sent.
    [[nodiscard]] bool may_store() const noexcept { return may_store_; }

    /// Whether passes turn planes on their way to or from `there`; Dirichlet nodes at the ends of lines along z are
    /// then still to be written.
    [[nodiscard]] bool turns(const Unknowns<T>& there) const { return turned_planes_ > 0 && in_twos(there); }

    /// The unknowns of this part's planes of a field of the caller.
    template <class U>
    [[nodiscard]] Unknowns<U> unknowns_of(const FieldView<U>& field) const {
        U* const data = field.data + part_.x.first_stored * field.strides[0] +
                        part_.y.first_stored * field.strides[1] + passes_.axis(2).kind().first * field.strides[2];
        return {data, field.strides};
    }
    [[nodiscard]] const BoxPart& part() const noexcept { return part_; }
    [[nodiscard]] const BoxPasses<T, Compact>& box() const noexcept { return passes_; }
    [[nodiscard]] const Pass& middle_pass() const noexcept { return schedule_[2]; }
    [[nodiscard]] bool early() const noexcept { return early_; }

private:
    /// A pass as it is run, and on what.
    struct Step {
        Role role;
        fused::Movement movement;
        Unknowns<const T> from;
        Unknowns<T> to;
        const fused::SentElements<T>* sent = nullptr;
    };
    void launch(const Step& step, fused::Task<T> task, const Pass& pass, Stream stream) const;
    void run(const Step& step, const Pass& pass, const Call<T>& call, Index planes, Removed* removed,
             Stream stream) const;
    template <class Body>
    void for_planes(const Call<T>& call, const Planes& planes, Index together, const Body& body) const;

    /// Whether neighbours along z may be read and written in twos.
    template <class U>
    [[nodiscard]] bool in_twos(const Unknowns<U>& there) const {
        return (there.padded || passes_.unknowns(2) % 2 == 0) &&
               aligned(there.data, there.strides[0], there.strides[1], 0);
    }
    [[nodiscard]] Unknowns<T> turned() const;

    BoxPart part_;
    Schedule schedule_ = make_schedule_in_place(0);
    BoxPasses<T, Compact> passes_;
    bool early_ = fused::may_launch_early();
    Index turned_planes_ = 0;  ///< at once; 0: none are turned
    bool may_store_ = false;
    std::size_t offset_ = 0;
    T* turned_ = nullptr;
};

}  // namespace poisson3d::members
