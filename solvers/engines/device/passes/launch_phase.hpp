// Launches of single phases of a pass, whose lines stand in global memory, for any length. Lines are rows or
// columns of the field and stay where they are. All threads along a block's second dimension of the grid share its
// lines.
#pragma once

#include "box_passes.hpp"
#include "pass_load.hpp"
#include "pass_modes.hpp"
#include "pass_store.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::device {

/// Tables of any length.
template <class T>
using PhaseTask = PassTask<T, Plain>;

/// The ShapeRule of phases.
template <class T>
BlockShape phase_shape(const AxisTables<T, Plain>& tables, Index) {
    BlockShape shape;
    const int items = max_items(tables);
    while (items * shape.count < shape.threads && shape.count < 64) shape.count *= 2;
    return shape;
}

/// Blocks first … first + count − 1 of a pass: chunk after chunk of lines, slow index after slow index.
struct BlockRange {
    Index first = 0, count = 0;
};

template <class T>
Index chunks(const PhaseTask<T>& task) {
    return (task.lines + 2 * task.count - 1) / (2 * task.count);
}

/// Block number `b` of a range that starts at `range.first`.
template <class T>
POISSON3D_HD BlockPosition<T> position_in_range(const PhaseTask<T>& task, const BlockRange& range, Index b,
                                                Complex<T>* lines) {
    const Index chunks = (task.lines + 2 * task.count - 1) / (2 * task.count);
    const Index slow = (range.first + b) / chunks;
    const Index chunk = range.first + b - slow * chunks;
    return {0, slow, 2 * task.count * chunk, lines + b * task.count * task.pitch};
}

/// One phase of blocks whose lines stand in global memory, those of block `range.first` at `lines`. `layout`: rows,
/// or columns, which neither the first nor the last pass has. Asynchronous on `stream`; throws Error{device} when
/// refused.
template <class T>
void launch_phase(Phase phase, Role role, Layout layout, const PhaseTask<T>& task, const BlockRange& range,
                  Complex<T>* lines, Stream stream);

/// Calls body.template operator()<role, layout, KernelVariant>() for every kernel of a phase: load and store know
/// little of the role.
template <Phase phase, Kind kind, class Body>
void with_role(Role role, Layout layout, const Body& body) {
    using Variant = KernelVariant<kind, Outer::none>;
    constexpr Layout rows = Layout::rows, columns = Layout::columns;
    if constexpr (phase == Phase::modes) {
        body.template operator()<Role::middle, rows, Variant>();
    } else if constexpr (phase == Phase::load) {
        if (layout == columns)
            return reads_samples(role) ? body.template operator()<Role::forward, columns, Variant>()
                                       : body.template operator()<Role::backward, columns, Variant>();
        switch (role) {
            case Role::first: return body.template operator()<Role::first, rows, Variant>();
            case Role::first_with_data: return body.template operator()<Role::first_with_data, rows, Variant>();
            case Role::backward:
            case Role::last: return body.template operator()<Role::backward, rows, Variant>();
            default: return body.template operator()<Role::forward, rows, Variant>();
        }
    } else {
        if (layout == columns)
            return writes_samples(role) ? body.template operator()<Role::backward, columns, Variant>()
                                        : body.template operator()<Role::forward, columns, Variant>();
        writes_samples(role) ? body.template operator()<Role::last, rows, Variant>()
                             : body.template operator()<Role::forward, rows, Variant>();
    }
}

/// One phase on one block.
template <Phase phase, Role role, Layout layout, class Variant, class T>
POISSON3D_HD void run_phase(const PhaseTask<T>& task, const BlockPosition<T>& block) {
    if constexpr (phase == Phase::load) load_lines<role, layout, Variant>(task, block);
    if constexpr (phase == Phase::modes) modes<Variant>(task, block);
    if constexpr (phase == Phase::store) store_lines<role, layout, Variant>(task, block);
}

}  // namespace poisson3d::device
