// The passes over padded lines, of a box or of what a member has of it: along z over some planes of x, and along
// the two other axes for some modes of z. Where modes stand in between is the caller's (padded_layout.hpp).
//
//     rows there    z: n → 2n modes                 f → modes of z
//     columns       a: n → 2n modes                 modes of z → planes
//                   b: n → 2n, times −K, back to n  where they are
//                   a: 2n → n                       planes → modes of z
//     rows back     z: 2n → n                       modes of z → u
#pragma once

#include <array>
#include <memory>

#include "box_passes.hpp"
#include "complex_passes.hpp"
#include "padded_layout.hpp"
#include "symbol_tables.hpp"

namespace poisson3d::fused {

template <class T>
class PaddedPasses {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// `radix8`: kernels for radix 8 and complex lines, where lines have them. `planes`: all planes of modes of z
    /// in one launch, where there are kernels for that.
    PaddedPasses(const Problem& problem, const std::array<LineMethod, 3>& methods, bool radix8, bool planes);
    PaddedPasses(const PaddedPasses&) = delete;  // its parts point to each other
    PaddedPasses& operator=(const PaddedPasses&) = delete;

    /// Whether every axis has lines that fit a block's shared memory.
    [[nodiscard]] bool fits() const;

    void reserve(WorkspaceLayout& layout);
    /// Copies tables to the device. Synchronises.
    void bind(std::byte* workspace);

    [[nodiscard]] const Schedule& schedule() const noexcept { return schedule_; }
    [[nodiscard]] PlaneAxes plane() const noexcept { return plane_; }
    [[nodiscard]] const Extents& unknowns() const noexcept { return unknowns_; }
    /// Of padded lines, and the numbers of a row of modes of z.
    [[nodiscard]] Index modes(int axis) const { return passes_.unknowns(axis); }
    [[nodiscard]] Index row() const { return has(ComplexLines::all) ? complex_.row() : modes(2); }
    /// Of x, y, and a row.
    [[nodiscard]] Extents modes() const { return {modes(0), modes(1), row()}; }

    /// Planes of modes of z that exist at the same time, in the place of slabs; 0: slabs.
    [[nodiscard]] int ring() const { return radix8_ ? complex_.ring() : 0; }

    /// Asynchronous on `stream`. The first `planes` planes of x of a call, whose f and u begin at the first one.
    void rows_there(const Call<T>& call, Index planes, const Unknowns<T>& modes, Removed* removed,
                    Stream stream) const;
    void rows_back(const Call<T>& call, Index planes, const Unknowns<T>& modes, Stream stream) const;
    /// The modes of a slab, which begin at `modes`; `planes` may be the same where a is not padded.
    void columns(const Call<T>& call, const Slab& slab, const Unknowns<T>& modes, const Unknowns<T>& planes,
                 Stream stream) const;

    /// All columns, through a ring of planes.
    void planes(const Call<T>& call, T* modes, T* ring, Stream stream) const {
        complex_.planes(call, symbol_.symbol(), modes, ring, stream);
    }

private:
    /// Whether these passes, or more of them, are over complex lines.
    [[nodiscard]] bool has(ComplexLines lines) const { return radix8_ && complex_.which() >= lines; }
    [[nodiscard]] bool has_kernels(const DeviceAxis<T, Compact>& axis) const;
    void launch(Role role, const Task<T>& task, const Pass& pass, Stream stream) const;
    void along_a(bool forward, const Call<T>& call, const Slab& slab, const Unknowns<T>& from,
                 const Unknowns<T>& to, Stream stream) const;
    void along_b(const Call<T>& call, const Slab& slab, const Unknowns<T>& planes, Stream stream) const;

    Grid grid_;
    bool radix8_;
    Extents unknowns_;  ///< of the box
    PlaneAxes plane_;
    Schedule schedule_;
    bool early_;
    BoxPasses<T, Compact> passes_;
    ComplexPasses<T> complex_;
    SymbolTables<T> symbol_;
    BlockShape shape_;  ///< of the middle pass
};

/// With kernels for radix 8 unless they do not fit or are not wanted. Null where no kernels hold lines of twice an
/// axis.
template <class T>
std::unique_ptr<PaddedPasses<T>> make_padded_passes(const Problem& problem, bool radix8 = true,
                                                    bool planes = false);

}  // namespace poisson3d::fused
