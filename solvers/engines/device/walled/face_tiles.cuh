// The tiles that blocks have of the result of a product (face_products.cu), and what a warp multiplies of them.
#pragma once

#include "face_pieces.cuh"

namespace poisson3d::walled {

/// `warps_down` by `warps_across` warps have 16 rows and 16 columns each by turns, so that a tile that is not full
/// is shared by all of them.
template <int rows_, int columns_, int warps_down_, int warps_across_, int stages_, int blocks_>
struct Tile {
    static constexpr int rows = rows_, columns = columns_, warps_down = warps_down_, warps_across = warps_across_;
    static constexpr int threads = 32 * warps_down * warps_across;
    static constexpr int stages = stages_, blocks = blocks_;  ///< blocks of a multiprocessor
    template <class T>
    static constexpr int piece = Piece<T, rows>::size + Piece<T, columns>::size;
    template <class T>
    static constexpr std::size_t shared = sizeof(T) * stages* piece<T>;
};

/// 16 rows or columns of 8 of the inner index: numbers 2g and 2g + 1 along the result at 2t and 2t + 1 of the inner
/// index, for thread 4 g + t of a warp. Products take them for numbers g and g + 8 (or g of two products) at t and
/// t + 4, which changes the order of sums and where results are, and lets threads read neighbours together.
struct Fragment {
    double v[4];  ///< (2g, 2t), (2g + 1, 2t), (2g, 2t + 1), (2g + 1, 2t + 1)

    __device__ __forceinline__ void read(const double* at, int pitch, bool inner_first) {
        const double2 x = *reinterpret_cast<const double2*>(at);
        const double2 y = *reinterpret_cast<const double2*>(at + pitch);
        set(x.x, x.y, y.x, y.y, inner_first);
    }
    __device__ __forceinline__ void read(const float* at, int pitch, bool inner_first) {
        const float2 x = *reinterpret_cast<const float2*>(at);
        const float2 y = *reinterpret_cast<const float2*>(at + pitch);
        set(x.x, x.y, y.x, y.y, inner_first);
    }

private:
    template <class T>
    __device__ __forceinline__ void set(T xx, T xy, T yx, T yy, bool inner_first) {
        v[0] = static_cast<double>(xx), v[1] = static_cast<double>(inner_first ? yx : xy);
        v[2] = static_cast<double>(inner_first ? xy : yx), v[3] = static_cast<double>(yy);
    }
};

/// A thread's view of a piece: fragments `fragments`, of a warp that has every `step`-th one.
template <class T, int side, int step, int fragments>
struct PieceView {
    const T* at;  ///< its part of the first fragment
    int pitch, next_inner;
    bool inner_first;

    __device__ __forceinline__ PieceView(const T* piece, int first, int g, int t, bool by_inner)
        : inner_first(by_inner) {
        pitch = by_inner ? Piece<T, side>::by_inner : Piece<T, side>::by_result;
        next_inner = by_inner ? 8 : 8 * Piece<T, side>::by_result;
        const int result = 16 * first + 2 * g, inner = 2 * t;
        at = piece + (by_inner ? result * pitch + inner : inner * pitch + result);
    }
    /// `half`: of the piece, along the inner index.
    __device__ __forceinline__ void read(Fragment (&to)[fragments], int half) const {
        const int next = 16 * step * (inner_first ? pitch : 1);
#pragma unroll
        for (int i = 0; i < fragments; ++i) to[i].read(at + half * next_inner + i * next, pitch, inner_first);
    }
};

/// Sums of a warp, and where they are in the tile.
template <class T, class Tile>
struct WarpTile {
    static constexpr int down = Tile::rows / 16 / Tile::warps_down,
                         across = Tile::columns / 16 / Tile::warps_across;

    int first_row, first_column, g, t;  ///< the first two: fragments
    double sums[down][2 * across][4] = {};

