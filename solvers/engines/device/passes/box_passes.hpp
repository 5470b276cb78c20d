// The passes of a box: what each of the schedule is told about its lines, the right-hand side, mode space and the
// solution. Where the field lies between passes, and who runs them, is the engine's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "axis_tables.hpp"
#include "block_shape.hpp"
#include "field_sweeps.hpp"
#include "pass.hpp"
#include "pipeline.hpp"
#include "schedule.hpp"

namespace poisson3d::device {

/// The block of a pass over `lines` lines.
template <class T, class F>
using ShapeRule = BlockShape (*)(const AxisTables<T, F>& tables, Index lines);

/// The most pieces of work on a line that a step has.
template <class T, class F>
int max_items(const AxisTables<T, F>& tables) {
    if (tables.chirp.view.length > 0) {
        int most = std::max(tables.symmetric.view.items.count, tables.mode_symmetric.view.items.count);
        for (int s = 0; s < tables.plan.fft.steps; ++s)
            most = std::max(most, tables.plan.fft.step[s].butterflies.count);
        return most;
    }
    const bool type_one = tables.symmetric.view.radix != 0;
    return std::max(type_one ? tables.symmetric.view.items.count : tables.samples.view.items.count,
                    tables.modes.view.items.count);
}

/// An axis: its tables in device memory, and what every pass along it is told. A free axis that is transformed is
/// padded (padded_axis.hpp).
template <class T, class F>
class DeviceAxis {
public:
    DeviceAxis(const Axis& axis, Discretization discretization, LineMethod method, ShapeRule<T, F> rule);

    /// Reserves the bytes; then, with the workspace there, copies the tables to the device. Synchronises.
    void reserve(WorkspaceLayout& layout);
    void upload(std::byte* workspace);

    [[nodiscard]] const AxisKind& kind() const { return tables_.kind; }
    /// Modes come out so many times too large.
    [[nodiscard]] double gain() const { return tables_.gain; }
    /// By slot: where a mode lies in the field.
    [[nodiscard]] const std::vector<Index>& mode_of() const { return tables_.mode_of; }
    /// By how much modes and the way back multiply samples.
    [[nodiscard]] double round_trip() const {
        return has_tables_ ? static_cast<double>(kind().round_trip) * gain() : 1.0;
    }
    /// What there is of a line: unknowns, or the modes of a padded one.
    [[nodiscard]] Index unknowns() const { return tables_.kind.unknowns; }
    [[nodiscard]] const AxisTables<T, F>& tables() const { return tables_; }
    [[nodiscard]] bool has_tables() const { return has_tables_; }
    [[nodiscard]] Outer outer() const { return tables_.outer; }
    [[nodiscard]] const FftPlan<T, F>& plan() const { return tables_.plan; }
    [[nodiscard]] const T* eigenvalues() const { return eigenvalues_on_device_; }  ///< by slot
    [[nodiscard]] BlockShape shape(Index lines) const;

    /// A pass with blocks of `lines` lines at each of `slow` indices: outer steps, FFT, shape, where there are
    /// tables.
    [[nodiscard]] PassTask<T, F> task(Direction direction, Index slow, Index lines) const;

private:
    template <class Visit>
    void for_each_array(const Visit& visit);

    ShapeRule<T, F> rule_;
    bool has_tables_;
    AxisTables<T, F> tables_;
    const T* eigenvalues_on_device_ = nullptr;
    const Complex<T>* eigenvalue_pairs_on_device_ = nullptr;
    std::size_t offset_ = 0;
};

/// The axes across the lines of a pass: lines are counted along `line`, of a rotated field the axis that
/// becomes contiguous.
struct AcrossLines {
    int slow, line;
};
constexpr AcrossLines across_lines_of(const Pass& pass) {
    const int line = pass.movement == identity_order ? pass.order[1] : permute(pass.order, pass.movement)[2];
    return {line == pass.order[1] ? pass.order[0] : pass.order[1], line};
}

/// Whether every row starts at a multiple of two elements.
template <class T>
bool aligned(const T* data, Index slow, Index line, Index field) {
    return reinterpret_cast<std::uintptr_t>(data) % (2 * sizeof(T)) == 0 && slow % 2 == 0 && line % 2 == 0 &&
           field % 2 == 0;
}

/// A pass that writes one block of lines only: the one of line `line` at `slow`.
template <class T, class F>
struct BlockOfPoint {
    PassTask<T, F> task;
    Index slow, line;
};

template <class T, class F>
class BoxPasses {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// Of `fields` fields at once; tasks are for as many as their call has.
    BoxPasses(const Problem& problem, const std::array<LineMethod, 3>& methods, ShapeRule<T, F> rule, Index fields);

