// The kernels of face_products.hpp and face_planes.hpp.
//
// A block of 128 threads has 64 × 64 results of a product, a warp 32 × 32 of them in registers. Both matrices come
// to shared memory 16 deep at a time by asynchronous copies, the next ones while these are multiplied: 16 KiB from
// the second-level cache for each 512 cycles of the tensor cores. Single precision is multiplied in double, so that
// one kernel serves both.
#include "cuda/check.hpp"
#include "cuda/launch.hpp"
#include "face_planes.hpp"
#include "face_products.hpp"
#include "tensor_product.cuh"

namespace poisson3d::walled {

namespace {

constexpr int tile = 64;   ///< of results, a side
constexpr int depth = 16;  ///< of the inner index at a time
constexpr int product_threads = 128, plane_threads = 128;
constexpr int warp_side = 32;  ///< of the results of a warp
constexpr int warps_across = tile / warp_side;
constexpr int stages = 2;

/// A piece of a matrix in shared memory, along the rows or columns of the result and along the inner index. With
/// these pitches the threads of a warp that read 8 by 4 numbers meet all banks, whichever index is contiguous.
struct Pitches {
    int along, inner;
};
__device__ __forceinline__ Pitches pitches(bool inner_first) {
    return inner_first ? Pitches{depth + 4, 1} : Pitches{1, tile + 4};
}
constexpr int piece = tile * (depth + 4) > depth*(tile + 4) ? tile*(depth + 4) : depth*(tile + 4);

/// What a thread copies of one matrix: eight elements of every piece, neighbours of its neighbours'.
template <class T>
class Loader {
public:
    /// `along`, `inner`: strides of the matrix; `first` and `count` along the results.
    __device__ __forceinline__ void start(const T* data, Index along, Index inner, Index first, Index count,
                                          Index inner_count) {
        const int thread = static_cast<int>(threadIdx.x);
        inner_first_ = inner == 1;
        along_ = inner_first_ ? thread / depth : thread % tile;
        inner_ = inner_first_ ? thread % depth : thread / tile;
        const Pitches to = pitches(inner_first_);
        to_ = along_ * to.along + inner_ * to.inner;
        to_step_ = inner_first_ ? along_step * to.along : inner_step * to.inner;
        nowhere_ = data;
        from_ = data + (first + along_) * along + inner_ * inner;
        from_step_ = inner_first_ ? along_step * along : inner_step * inner;
        advance_ = depth * inner;
        along_left_ = static_cast<int>(min(count - first, Index{tile})) - along_;
        inner_left_ = inner_count - inner_;
    }
    [[nodiscard]] __device__ __forceinline__ bool inner_first() const { return inner_first_; }

    __device__ __forceinline__ void copy(T* shared) {
#pragma unroll
        for (int i = 0; i < tile * depth / product_threads; ++i) {
            const bool there = inner_first_ ? i * along_step < along_left_ && inner_left_ > 0
                                            : along_left_ > 0 && i * inner_step < inner_left_;
            device::copy_element(shared + to_ + i * to_step_, there ? from_ + i * from_step_ : nowhere_, there);
        }
        from_ += advance_;
        inner_left_ -= depth;
    }

private:
    static constexpr int along_step = product_threads / depth, inner_step = product_threads / tile;

    const T *from_, *nowhere_;
    Index from_step_, advance_, inner_left_;
    int along_, inner_, to_, to_step_, along_left_;
    bool inner_first_;
};

/// The pieces of all terms of a product, one after the other.
template <class T>
class Pieces {
public:
    __device__ __forceinline__ Pieces(const Product<T>& product, Index row, Index column)
        : product_(product), row_(row), column_(column) {
        next_term();
    }
    /// Copies the next pieces; whether a is by its inner index, then b: two bits. Negative: there are no more.
    __device__ __forceinline__ int copy(T* a, T* b) {
        if (left_ <= 0) return -1;
        a_.copy(a);
        b_.copy(b);
        const int orders = (a_.inner_first() ? 1 : 0) + (b_.inner_first() ? 2 : 0);
        left_ -= depth;
        if (left_ <= 0) next_term();
        return orders;
    }

private:
    __device__ __forceinline__ void next_term() {
        while (term_ < product_.terms) {
            const typename Product<T>::Term& term = product_.term[term_++];
            if (column_ >= term.columns) continue;
            left_ = term.inner;
            a_.start(term.a.data, term.a.row, term.a.column, row_, product_.rows, term.inner);
            b_.start(term.b.data, term.b.column, term.b.row, column_, term.columns, term.inner);
            return;
        }
    }

    const Product<T>& product_;
    Index row_, column_, left_ = 0;
    int term_ = 0;
    Loader<T> a_, b_;
};

/// Sums of a warp, and where they are in the tile: as device::multiply() has them.
struct WarpTile {
    int row, column, g, t;
    double sums[2][4][4] = {};

    __device__ __forceinline__ WarpTile() {
        const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
        row = warp / warps_across * warp_side, column = warp % warps_across * warp_side;
        g = lane / 4, t = lane % 4;
    }

