// The sweeps of a rectangle in place on a CUDA device: how each is cut into blocks, and their launchers.
#pragma once

#include "common/cuda_launchers.hpp"
#include "poisson3d/device_memory.hpp"
#include "rectangle/plan.hpp"

namespace poisson3d::cuda {

/// Calls body(word{}) with the word type of an element of 4, 8 or 16 bytes.
template <class Body>
void with_element(int element_bytes, Body&& body) {
    if (element_bytes == 4) return body(WordOf<4>::Type{});
    if (element_bytes == 8) return body(WordOf<8>::Type{});
    body(WordOf<16>::Type{});
}

/// What a launch may use, read off the device.
struct ChipLimits {
    Index shared_bytes = 0;  ///< of a block
    int cluster = 1;         ///< most blocks that can meet at a barrier
};
ChipLimits chip_limits();
rectangle::Capacity capacity(const ChipLimits& limits);

/// What tests and measurements set and a plan otherwise chooses; 0: chosen.
struct RectangleTuning {
    Index panel_bytes = 0;        ///< width of a panel of columns
    Index panel_block_bytes = 0;  ///< most of a panel in one block
    Index row_block_bytes = 0;    ///< most of a row in one block, if several share it
    int cluster = 0;              ///< most blocks in a cluster
    int panel_blocks = 0;         ///< blocks of columns on a multiprocessor: 2 or 3
};

/// Columns: a cluster holds a panel `width` elements wide, each of its blocks `tile` rows of it.
struct ColumnShape {
    rectangle::Matrices matrices;
    rectangle::Direction direction;
    Index divisor;
    Index panels;
    int width_log2;
    int m, tile;
    int cluster;
    int threads;
    Index blocks;
    int blocks_at_once;  ///< on a multiprocessor
    int shared_bytes;
};
ColumnShape shape_columns(const rectangle::Sweep& sweep, int element_bytes, const ChipLimits& limits,
                          const RectangleTuning& tuning);
/// `order`: π on the device, null for the identity.
void launch_columns(const ColumnShape& shape, const std::uint32_t* order, int element_bytes, void* data,
                    cudaStream_t stream);

/// Rows: a block holds some rows, or a cluster one row, of pieces of `piece` elements of every item.
struct RowShape {
    rectangle::Matrices matrices;
    rectangle::Direction direction;
    rectangle::RowMap map;
    rectangle::RowStride stride;     ///< from one item of a thread to its next
    rectangle::Reciprocal by_share;  ///< items of a row that one block of a cluster holds
    int piece, piece_items;          ///< elements; threads / piece: items met at a time
    Index pieces, groups;            ///< of an item; of rows
    int rows;                        ///< in a group
    int cluster;
    int threads;
    Index blocks;
    int shared_bytes;
};
RowShape shape_rows(const rectangle::Sweep& sweep, int element_bytes, const ChipLimits& limits,
                    const RectangleTuning& tuning);
void launch_rows(const RowShape& shape, int element_bytes, void* data, cudaStream_t stream);

/// The rest of rows that were cut: a range of every matrix to a block, `head` elements of it in scratch.
struct RestShape {
    rectangle::Matrices matrices;
    rectangle::Direction direction;
    bool aside;
    Index rest;  ///< elements of a row
    Index range, ranges, head, rest_elements;
    std::size_t scratch_bytes;
};
RestShape shape_rest(const rectangle::Sweep& sweep, int element_bytes);
void launch_rest(const RestShape& shape, int element_bytes, void* data, void* scratch, cudaStream_t stream);

/// make_cuda_rectangle() with everything that is otherwise chosen.
std::unique_ptr<InPlaceExecutor> make_rectangle(const DenseMatrices& matrices, const RectangleTuning& tuning);

}  // namespace poisson3d::cuda