    void reserve(WorkspaceLayout& layout);
    /// Copies tables to the device. Synchronises.
    void bind(std::byte* workspace);

    [[nodiscard]] const DeviceAxis<T, F>& axis(int a) const { return axes_[a]; }
    [[nodiscard]] Index unknowns(int a) const { return axes_[a].unknowns(); }
    [[nodiscard]] Extents unknowns() const { return {unknowns(0), unknowns(1), unknowns(2)}; }
    /// Offset of the first unknown in a field of a call, strides by axis.
    [[nodiscard]] static Index first_unknown(const Call<T>& call, const Strides& strides);

    /// Of an axis that others transform.
    void include_round_trip(double round_trip) { round_trip_ *= round_trip; }

    [[nodiscard]] static Role role(const Pass& pass, const Call<T>& call);
    /// A pass without its `in` and `out`, but that the first reads f and the last writes u. `removed`: one for each
    /// field.
    [[nodiscard]] PassTask<T, F> task(const Pass& pass, const Call<T>& call, Removed* removed) const;
    /// What modes are multiplied with besides, so that transforms there and back leave samples as they are.
    [[nodiscard]] T mode_factor(const Call<T>& call) const { return static_cast<T>(call.restore / round_trip_); }
    /// Before the first pass: searches what is taken from the right-hand side of a singular problem.
    void start(const Call<T>& call, Removed* removed, Stream stream) const;
    /// Where the solution is fixed at a point: the block of the last pass that has it, to be run before `last`,
    /// which then subtracts the value it finds there. It comes by the same arithmetic.
    [[nodiscard]] std::optional<BlockOfPoint<T, F>> gauge(const Call<T>& call, PassTask<T, F>& last) const;

    /// Where neither the first nor the last pass runs along z: a pass over columns reads f, scaled and without what
    /// is subtracted; a sweep before it adds boundary data, too; and the value at the gauge point is taken from a
    /// solution that is complete.
    void read_scaled(PassTask<T, F>& task, const Call<T>& call, const Removed* removed) const;
    [[nodiscard]] RightHandSide<T> right_hand_side(const Call<T>& call, const Removed* removed) const;
    void fix_gauge(const Call<T>& call, Stream stream) const;

private:
    static constexpr Index removed_numbers = sizeof(Removed) / sizeof(T);
    [[nodiscard]] bool fixes_point() const { return gauge_applies(problem_) && problem_.gauge.point.has_value(); }
    [[nodiscard]] Index gauge_size() const {
        if (!axes_[2].has_tables()) return 1;
        return 2 * std::max(axes_[2].shape(unknowns(0)).count, axes_[2].shape(unknowns(1)).count) * unknowns(2);
    }
    void read_right_hand_side(PassTask<T, F>& task, const AcrossLines& across, const Call<T>& call,
                              Removed* removed) const;
    void divide_modes(PassTask<T, F>& task, const AcrossLines& across, const Call<T>& call, Removed* removed) const;
    void write_solution(PassTask<T, F>& task, const AcrossLines& across, const Call<T>& call) const;

    Problem problem_;
    Index fields_;
    std::array<DeviceAxis<T, F>, 3> axes_;
    double round_trip_ = 1.0;
    std::size_t gauge_offset_ = 0;
    T* gauge_ = nullptr;  ///< the block of lines that holds the gauge point, of each field
};

}  // namespace poisson3d::device
