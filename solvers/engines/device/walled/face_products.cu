// Products of small matrices, and what else is done with faces: n² numbers, so that simple kernels do.
#include "cuda/check.hpp"
#include "cuda/launch.hpp"
#include "face_products.hpp"

namespace poisson3d::walled {

namespace {

constexpr int tile = 64;   ///< of results, a side
constexpr int depth = 16;  ///< of the inner index at a time
constexpr int each = 4;    ///< results of a thread, a side
constexpr int side = tile / each;

/// A block has a tile of results; a tile of either matrix is in shared memory at a time, and a thread sums 4 × 4 of
/// them in registers.
template <class T>
__global__ void __launch_bounds__(side* side) product_kernel(const __grid_constant__ Product<T> p) {
    __shared__ T a[depth][tile + 1], b[depth][tile + 1];
    const Index first_row = Index{blockIdx.y} * tile, first_column = Index{blockIdx.x} * tile;
    const int thread = static_cast<int>(threadIdx.x);
    const int row = thread / side, column = thread % side;
    // Neighbouring threads read neighbours in memory, whichever index that is.
    const bool a_rows = p.a.row == 1, b_columns = p.b.column == 1;
    T sum[each][each] = {};
    for (Index k = 0; k < p.inner; k += depth) {
        for (int e = thread; e < depth * tile; e += side * side) {
            const int ai = a_rows ? e % tile : e / depth, ak = a_rows ? e / tile : e % depth;
            const Index i = first_row + ai, in_a = k + ak;
            a[ak][ai] = i < p.rows && in_a < p.inner ? p.a.data[i * p.a.row + in_a * p.a.column] : T(0);
            const int bj = b_columns ? e % tile : e / depth, bk = b_columns ? e / tile : e % depth;
            const Index j = first_column + bj, in_b = k + bk;
            b[bk][bj] = j < p.columns && in_b < p.inner ? p.b.data[in_b * p.b.row + j * p.b.column] : T(0);
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < depth; ++d) {
            T left[each], right[each];
#pragma unroll
            for (int i = 0; i < each; ++i) left[i] = a[d][row + i * side], right[i] = b[d][column + i * side];
#pragma unroll
            for (int i = 0; i < each; ++i)
#pragma unroll
                for (int j = 0; j < each; ++j) sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < each; ++i)
        for (int j = 0; j < each; ++j) {
            const Index r = first_row + row + i * side, c = first_column + column + j * side;
            if (r >= p.rows || c >= p.columns) continue;
            T& out = p.out.data[r * p.out.row + c * p.out.column];
            out = p.add ? out + sum[i][j] : sum[i][j];
        }
}

template <class T>
__global__ void times_kernel(const T* table, T* data, Index count) {
    const Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) data[i] *= table[i];
}

template <class T>
__global__ void parts_kernel(const __grid_constant__ FaceParts<T> p) {
    const Index at = Index{blockIdx.x} * blockDim.x + threadIdx.x;
    if (at >= p.rows * p.columns) return;
    const Index from = at / p.columns * p.row + at % p.columns * p.column;
    const bool both = p.face[0] != nullptr && p.face[1] != nullptr;
    const T lower = p.face[0] != nullptr ? p.face[0][from] : T(0);
    const T upper = p.face[1] != nullptr ? p.face[1][from] : T(0);
    p.part[0][at] = lower + upper;
    p.value[0][at] = p.times * (lower + upper);
    if (!both) return;
    p.part[1][at] = lower - upper;
    p.value[1][at] = p.times * (lower - upper);
}

template <class T>
__global__ void faces_kernel(const __grid_constant__ FacesOfParts<T> p) {
    const Index at = Index{blockIdx.x} * blockDim.x + threadIdx.x;
    if (at >= p.rows * p.columns) return;
    const Index to = at / p.columns * p.row + at % p.columns;
    if (p.face[0] == nullptr || p.face[1] == nullptr) {
        p.face[p.face[0] != nullptr ? 0 : 1][to] = p.value[0][at];
        return;
    }
    p.face[0][to] = (p.value[0][at] + p.value[1][at]) / 2;
    p.face[1][to] = (p.value[0][at] - p.value[1][at]) / 2;
}

constexpr int threads = 256;

unsigned blocks_of(Index count) {
    return cuda::blocks((count + threads - 1) / threads);
}

}  // namespace

template <class T>
void launch_product(const Product<T>& product, Stream stream) {
    if (product.rows == 0 || product.columns == 0) return;
    const dim3 grid(cuda::blocks((product.columns + tile - 1) / tile),
                    cuda::blocks((product.rows + tile - 1) / tile));
    product_kernel<<<grid, side * side, 0, cuda::queue(stream)>>>(product);
    cuda::check(cudaGetLastError(), "launch of a product of faces");
}

template <class T>
void launch_times(const T* table, T* data, Index count, Stream stream) {
    times_kernel<<<blocks_of(count), threads, 0, cuda::queue(stream)>>>(table, data, count);
    cuda::check(cudaGetLastError(), "launch of a product of faces and a table");
}

template <class T>
void launch_parts(const FaceParts<T>& parts, Stream stream) {
    parts_kernel<<<blocks_of(parts.rows * parts.columns), threads, 0, cuda::queue(stream)>>>(parts);
    cuda::check(cudaGetLastError(), "launch of sums of faces");
}

template <class T>
void launch_faces(const FacesOfParts<T>& faces, Stream stream) {
    faces_kernel<<<blocks_of(faces.rows * faces.columns), threads, 0, cuda::queue(stream)>>>(faces);
    cuda::check(cudaGetLastError(), "launch of the values of faces");
}

template void launch_product(const Product<float>&, Stream);
template void launch_product(const Product<double>&, Stream);
template void launch_times(const float*, float*, Index, Stream);
template void launch_times(const double*, double*, Index, Stream);
template void launch_parts(const FaceParts<float>&, Stream);
template void launch_parts(const FaceParts<double>&, Stream);
template void launch_faces(const FacesOfParts<float>&, Stream);
template void launch_faces(const FacesOfParts<double>&, Stream);

}  // namespace poisson3d::walled
