// An axis of the fused engine: its tables in device memory, and what every pass along it is told.
#pragma once

#include <array>

#include "fft_plan.hpp"
#include "launch.hpp"
#include "pipeline.hpp"

namespace poisson3d::fused {

/// `middle`: the axis of pass 3, whose transform back begins where the transform there ended.
template <class T>
class FusedAxis {
public:
    FusedAxis(const Axis& axis, Discretization discretization, bool middle);

    /// Whether all FFTs of the axis have radices and two of its lines fit a block.
    [[nodiscard]] static bool supports(const Axis& axis);

    /// Reserves the bytes; then, with the workspace there, copies the tables to the device. Synchronises.
    void reserve(cufft::Carver& carver);
    void upload(std::byte* workspace);

    [[nodiscard]] const AxisKind& kind() const { return kind_; }
    [[nodiscard]] Index unknowns() const { return kind_.unknowns; }
    [[nodiscard]] const T* eigenvalues() const { return eigenvalues_on_device_; }  ///< by slot
    [[nodiscard]] BlockShape shape(Index lines) const { return block_shape<T>(plan_.pitch, positions_, lines); }

    /// A pass with blocks of `lines` lines at each of `slow` indices: orbits, FFT, shape.
    [[nodiscard]] PassTask<T> forward(Index slow, Index lines) const;
    [[nodiscard]] PassTask<T> backward(Index slow, Index lines) const;
    [[nodiscard]] PassTask<T> both(Index slow, Index lines) const;

private:
    FusedAxis(const cufft::AxisTables<T>& tables, bool middle);
    [[nodiscard]] PassTask<T> task(Index slow, Index lines, const PassOrbits<T>& pre,
                                   const PassOrbits<T>& post) const;
    template <class Visit>
    void for_each_array(const Visit& visit);

    AxisKind kind_{};
    Index positions_ = 0;
    FftPlan<T> plan_;
    PassOrbitTable<T> forward_pre_, forward_post_, backward_pre_, backward_post_;
    std::vector<T> eigenvalues_;
    const T* eigenvalues_on_device_ = nullptr;
    std::size_t offset_ = 0;
};

}  // namespace poisson3d::fused
