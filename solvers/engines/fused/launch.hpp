// Launches of fused passes.
#pragma once

#include "pass.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::fused {

/// Complex lines of a block, threads, and the bytes of shared memory they take.
struct BlockShape {
    int count = 8;
    int threads = 256;
    std::size_t bytes = 0;
};

/// Bytes a block may have.
inline constexpr std::size_t most_shared = 227 << 10;

/// For lines of `pitch` complex elements of T, of which there are `lines`.
template <class T>
BlockShape block_shape(int pitch, Index positions, Index lines);

/// Blocks first … first + blocks − 1 of the pass (all of them: block_count). Asynchronous on `stream`; throws
/// Error{device} when refused.
template <class T>
void launch_pass(Role role, const PassTask<T>& task, const BlockShape& shape, Index first, Index blocks,
                 Stream stream);

template <class T>
Index chunks_of(const PassTask<T>& task) {
    return (task.lines + 2 * task.count - 1) / (2 * task.count);
}
template <class T>
Index block_count(const PassTask<T>& task) {
    return task.slow * chunks_of(task);
}

/// Where block b works: neighbours in the contiguous index of the result follow each other, so that rows are
/// completed soon.
template <class T>
POISSON3D_HD Place<T> place_of(const PassTask<T>& task, Index block, Index chunks, Complex<T>* lines, int thread,
                               int threads) {
    const Index slow = block / chunks;
    return {slow, (block - slow * chunks) * 2 * task.count, lines, thread, threads};
}

/// Calls body.template operator()<size>() for the orbit size of the modes of the pass.
template <class T, class Body>
void with_mode_size(Role role, const PassTask<T>& task, const Body& body) {
    const int size = role == Role::middle                           ? task.mode_post.size
                     : role == Role::backward || role == Role::last ? task.pre.size
                                                                    : task.post.size;
    switch (size) {
        case 2: return body.template operator()<2>();
        case 4: return body.template operator()<4>();
        case 8: return body.template operator()<8>();
        default: return body.template operator()<16>();
    }
}

}  // namespace poisson3d::fused