    __device__ __forceinline__ WarpTile() {
        const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
        first_row = warp / Tile::warps_across, first_column = warp % Tile::warps_across;
        g = lane / 4, t = lane % 4;
    }

    /// Of its rows, if the tile has so many rows and columns.
    [[nodiscard]] __device__ __forceinline__ int fragments(Index rows, Index columns) const {
        if (columns <= 16 * first_column) return 0;
        const int all = static_cast<int>(min(rows, Index{Tile::rows}) + 15) / 16;
        return (all - first_row + Tile::warps_down - 1) / Tile::warps_down;
    }

    /// A piece, of whose rows so many fragments are there: all of them, as a rule, and what is read next then is on
    /// its way while these are multiplied. `what` a and b are: as Pieces::copy() has it.
    __device__ __forceinline__ void multiply(const T* a, const T* b, unsigned what, int fragments) {
        if (fragments == down)
            multiply<true>(a, b, what, down);
        else if (fragments > 0)
            multiply<false>(a, b, what, fragments);
    }

    __device__ __forceinline__ void store(const Product<T>& product, Index row_of_tile,
                                          Index column_of_tile) const {
        const bool whole = product.out.column == 1 && begins_whole(product.out.data, product.out.row);
#pragma unroll
        for (int i = 0; i < down; ++i)
#pragma unroll
            for (int j = 0; j < across; ++j)
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const Index r = row_of_tile + 16 * (first_row + i * Tile::warps_down) + 2 * g + h;
                    const Index c = column_of_tile + 16 * (first_column + j * Tile::warps_across) + 4 * t;
                    if (r >= product.rows) continue;
                    const int there = static_cast<int>(min(product.columns - c, Index{4}));
                    double value[4] = {sums[i][2 * j][2 * h], sums[i][2 * j + 1][2 * h], sums[i][2 * j][2 * h + 1],
                                       sums[i][2 * j + 1][2 * h + 1]};
                    if (product.times.data != nullptr) {
                        const T* const times =
                            product.times.data + r * product.times.row + c * product.times.column;
#pragma unroll
                        for (int e = 0; e < 4; ++e)
                            if (e < there) value[e] *= static_cast<double>(times[e * product.times.column]);
                    }
                    T* const to = product.out.data + r * product.out.row + c * product.out.column;
                    if (whole && there == 4) {
                        store_four(to, value);
                        continue;
                    }
#pragma unroll
                    for (int e = 0; e < 4; ++e)
                        if (e < there) to[e * product.out.column] = static_cast<T>(value[e]);
                }
    }

private:
    template <bool whole>
    __device__ __forceinline__ void multiply(const T* a, const T* b, unsigned what, int fragments) {
        const PieceView<T, Tile::rows, Tile::warps_down, down> of_a(a, first_row, g, t, (what & 2U) != 0);
        const PieceView<T, Tile::columns, Tile::warps_across, across> of_b(b, first_column, g, t, (what & 4U) != 0);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            Fragment left[down], right[across];
            of_a.read(left, half);
            of_b.read(right, half);
#pragma unroll
            for (int i = 0; i < down; ++i)
                if (whole || i < fragments)
#pragma unroll
                    for (int j = 0; j < 2 * across; ++j) {
                        const double(&v)[4] = right[j / 2].v;
                        const double two[2] = {v[j % 2], v[j % 2 + 2]};
                        device::multiply(sums[i][j], left[i].v, two);
                    }
        }
    }

    static __device__ __forceinline__ void store_four(double* to, const double (&v)[4]) {
        reinterpret_cast<double2*>(to)[0] = {v[0], v[1]};
        reinterpret_cast<double2*>(to)[1] = {v[2], v[3]};
    }
    static __device__ __forceinline__ void store_four(float* to, const double (&v)[4]) {
        *reinterpret_cast<float4*>(to) = {static_cast<float>(v[0]), static_cast<float>(v[1]),
                                          static_cast<float>(v[2]), static_cast<float>(v[3])};
    }
};

}  // namespace poisson3d::walled
