#include "cuda/launch.hpp"
#include "launch_pass.hpp"
#include "long_fft_block.hpp"

namespace poisson3d::fused {

namespace {

template <class T>
constexpr int registers = sizeof(T) == 8 ? 128 : 96;

struct BlockBarrier {
    __device__ __forceinline__ void operator()() const { __syncthreads(); }
};

template <bool columns, class T>
__global__ void __maxnreg__(registers<T>)
    long_fft_kernel(const __grid_constant__ LongFftSide<T> side, const __grid_constant__ LongFftData<T> data) {
    extern __shared__ unsigned char memory[];
    long_fft_block<columns>(side, data, Index{blockIdx.x}, static_cast<int>(blockIdx.y) << side.shift,
                            reinterpret_cast<Complex<T>*>(memory), BlockBarrier{});
}

}  // namespace

template <class T>
void launch_long_fft(const LongFftSide<T>& side, const BlockShape& shape, bool columns, const LongFftData<T>& data,
                     Stream stream) {
    const auto kernel = columns ? &long_fft_kernel<true, T> : &long_fft_kernel<false, T>;
    constexpr std::size_t always_allowed = std::size_t{48} << 10;
    if (shape.bytes > always_allowed)
        cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(max_shared())),
                    "shared memory of a long FFT");
    const dim3 blocks(cuda::blocks(data.ffts), static_cast<unsigned>(((side.other - 1) >> side.shift) + 1));
    kernel<<<blocks, shape.threads, shape.bytes, cuda::queue(stream)>>>(side, data);
    cuda::check(cudaGetLastError(), "launch of a long FFT");
}

template void launch_long_fft(const LongFftSide<float>&, const BlockShape&, bool, const LongFftData<float>&,
                              Stream);
template void launch_long_fft(const LongFftSide<double>&, const BlockShape&, bool, const LongFftData<double>&,
                              Stream);

}  // namespace poisson3d::fused
