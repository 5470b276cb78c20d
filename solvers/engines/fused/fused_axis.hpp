// An axis of the fused engine: its tables in device memory, and what every pass along it is told.
#pragma once

#include "axis_tables.hpp"
#include "launch.hpp"
#include "pipeline.hpp"

namespace poisson3d::fused {

template <class T>
class FusedAxis {
public:
    FusedAxis(const Axis& axis, Discretization discretization)
        : tables_(make_axis_tables<T>(axis, discretization)) {}

    /// Whether the axis has tables and two of its lines fit a block.
    [[nodiscard]] static bool supports(const Axis& axis);

    /// Reserves the bytes; then, with the workspace there, copies the tables to the device. Synchronises.
    void reserve(cufft::Carver& carver);
    void upload(std::byte* workspace);

    [[nodiscard]] const AxisKind& kind() const { return tables_.kind; }
    /// By how much modes and the way back multiply samples.
    [[nodiscard]] double round_trip() const { return static_cast<double>(kind().round_trip) * tables_.gain; }
    [[nodiscard]] Index unknowns() const { return tables_.kind.unknowns; }
    [[nodiscard]] const T* eigenvalues() const { return eigenvalues_on_device_; }  ///< by slot
    [[nodiscard]] BlockShape shape(Index lines) const;

    /// A pass with blocks of `lines` lines at each of `slow` indices: twins, FFT, shape.
    [[nodiscard]] PassTask<T> forward(Index slow, Index lines) const;
    [[nodiscard]] PassTask<T> backward(Index slow, Index lines) const;
    [[nodiscard]] PassTask<T> both(Index slow, Index lines) const;

private:
    [[nodiscard]] PassTask<T> task(Index slow, Index lines) const;
    template <class Visit>
    void for_each_array(const Visit& visit);

    AxisTables<T> tables_;
    const T* eigenvalues_on_device_ = nullptr;
    const Complex<T>* pairs_on_device_ = nullptr;
    std::size_t offset_ = 0;
};

}  // namespace poisson3d::fused
