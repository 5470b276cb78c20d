// Rows of a field in another order, or pitched, where they begin at any address: read in aligned words of 16 bytes,
// shifted in shared memory, written in whole lines.
//
// A warp takes a piece of a row, cut where the output has a line's beginning:
//
//        input row      ···│··aa│aaaa│aaaa│aaa·│···     16-byte words, past the registers
//        shared memory     ··aa│aaaa│aaaa│aaa·          the piece keeps its distance from a boundary
//        output row     ···│·aaa│aaaa│aaaa│aa··│···     each lane a word of 4 bytes, a warp a line of 128
//
// Elements smaller than 4 bytes: an output word is a shift of two words of shared memory; the first and the last
// word of a row are written byte by byte. Warps do not wait for each other.
#include <algorithm>

#include "common/cuda_batch.cuh"
#include "common/cuda_pieces.cuh"
#include "out_of_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

constexpr int wide_threads = 256;
constexpr int warps = wide_threads / 32;
constexpr Index usual_piece = 2048;                               // bytes
constexpr Index longest_piece = usual_piece + 128;                // as cutting at lines makes it
constexpr int warp_bytes = static_cast<int>(longest_piece) + 32;  // and what 16-byte words reach beyond it
static_assert(warp_bytes % 16 == 0);

/// Rows in bytes. Pieces of a row end at multiples of `piece` behind the beginning of the row's first line.
struct WideRows {
    RowCopy copy;
    Index rows, pieces, piece;
};

template <bool WholeWords>
__global__ void __launch_bounds__(wide_threads, 1280 / wide_threads)
    wide_row_kernel(WideRows p, Readable readable, const unsigned char* __restrict__ in,
                    unsigned char* __restrict__ out) {
    __shared__ __align__(16) unsigned char shared[warps * warp_bytes];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const Index task = static_cast<Index>(blockIdx.x) * warps + warp;
    if (task >= p.rows * p.pieces) return;
    const auto [row, piece] = divide(task, p.pieces);
    const auto [i01, i2] = divide(row, p.copy.extents[2]);
    const auto [i0, i1] = divide(i01, p.copy.extents[1]);
    const unsigned char* const from = in + i0 * p.copy.in[0] + i1 * p.copy.in[1] + i2 * p.copy.in[2];
    unsigned char* const to = out + i0 * p.copy.out[0] + i1 * p.copy.out[1] + i2 * p.copy.out[2];

    // Bytes [begin, end) of the row, counted from its beginning.
    const Index cut = piece * p.piece - behind_boundary(to, 128);
    const Index begin = max(cut, Index{0});
    const Index end = min(cut + p.piece, p.copy.length);
    if (begin >= end) return;
    const int length = static_cast<int>(end - begin);

    unsigned char* const held = shared + warp * warp_bytes;
    const unsigned char* const source = from + begin;
    const int behind = behind_boundary(source, 16);
    for (int at = 16 * lane; at < behind + length; at += 16 * 32) {
        const unsigned char* const word = source - behind + at;
        if (word >= readable.begin && word + 16 <= readable.end) {
            __pipeline_memcpy_async(held + at, word, 16);
        } else {  // reaches beyond the field
            for (int b = 0; b < 16; ++b)
                if (word + b >= readable.begin && word + b < readable.end) held[at + b] = word[b];
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();

    unsigned char* const target = to + begin;
    const int ahead = behind_boundary(target, 128);  // not 0 in a row's first piece only
#pragma unroll 4
    for (int at = 4 * lane - ahead; at < length; at += 128) {
        const unsigned char* const mine = held + behind + at;
        if constexpr (WholeWords) {
            if (at >= 0)
                *reinterpret_cast<std::uint32_t*>(target + at) = *reinterpret_cast<const std::uint32_t*>(mine);
        } else if (at >= 0 && at + 4 <= length) {
            const int shift = behind_boundary(mine, 4);
            const auto* const words = reinterpret_cast<const std::uint32_t*>(mine - shift);
            *reinterpret_cast<std::uint32_t*>(target + at) = __funnelshift_r(words[0], words[1], 8 * shift);
        } else {
            for (int b = 0; b < 4; ++b)
                if (at + b >= 0 && at + b < length) target[at + b] = mine[b];
        }
    }
}

}  // namespace

void launch_wide_row_copy(const RowCopy& copy, int element_bytes, const void* in, void* out, cudaStream_t stream) {
    WideRows p{copy, copy.extents[0] * copy.extents[1] * copy.extents[2], 1, 0};
    p.copy.length *= element_bytes;
    Index span = p.copy.length;
    for (int d = 0; d < 3; ++d) {
        p.copy.in[d] *= element_bytes;
        p.copy.out[d] *= element_bytes;
        span += (copy.extents[d] - 1) * p.copy.in[d];
    }
    p.pieces = divide_up(p.copy.length, usual_piece);
    p.piece = divide_up(divide_up(p.copy.length + 127, p.pieces), 128) * 128;
    const auto* const begin = static_cast<const unsigned char*>(in);
    const Readable readable{begin, begin + span};
    const auto kernel = element_bytes >= 4 ? &wide_row_kernel<true> : &wide_row_kernel<false>;
    kernel<<<blocks(divide_up(p.rows * p.pieces, warps)), wide_threads, 0, stream>>>(
        p, readable, begin, static_cast<unsigned char*>(out));
    check(cudaGetLastError(), "launch of the copy of rows by wide loads");
}

}  // namespace poisson3d::cuda
