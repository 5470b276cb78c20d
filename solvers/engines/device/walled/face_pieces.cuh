// Matrices on their way to shared memory, for the products of face_products.cu: pieces of so many rows or columns
// of the result and 16 of the inner index, by asynchronous copies of 16 bytes where rows begin so, else of an
// element.
//
// Pieces are as their matrix is, contiguous along the result or along the inner index. With their pitches the
// threads of a warp that read 16 bytes (of floats 8) each meet all banks, in either case.
#pragma once

#include <cstdint>

#include "face_products.hpp"
#include "tensor_product.cuh"

namespace poisson3d::walled {

constexpr int depth = 16;  ///< of the inner index at a time

/// Elements in a copy of 16 bytes.
template <class T>
constexpr int copied = 16 / static_cast<int>(sizeof(T));

/// Whether all rows begin at 16 bytes.
template <class T>
__device__ __forceinline__ bool begins_whole(const T* data, Index row) {
    return (static_cast<Index>(reinterpret_cast<std::uintptr_t>(data)) | row * static_cast<Index>(sizeof(T))) %
               16 ==
           0;
}

/// Of a piece with `side` numbers along the result.
template <class T, int side>
struct Piece {
    static constexpr int by_inner = depth + 4, by_result = side + copied<T>;  ///< pitches
    static constexpr int size = side * by_inner > depth* by_result ? side* by_inner : depth* by_result;
};

/// What a thread copies of one matrix. Numbers that are less than a row of it, or 16, are of 32 bits: registers are
/// what the products lack.
template <class T, int side, int threads>
class Loader {
public:
    /// `along`, `inner`: strides of the matrix; `first` and `count` along the result.
    __device__ __forceinline__ void start(const T* data, Index along, Index inner, int first, Index count,
                                          Index inner_count) {
        const int thread = static_cast<int>(threadIdx.x);
        inner_first_ = inner == 1;
        const Index next_row = inner_first_ ? along : inner, next_column = inner_first_ ? inner : along;
        data += first * along;
        whole_ = next_column == 1 && begins_whole(data, next_row);
        const int width = whole_ ? copied<T> : 1;
        const int in_row = (inner_first_ ? depth : side) / width;  // powers of two
        const int row = thread >> (__ffs(in_row) - 1), column = (thread & (in_row - 1)) * width;
        step_ = threads >> (__ffs(in_row) - 1);
        to_ = row * pitch() + column;
        from_ = data + row * next_row + column * next_column;
        from_step_ = static_cast<int>(step_ * next_row);
        advance_ = static_cast<int>(depth * inner);
        const int results = static_cast<int>(min(count - first, Index{side})),
                  inners = static_cast<int>(inner_count);
        rows_left_ = (inner_first_ ? results : inners) - row;
        columns_left_ = (inner_first_ ? inners : results) - column;
    }
    [[nodiscard]] __device__ __forceinline__ bool inner_first() const { return inner_first_; }

    __device__ __forceinline__ void copy(T* shared) {
        if (whole_)
            copy_by<16>(shared + to_);
        else
            copy_by<static_cast<int>(sizeof(T))>(shared + to_);
        from_ += advance_;
        (inner_first_ ? columns_left_ : rows_left_) -= depth;
    }

private:
    [[nodiscard]] __device__ __forceinline__ int pitch() const {
        return inner_first_ ? Piece<T, side>::by_inner : Piece<T, side>::by_result;
    }
    /// Where nothing is there no address is read.
    template <int bytes>
    __device__ __forceinline__ void copy_by(T* to) const {
        constexpr int size = static_cast<int>(sizeof(T)), copies = side * depth * size / (bytes * threads);
        const int there = min(max(columns_left_ * size, 0), bytes), to_step = step_ * pitch();
        int rows = rows_left_;
        const T* from = from_;
#pragma unroll
        for (int i = 0; i < copies; ++i) {
            device::copy_part<bytes>(to, from, rows > 0 ? there : 0);
            from += from_step_, to += to_step, rows -= step_;
        }
    }

    const T* from_;
    int from_step_, advance_, to_, step_, rows_left_, columns_left_;
    bool inner_first_, whole_;
};

/// The pieces of all terms of a product, one after the other.
template <class T, class Tile>
class Pieces {
public:
    __device__ __forceinline__ Pieces(const Product<T>& product, int row, int column)
        : product_(product), row_(row), column_(column) {
        next_term();
    }
    /// Copies the next pieces, if there are any. Three bits: there are some; a is by its inner index; so is b.
    __device__ __forceinline__ unsigned copy(T* a, T* b) {
        if (left_ <= 0) return 0;
        a_.copy(a);
        b_.copy(b);
        const unsigned what = 1U + (a_.inner_first() ? 2U : 0U) + (b_.inner_first() ? 4U : 0U);
        left_ -= depth;
        if (left_ <= 0) next_term();
        return what;
    }

private:
    __device__ __forceinline__ void next_term() {
        while (term_ < product_.terms) {
            const typename Product<T>::Term& term = product_.term[term_++];
            if (column_ >= term.columns) continue;
            left_ = static_cast<int>(term.inner);
            a_.start(term.a.data, term.a.row, term.a.column, row_, product_.rows, term.inner);
            b_.start(term.b.data, term.b.column, term.b.row, column_, term.columns, term.inner);
            return;
        }
    }

    const Product<T>& product_;
    int row_, column_, left_ = 0, term_ = 0;
    Loader<T, Tile::rows, Tile::threads> a_;
    Loader<T, Tile::columns, Tile::threads> b_;
};

}  // namespace poisson3d::walled
