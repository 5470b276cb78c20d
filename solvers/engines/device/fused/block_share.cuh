// The line κ = 0 by a block of threads (constant_line.hpp).
#pragma once

#include "constant_line.hpp"

namespace poisson3d::fused {

/// A line shared by all threads of a block.
template <class T>
struct BlockShare {
    int first, end;
    lines::Wide<T>* sums;  ///< one for each thread

    static __device__ unsigned number() { return threadIdx.x + threadIdx.y * blockDim.x; }
    static __device__ unsigned threads() { return blockDim.x * blockDim.y; }
    __device__ explicit BlockShare(int count, void* shared) : sums(static_cast<lines::Wide<T>*>(shared)) {
        const auto start = [&](unsigned thread) {
            return static_cast<int>(static_cast<Index>(count) * thread / threads());
        };
        first = start(number());
        end = start(number() + 1);
    }

    /// By doubling: after each step a thread has the sum of twice as many up to its own.
    __device__ __noinline__ lines::SharedSum<T> sum(lines::Wide<T> mine) const {
        const unsigned t = number();
        sums[t] = mine;
        __syncthreads();
        for (unsigned distance = 1; distance < threads(); distance *= 2) {
            const lines::Wide<T> other = t >= distance ? sums[t - distance] : lines::Wide<T>(0.0);
            __syncthreads();
            sums[t] = sums[t] + other;
            __syncthreads();
        }
        const lines::SharedSum<T> sum{t > 0 ? sums[t - 1] : lines::Wide<T>(0.0), sums[threads() - 1]};
        __syncthreads();
        return sum;
    }
};

}  // namespace poisson3d::fused
