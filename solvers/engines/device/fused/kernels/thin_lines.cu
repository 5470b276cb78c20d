#include "thin_lines.hpp"

#include "cuda/check.hpp"
#include "cuda/launch.hpp"

namespace poisson3d::fused {

namespace {

template <int size, bool forward, class T>
__global__ void __launch_bounds__(thin_threads) thin_kernel(const __grid_constant__ ThinTask<T> task) {
    __shared__ T shared[thin_threads * thin_pitch(size)];
    const ThinBlock block = thin_block(task, blockIdx.z, blockIdx.y, blockIdx.x);
    const int t = static_cast<int>(threadIdx.x);
    if constexpr (forward) {
        load_thin<size>(task, block, t, shared);
        __syncthreads();
        thin_forward<size>(task, block, t, shared);
    } else {
        thin_backward<size>(task, block, t, shared);
        __syncthreads();
        store_thin<size>(task, block, t, shared);
    }
}

}  // namespace

template <class T>
void launch_thin_lines(bool forward, const ThinTask<T>& task, Stream stream) {
    const dim3 blocks(cuda::blocks(cuda::divide_up(task.lines, thin_threads)), static_cast<unsigned>(task.slow),
                      static_cast<unsigned>(task.fields));
    with_thin_size(task.n, [&]<int size>() {
        if (forward)
            thin_kernel<size, true, T><<<blocks, thin_threads, 0, cuda::queue(stream)>>>(task);
        else
            thin_kernel<size, false, T><<<blocks, thin_threads, 0, cuda::queue(stream)>>>(task);
    });
    cuda::check(cudaGetLastError(), "lines of a few elements");
}

template void launch_thin_lines(bool, const ThinTask<float>&, Stream);
template void launch_thin_lines(bool, const ThinTask<double>&, Stream);

}  // namespace poisson3d::fused