    /// `rows`, `columns` of the tile are there.
    template <class T>
    __device__ __forceinline__ void multiply(const T* a, const T* b, int orders, int rows, int columns) {
        if (row >= rows || column >= columns) return;
        const Pitches of_a = pitches((orders & 1) != 0), of_b = pitches((orders & 2) != 0);
        const T* const at_a = a + (row + g) * of_a.along + t * of_a.inner;
        const T* const at_b = b + (column + g) * of_b.along + t * of_b.inner;
        const bool both = row + 16 < rows;
#pragma unroll
        for (int k = 0; k < depth; k += 8) {
            double left[2][4], right[4][2];
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    left[i][e] =
                        static_cast<double>(at_a[(16 * i + e % 2 * 8) * of_a.along + (k + e / 2 * 4) * of_a.inner]);
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int e = 0; e < 2; ++e)
                    right[j][e] = static_cast<double>(at_b[8 * j * of_b.along + (k + 4 * e) * of_b.inner]);
#pragma unroll
            for (int i = 0; i < 2; ++i)
                if (i == 0 || both)
#pragma unroll
                    for (int j = 0; j < 4; ++j) device::multiply(sums[i][j], left[i], right[j]);
        }
    }

    template <class T>
    __device__ __forceinline__ void store(const Product<T>& product, Index first_row, Index first_column) const {
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const Index r = first_row + row + 16 * i + g + e / 2 * 8;
                    const Index c = first_column + column + 8 * j + 2 * t + e % 2;
                    if (r >= product.rows || c >= product.columns) continue;
                    double value = sums[i][j][e];
                    if (product.times.data != nullptr)
                        value *= static_cast<double>(
                            product.times.data[r * product.times.row + c * product.times.column]);
                    product.out.data[r * product.out.row + c * product.out.column] = static_cast<T>(value);
                }
    }
};

template <class T>
__global__ void __launch_bounds__(product_threads, 3) product_kernel(const Product<T>* const table) {
    __shared__ T a[stages][piece], b[stages][piece];
    const Product<T>& product = table[blockIdx.z];
    const Index first_row = Index{blockIdx.y} * tile, first_column = Index{blockIdx.x} * tile;
    if (first_row >= product.rows || first_column >= product.columns) return;
    const int rows = static_cast<int>(min(product.rows - first_row, Index{tile}));
    const int columns = static_cast<int>(min(product.columns - first_column, Index{tile}));
    Pieces<T> pieces(product, first_row, first_column);
    WarpTile mine;
    int stage = 0;
    int orders = pieces.copy(a[0], b[0]);
    device::end_of_stage();
    while (orders >= 0) {
        const int next = pieces.copy(a[1 - stage], b[1 - stage]);
        device::end_of_stage();
        device::wait_for_stage<1>();
        __syncthreads();
        mine.multiply(a[stage], b[stage], orders, rows, columns);
        __syncthreads();
        orders = next;
        stage = 1 - stage;
    }
    mine.store(product, first_row, first_column);
}

enum class Step { take, give, move_outside };

template <class T, Step step>
__global__ void planes_kernel(const __grid_constant__ AllFacePlanes<T> planes) {
    const FacePlanes<T>& mine = planes.of[blockIdx.z];
    const Index j = Index{blockIdx.x} * plane_threads + threadIdx.x;
    if (j >= mine.columns.even()) return;
    for (Index i = blockIdx.y; i < mine.rows.even(); i += gridDim.y) {
        if constexpr (step == Step::take) mine.take(i, j);
        if constexpr (step == Step::give) mine.give(i, j);
        if constexpr (step == Step::move_outside) mine.move_outside(i, j);
    }
}

template <class T, Step step>
void launch_planes(const AllFacePlanes<T>& planes, Stream stream) {
    constexpr Index most = 65535;  // of a launch's second dimension
    Index rows = 1, columns = 1;
    for (const FacePlanes<T>& each : planes.of)
        rows = std::max(rows, each.rows.even()), columns = std::max(columns, each.columns.even());
    const dim3 grid(cuda::blocks(cuda::divide_up(columns, plane_threads)),
                    static_cast<unsigned>(std::min(rows, most)), 3);
    planes_kernel<T, step><<<grid, plane_threads, 0, cuda::queue(stream)>>>(planes);
    cuda::check(cudaGetLastError(), "launch of planes next to free faces");
}

}  // namespace

template <class T>
void launch_products(const Products<T>& products, Stream stream) {
    if (products.count == 0) return;
    const dim3 grid(cuda::blocks(cuda::divide_up(products.columns, tile)),
                    cuda::blocks(cuda::divide_up(products.rows, tile)), static_cast<unsigned>(products.count));
    product_kernel<<<grid, product_threads, 0, cuda::queue(stream)>>>(products.table);
    cuda::check(cudaGetLastError(), "launch of products of faces");
}

template <class T>
void launch_take(const AllFacePlanes<T>& planes, Stream stream) {
    launch_planes<T, Step::take>(planes, stream);
}
template <class T>
void launch_give(const AllFacePlanes<T>& planes, Stream stream) {
    launch_planes<T, Step::give>(planes, stream);
}
template <class T>
void launch_move_outside(const AllFacePlanes<T>& planes, Stream stream) {
    launch_planes<T, Step::move_outside>(planes, stream);
}

template void launch_products(const Products<float>&, Stream);
template void launch_products(const Products<double>&, Stream);
template void launch_take(const AllFacePlanes<float>&, Stream);
template void launch_take(const AllFacePlanes<double>&, Stream);
template void launch_give(const AllFacePlanes<float>&, Stream);
template void launch_give(const AllFacePlanes<double>&, Stream);
template void launch_move_outside(const AllFacePlanes<float>&, Stream);
template void launch_move_outside(const AllFacePlanes<double>&, Stream);

}  // namespace poisson3d::walled
