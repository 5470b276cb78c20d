// Sums and maxima over all threads of a kernel, told to the host in the order of calls: within a block by its
// warps, then by the last block to end, in the order of blocks, so that they are the same bits every time. The
// result goes to pinned memory with the number of the call behind it, which the host looks at: half the time that a
// copy takes.
#pragma once

#include <array>
#include <atomic>
#include <cmath>

#include "cuda/check.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/pinned_memory.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::device {

inline constexpr int numbers = 4;  ///< that a call adds up, at most

/// What a kernel is given of them.
struct Told {
    double* partial = nullptr;      ///< `numbers` of each block
    unsigned* ended = nullptr;      ///< blocks that have ended
    double* result = nullptr;       ///< in memory of the host
    std::uint64_t* call = nullptr;  ///< there, too
    std::uint64_t number = 0;
};

/// value := that of all threads of the block, in thread 0. Numbers from `sums` on are maxima.
template <int sums, int all>
__device__ __forceinline__ void join_block(double (&value)[all]) {
    __shared__ double of_warps[all][32];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int warps = (static_cast<int>(blockDim.x) + 31) / 32;
    const auto join_warp = [&](double one, int n) {
#pragma unroll
        for (int half = 16; half > 0; half /= 2) {
            const double other = __shfl_xor_sync(0xffffffffU, one, half);
            one = n < sums ? one + other : fmax(one, other);
        }
        return one;
    };
#pragma unroll
    for (int n = 0; n < all; ++n) {
        value[n] = join_warp(value[n], n);
        if (lane == 0) of_warps[n][warp] = value[n];
    }
    __syncthreads();
    if (warp > 0) return;
#pragma unroll
    for (int n = 0; n < all; ++n)
        value[n] = join_warp(lane < warps ? of_warps[n][lane] : n < sums ? 0.0 : -INFINITY, n);
}

/// Called once by all threads of all blocks, whose number of threads is a multiple of 32.
template <int sums, int maxima, int room>
__device__ __forceinline__ void tell(const double (&mine)[room], const Told& told) {
    constexpr int all = sums + maxima;
    static_assert(all <= numbers && all <= room);
    __shared__ bool last;
    double value[all];
#pragma unroll
    for (int n = 0; n < all; ++n) value[n] = mine[n];
    join_block<sums>(value);
    if (threadIdx.x == 0) {
        for (int n = 0; n < all; ++n) told.partial[blockIdx.x * numbers + n] = value[n];
        __threadfence();
        last = atomicAdd(told.ended, 1U) + 1 == gridDim.x;
    }
    __syncthreads();  // and of_warps is free again
    if (!last) return;
    __threadfence();
#pragma unroll
    for (int n = 0; n < all; ++n) value[n] = n < sums ? 0.0 : -INFINITY;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
#pragma unroll
        for (int n = 0; n < all; ++n) {
            const double each = __ldcg(told.partial + block * numbers + n);
            value[n] = n < sums ? value[n] + each : fmax(value[n], each);
        }
    join_block<sums>(value);
    if (threadIdx.x > 0) return;
    *told.ended = 0;
    for (int n = 0; n < all; ++n) *static_cast<volatile double*>(told.result + n) = value[n];
    __threadfence_system();
    *static_cast<volatile std::uint64_t*>(told.call) = told.number;
}

/// The memory of one who calls in the default stream of a device, at most `blocks` blocks, one call at a time.
class ToldSums {
public:
    ToldSums(int device, Index blocks) {
        const DeviceScope scope(device);
        const auto of_blocks = static_cast<std::size_t>(blocks) * numbers * sizeof(double);
        memory_ = DeviceBuffer(of_blocks + sizeof(unsigned));
        host_ = PinnedBuffer((numbers + 1) * sizeof(double));
        told_.partial = static_cast<double*>(memory_.data());
        told_.ended = reinterpret_cast<unsigned*>(static_cast<std::byte*>(memory_.data()) + of_blocks);
        told_.result = static_cast<double*>(host_.data());
        told_.call = reinterpret_cast<std::uint64_t*>(told_.result + numbers);
        *told_.call = 0;
        fill_on_device(told_.ended, 0, sizeof(unsigned));
    }

    /// For the next kernel.
    Told next() {
        ++told_.number;
        return told_;
    }

    /// Waits for it. Throws Error{device} if it was not launched or failed.
    [[nodiscard]] std::array<double, numbers> wait(const char* what) {
        cuda::check(cudaGetLastError(), what);
        const std::atomic_ref<std::uint64_t> call(*told_.call);
        for (unsigned turn = 1; call.load(std::memory_order_acquire) != told_.number; ++turn) {
            if (turn % 4096 != 0) continue;
            const cudaError_t state = cudaStreamQuery(nullptr);
            if (state == cudaErrorNotReady) continue;
            cuda::check(state, what);
            if (call.load(std::memory_order_acquire) == told_.number) break;
            cuda::check(cudaDeviceSynchronize(), what);
        }
        std::array<double, numbers> found;
        for (int n = 0; n < numbers; ++n) found[static_cast<std::size_t>(n)] = told_.result[n];
        return found;
    }

private:
    DeviceBuffer memory_;
    PinnedBuffer host_;
    Told told_;
};

}  // namespace poisson3d::device
