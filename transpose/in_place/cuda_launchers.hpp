// The launchers of the transposes in place. All are asynchronous on `stream`, allocate nothing, and throw
// Error{device} when the launch is refused. `data` is a device pointer aligned to the element.
#pragma once

#include "common/cuda_launchers.hpp"
#include "in_place/executor.hpp"
#include "poisson3d/block_order.hpp"

namespace poisson3d::cuda {

/// Calls body(word{}) with the word type of elements of 4, 8 or 16 bytes: what can be moved in place.
template <class Body>
void with_wide_word(int element_bytes, Body&& body) {
    switch (element_bytes) {
        case 4: return body(WordOf<4>::Type{});
        case 8: return body(WordOf<8>::Type{});
        default: return body(WordOf<16>::Type{});
    }
}

inline Index batches(const Squares& s) {
    return s.batch[0] * s.batch[1];
}

/// How tiles, or pairs of rows, are walked.
struct TriangleWalk {
    BlockOrder order = BlockOrder::v1b;
    Index band = 16;
    Index region = 0;  ///< not 0: one launch per region of region × region tiles
};

/// One thread a pair of elements, in order v1.
void launch_thread_wise(const Squares& squares, void* data, cudaStream_t stream);
/// One block a pair of tiles.
void launch_exchange(const Squares& squares, const TriangleWalk& walk, void* data, cudaStream_t stream);
/// Side of a tile, in items.
int exchange_tile_side(const Squares& squares);
/// Items of several elements, as long runs of wide words.
void launch_exchange_rows(const Squares& squares, const TriangleWalk& walk, void* data, cudaStream_t stream);
/// Whether items are long enough for that.
bool exchanges_rows(const Squares& squares) noexcept;

void launch_cube(const Cubes& cubes, void* data, cudaStream_t stream);
int cube_brick_side(int element_bytes);

}  // namespace poisson3d::cuda
