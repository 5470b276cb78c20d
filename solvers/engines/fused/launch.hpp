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
std::size_t most_shared();

/// For lines of `pitch` complex elements of T, of which there are `lines`; twins or classes of either side are up
/// to `items` a line.
template <class T>
BlockShape block_shape(int pitch, int items, Index lines);

/// Which blocks of a pass are launched: one per chunk of lines and slow index. Neighbours in the contiguous index
/// of the result follow each other, so that rows are completed soon.
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

template <class T>
POISSON3D_HD Place<T> place_of(const PassTask<T>& task, int chunk, int slow, Complex<T>* lines) {
    return {slow, Index{2} * task.count * chunk, lines};
}

/// Calls body.template operator()<kind>().
template <class Body>
void with_kind(Kind kind, const Body& body) {
    switch (kind) {
        case Kind::one: return body.template operator()<Kind::one>();
        case Kind::two: return body.template operator()<Kind::two>();
        case Kind::three: return body.template operator()<Kind::three>();
        case Kind::four: return body.template operator()<Kind::four>();
    }
}

/// Calls body.template operator()<role, Known>(): every kernel that there is for a kind. First passes with boundary
/// data have none for eights.
template <Kind kind, class Body>
void with_kernel(Role role, bool eights, const Body& body) {
    const auto with_role = [&]<class Which>() {
        switch (role) {
            case Role::first: return body.template operator()<Role::first, Which>();
            case Role::first_with_data:
                return body.template operator()<Role::first_with_data, Known<kind, false>>();
            case Role::forward: return body.template operator()<Role::forward, Which>();
            case Role::middle: return body.template operator()<Role::middle, Which>();
            case Role::backward: return body.template operator()<Role::backward, Which>();
            case Role::last: return body.template operator()<Role::last, Which>();
        }
    };
    eights ? with_role.template operator()<Known<kind, true>>()
           : with_role.template operator()<Known<kind, false>>();
}

}  // namespace poisson3d::fused
