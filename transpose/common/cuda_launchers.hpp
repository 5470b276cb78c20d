// What every CUDA transpose shares on the host side: checked launches, elements as plain words.
#pragma once

#include <vector_types.h>

#include <cstdint>

#include "cuda/launch.hpp"
#include "out_of_place/movement.hpp"

namespace poisson3d::cuda {

/// An element is moved as one word of its size.
template <int Bytes>
struct WordOf;
template <>
struct WordOf<1> {
    using Type = std::uint8_t;
};
template <>
struct WordOf<2> {
    using Type = std::uint16_t;
};
template <>
struct WordOf<4> {
    using Type = std::uint32_t;
};
template <>
struct WordOf<8> {
    using Type = unsigned long long;
};
template <>
struct WordOf<16> {
    using Type = uint4;
};

/// Calls body(word{}) with the word type of `element_bytes`.
template <class Body>
void with_word(int element_bytes, Body&& body) {
    switch (element_bytes) {
        case 1: return body(WordOf<1>::Type{});
        case 2: return body(WordOf<2>::Type{});
        case 4: return body(WordOf<4>::Type{});
        case 8: return body(WordOf<8>::Type{});
        default: return body(WordOf<16>::Type{});
    }
}

inline Index batches(const MatrixBatch& m) {
    return m.batch[0] * m.batch[1];
}

// The launchers, one per rung. All are asynchronous on `stream`, allocate nothing, and throw Error{device} when the
// launch is refused. `in` and `out` are device pointers aligned to the element.

void launch_naive(const MatrixBatch& matrix, int element_bytes, const void* in, void* out, cudaStream_t stream);

struct TileOptions {
    bool padded = true;
    Index band = 0;    ///< V1BF band width in tiles: 1 walks down columns, 0 along whole rows
    Index region = 0;  ///< not 0: one launch per region of region × region tiles
};
void launch_tile(const MatrixBatch& matrix, const TileOptions& options, int element_bytes, const void* in,
                 void* out, cudaStream_t stream);

void launch_slices(const MatrixBatch& matrix, int element_bytes, const void* in, void* out, cudaStream_t stream);

/// `band` strips side by side at a time; 0: chosen.
void launch_strips(const MatrixBatch& matrix, Index band, int element_bytes, const void* in, void* out,
                   cudaStream_t stream);
/// "strips of 64 columns, 128 rows a block"
std::string describe_strips(const MatrixBatch& matrix, int element_bytes);

/// A side whose short lines fit shared memory many at a time.
bool thin_applies(const MatrixBatch& matrix, int element_bytes);
/// … and whether that was measured faster than strips (docs/benchmarks.md).
bool thin_is_faster(const MatrixBatch& matrix, int element_bytes) noexcept;
void launch_thin(const MatrixBatch& matrix, int element_bytes, const void* in, void* out, cudaStream_t stream);

void launch_row_copy(const RowCopy& copy, int element_bytes, const void* in, void* out, cudaStream_t stream);

}  // namespace poisson3d::cuda
