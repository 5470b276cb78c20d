// The launchers of the transposes in place. All are asynchronous on `stream`, allocate nothing, and throw
// Error{device} when the launch is refused. `data` is a device pointer aligned to the element.
#pragma once

#include "common/cuda_words.hpp"
#include "in_place/executors.hpp"
#include "poisson3d/block_order.hpp"

namespace poisson3d::cuda {

/// In which order tiles, or pairs of rows, are exchanged.
struct TriangleOrder {
    BlockOrder order = BlockOrder::v1b;
    Index band = 16;
    Index region = 0;  ///< not 0: one launch per region of region × region tiles
};

/// One block a pair of tiles.
void launch_exchange(const Squares& squares, const TriangleOrder& order, void* data, cudaStream_t stream);
/// Side of a tile, in items.
int exchange_tile_side(const Squares& squares);
/// Items that are elements of 4 bytes, in tiles of which one waits in registers: twice as wide. For rows that begin
/// anywhere.
void launch_exchange_held(const Squares& squares, const TriangleOrder& order, void* data, cudaStream_t stream);
constexpr int exchange_held_tile_side = 125;
/// Items of several elements, as long runs of wide words.
void launch_exchange_rows(const Squares& squares, const TriangleOrder& order, void* data, cudaStream_t stream);
/// Whether items are long enough for that.
bool exchanges_rows(const Squares& squares) noexcept;

void launch_cube(const Cubes& cubes, void* data, cudaStream_t stream);
int cube_brick_side(int element_bytes);

/// What the rotation by turns (cube_turns.hpp) needs of a device, and the side of a brick, at most.
struct CubeTurnsNeed {
    std::size_t counter_bytes, aside_bytes;
    int side;
};
CubeTurnsNeed cube_turns_need(const Cubes& cubes);
/// `counters` and `aside`: device memory of so many bytes.
void launch_cube_turns(const Cubes& cubes, void* counters, void* aside, void* data, cudaStream_t stream);

}  // namespace poisson3d::cuda
