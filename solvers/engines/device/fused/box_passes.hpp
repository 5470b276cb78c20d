// The passes of a box but for the field between them, which is a pipeline's own affair: its three axes, how f comes
// in, what happens in mode space, how u goes out.
#pragma once

#include "fused_axis.hpp"

namespace poisson3d::fused {

template <class T>
class BoxPasses {
public:
    using Removed = typename device::Pipeline<T>::Removed;

    /// Of `fields` fields at once; tasks are for as many as their call has.
    BoxPasses(const Problem& problem, const std::array<LineMethod, 3>& methods, Index fields,
              const BatchRoom& room);

    void reserve(device::WorkspaceLayout& layout);
    /// Copies tables to the device. Synchronises.
    void bind(std::byte* workspace);

    /// What batches want for their lines.
    [[nodiscard]] std::size_t lines_bytes() const;

    [[nodiscard]] const FusedAxis<T>& axis(int a) const { return axes_[a]; }
    [[nodiscard]] Index unknowns(int a) const { return axes_[a].unknowns(); }
    [[nodiscard]] Extents unknowns() const { return {unknowns(0), unknowns(1), unknowns(2)}; }
    /// Offset of the first unknown in a field of the problem's points.
    [[nodiscard]] Index first_unknown(const Strides& strides) const;

    /// Pass 1 along z, slow along y, lines counted along x: reads f. Starts the search for the constant of singular
    /// problems.
    [[nodiscard]] PassTask<T> first(const Call<T>& call, Removed* removed, Stream stream) const;
    [[nodiscard]] static Role first_role(const Call<T>& call) {
        return call.boundary.any ? Role::first_with_data : Role::first;
    }
    /// Pass 3 along y, slow along z, lines counted along x: divides.
    [[nodiscard]] PassTask<T> middle(const Call<T>& call, Removed* removed) const;
    /// Pass 5 along z, slow along x, lines counted along y: writes u.
    [[nodiscard]] PassTask<T> last(const Call<T>& call) const;
    /// Runs it, after the value at the gauge point and before Dirichlet planes.
    void finish(const Call<T>& call, PassTask<T> task, T* lines, Stream stream) const;

private:
    static constexpr Index removed_numbers = sizeof(Removed) / sizeof(T);
    [[nodiscard]] Index gauge_size() const { return 2 * axes_[2].count(unknowns(1)) * unknowns(2); }
    void subtract_gauge(PassTask<T>& task, T* lines, Stream stream) const;

    Problem problem_;
    Index fields_;
    std::array<FusedAxis<T>, 3> axes_;
    double round_trip_ = 1.0;
    std::size_t fft_offset_ = 0, gauge_offset_ = 0;
    T* gauge_ = nullptr;  ///< the block of lines that holds the gauge point, of each field
};

}  // namespace poisson3d::fused
