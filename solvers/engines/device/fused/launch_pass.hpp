// Launches of fused passes.
#pragma once

#include "poisson3d/stream.hpp"
#include "run_block.hpp"

namespace poisson3d::fused {

/// Complex lines of a block, threads, and the bytes of shared memory they take.
struct BlockShape {
    int count = 8;
    int threads = 256;
    std::size_t bytes = 0;
};

/// Bytes of shared memory that a block may have on the current device.
std::size_t max_shared();

/// For lines of `pitch` complex elements of T, of which there are `lines`; butterfly pairs or classes of either
/// side are up to `items` a line.
template <class T>
BlockShape block_shape(int pitch, int items, Index lines);

/// For phases: the same number of lines whatever there are.
template <class T>
BlockShape phase_shape(int items);

/// Which blocks of a pass are launched for every field: one per chunk of lines and slow index. Neighbours in the
/// contiguous index of the result follow each other, so that rows are completed soon.
struct Blocks {
    int first_chunk = 0, chunks = 0;
    int first_slow = 0, slow = 0;
};

template <class T>
Blocks all_blocks(const PassTask<T>& task) {
    const Index lines = Index{2} * task.count;
    return {0, static_cast<int>((task.lines + lines - 1) / lines), 0, static_cast<int>(task.slow)};
}

/// Asynchronous on `stream`; throws Error{device} when refused.
template <class T>
void launch_pass(Role role, const PassTask<T>& task, const BlockShape& shape, const Blocks& blocks, Stream stream);

/// The same for tasks of this kind: a translation unit of its own for each.
template <Kind kind, class T>
void launch_kind(Role role, const PassTask<T>& task, const BlockShape& shape, const Blocks& blocks, Stream stream);

/// Blocks first … first + count − 1 of a pass, in the order of all_blocks, field after field.
struct BlockRange {
    Index first = 0, count = 0;
};

/// One phase of a pass whose lines stand in global memory, those of block `range.first` at `lines`; all FFTs are
/// other people's. What a pass reads and what it leaves may differ from all roles there are, so every phase is told
/// its own.
template <class T>
void launch_phase(Phase phase, Role role, const PassTask<T>& task, int threads, const BlockRange& range,
                  Complex<T>* lines, Stream stream);

/// Block number `b` of a range that starts at `range.first`.
template <class T>
POISSON3D_HD BlockPosition<T> position_in_range(const PassTask<T>& task, const BlockRange& range, Index b,
                                                Complex<T>* lines) {
    const Index chunks = (task.lines + 2 * task.count - 1) / (2 * task.count);
    const Index slow = (range.first + b) / chunks;
    const Index chunk = range.first + b - slow * chunks;
    const Index field = task.fields > 1 ? slow / task.slow : 0;
    return {field, slow - field * task.slow, 2 * task.count * chunk, lines + b * task.count * task.pitch};
}

template <class T>
POISSON3D_HD BlockPosition<T> position_of(const PassTask<T>& task, int chunk, int slow, int field,
                                          Complex<T>* lines) {
    return {field, slow, Index{2} * task.count * chunk, lines};
}

/// Calls body.template operator()<kind>().
template <class Body>
void with_kind(Kind kind, const Body& body) {
    switch (kind) {
        case Kind::type1: return body.template operator()<Kind::type1>();
        case Kind::type2: return body.template operator()<Kind::type2>();
        case Kind::type3: return body.template operator()<Kind::type3>();
        case Kind::type4: return body.template operator()<Kind::type4>();
    }
}

/// Calls body.template operator()<role, Variant>(): every kernel of a whole pass that there is for a kind. First
/// passes with boundary data have none for radix8.
template <Kind kind, class Body>
void with_kernel(Role role, bool radix8, const Body& body) {
    const auto with_role = [&]<class Which>() {
        switch (role) {
            case Role::first: return body.template operator()<Role::first, Which>();
            case Role::first_with_data:
                return body.template operator()<Role::first_with_data, KernelVariant<kind, Outer::any>>();
            case Role::forward: return body.template operator()<Role::forward, Which>();
            case Role::middle: return body.template operator()<Role::middle, Which>();
            case Role::backward: return body.template operator()<Role::backward, Which>();
            case Role::last: return body.template operator()<Role::last, Which>();
            case Role::unrotated: break;  // lines that stay are batches'
        }
    };
    radix8 ? with_role.template operator()<KernelVariant<kind, Outer::radix8>>()
           : with_role.template operator()<KernelVariant<kind, Outer::any>>();
}

/// Calls body.template operator()<phase, role, Variant>(): every kernel of a phase.
template <Kind kind, class Body>
void with_phase(Phase phase, Role role, const Body& body) {
    using Which = KernelVariant<kind, Outer::none>;
    if (phase == Phase::modes) return body.template operator()<Phase::modes, Role::middle, Which>();
    if (phase == Phase::load) switch (role) {
            case Role::first: return body.template operator()<Phase::load, Role::first, Which>();
            case Role::first_with_data:
                return body.template operator()<Phase::load, Role::first_with_data, Which>();
            case Role::backward:
            case Role::last: return body.template operator()<Phase::load, Role::backward, Which>();
            default: return body.template operator()<Phase::load, Role::forward, Which>();
        }
    switch (role) {
        case Role::unrotated: return body.template operator()<Phase::store, Role::unrotated, Which>();
        case Role::middle:
        case Role::backward: return body.template operator()<Phase::store, Role::backward, Which>();
        case Role::last: return body.template operator()<Phase::store, Role::last, Which>();
        default: return body.template operator()<Phase::store, Role::forward, Which>();
    }
}

}  // namespace poisson3d::fused
