// The passes of a box but for the field between them, which is a pipeline's own affair: its three axes, how f comes
// in, what happens in mode space, how u goes out.
#pragma once

#include "fused_axis.hpp"

namespace poisson3d::fused {

template <class T>
class BoxPasses {
public:
    using Removed = typename cufft::Pipeline<T>::Removed;

    BoxPasses(const Problem& problem, const std::array<Way, 3>& ways, const BatchRoom& room);

    void reserve(cufft::Carver& carver);
    /// Copies tables to the device. Synchronises.
    void bind(std::byte* workspace);

    /// What batches want for their lines.
    [[nodiscard]] std::size_t lines_bytes() const;

    [[nodiscard]] const FusedAxis<T>& axis(int a) const { return axes_[a]; }
    [[nodiscard]] Index unknowns(int a) const { return axes_[a].unknowns(); }
    [[nodiscard]] Extents unknowns() const { return {unknowns(0), unknowns(1), unknowns(2)}; }
    /// Offset of the first unknown in a field of the problem's points.
    [[nodiscard]] Index first_unknown(const Strides& strides) const;
    [[nodiscard]] const Removed* removed() const { return reinterpret_cast<const Removed*>(scalars_); }

    /// Pass 1 along z, slow along y, lines counted along x: reads f. Starts the median that singular problems want.
    [[nodiscard]] PassTask<T> first(const Call<T>& call, Stream stream) const;
    [[nodiscard]] static Role first_role(const Call<T>& call) {
        return call.boundary.any ? Role::first_with_data : Role::first;
    }
    /// Pass 3 along y, slow along z, lines counted along x: divides.
    [[nodiscard]] PassTask<T> middle(ModeOperation operation) const;
    /// /// Pass 5 along z, slow along x, lines counted along y: writes u.
    [[nodiscard]] PassTask<T> last(const Call<T>& call) const;
    /// Runs it, after the value at the gauge point and before Dirichlet planes.
    void finish(const Call<T>& call, PassTask<T> task, T* lines, Stream stream) const;

private:
    const T* value_at_gauge(PassTask<T> task, T* lines, Stream stream) const;

    Problem problem_;
    std::array<FusedAxis<T>, 3> axes_;
    double round_trip_ = 1.0;
    std::size_t fft_offset_ = 0, gauge_offset_ = 0, scalars_offset_ = 0;
    T* gauge_ = nullptr;
    T* scalars_ = nullptr;  ///< what is removed (two numbers); the value at the gauge point
};

}  // namespace poisson3d::fused
