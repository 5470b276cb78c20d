// An axis of the fused engine: its tables in device memory, what every pass along it is told, and who executes it.
#pragma once

#include "axis_tables.hpp"
#include "line_batches.hpp"
#include "pipeline.hpp"

namespace poisson3d::fused {

template <class T>
class FusedAxis {
public:
    /// An axis of a box whose other axes have `across` unknowns, of which there are `fields` at once.
    FusedAxis(const Axis& axis, Discretization discretization, LineMethod method, std::array<Index, 2> across,
              Index fields, const BatchRoom& room);

    /// Kernels where there are some and two lines fit a block, else batches; nothing if lines are too long for
    /// both.
    [[nodiscard]] static std::optional<LineMethod> line_method(const Axis& axis);
    [[nodiscard]] LineMethod method() const { return method_; }

    /// Reserves the bytes; then, with the workspace there, copies the tables to the device. Synchronises.
    void reserve(device::WorkspaceLayout& layout);
    void upload(std::byte* workspace);
    /// What batches of lines and cuFFT want, nothing by kernels. Axes may share it.
    [[nodiscard]] std::size_t lines_bytes() const { return batches_.lines_bytes(); }
    [[nodiscard]] std::size_t fft_bytes() const { return batches_.fft_bytes(); }
    void share(std::byte* fft);

    [[nodiscard]] const AxisKind& kind() const { return tables_.kind; }
    /// By how much modes and the way back multiply samples.
    [[nodiscard]] double round_trip() const { return static_cast<double>(kind().round_trip) * tables_.gain; }
    [[nodiscard]] Index unknowns() const { return tables_.kind.unknowns; }
    [[nodiscard]] const T* eigenvalues() const { return eigenvalues_on_device_; }  ///< by slot
    /// Complex lines of a block of a pass over `lines` lines at each slow index.
    [[nodiscard]] int count(Index lines) const { return shape(lines).count; }

    /// A pass with blocks of `lines` lines at each of `slow` indices: butterflies, FFT, shape.
    [[nodiscard]] PassTask<T> forward(Index slow, Index lines) const;
    [[nodiscard]] PassTask<T> backward(Index slow, Index lines) const;
    [[nodiscard]] PassTask<T> both(Index slow, Index lines) const;

    /// Executes a pass, or the block of every field that holds `line` at `slow` alone; batches have their lines at
    /// `lines`. Asynchronous.
    void run(Role role, const PassTask<T>& task, T* lines, Stream stream) const;
    void run_block(Role role, const PassTask<T>& task, Index slow, Index line, T* lines, Stream stream) const;
    /// By batches only: lines may stay where they are.
    void run_phases(const Phases& phases, const PassTask<T>& task, T* lines, Stream stream) const;

private:
    [[nodiscard]] BlockShape shape(Index lines) const;
    [[nodiscard]] PassTask<T> task(Index slow, Index lines) const;
    template <class Visit>
    void for_each_array(const Visit& visit);

    LineMethod method_;
    AxisTables<T> tables_;
    LineBatches<T> batches_;
    const T* eigenvalues_on_device_ = nullptr;
    const Complex<T>* eigenvalue_pairs_on_device_ = nullptr;
    std::size_t offset_ = 0;
};

}  // namespace poisson3d::fused
