// Fields of more than 2^32 elements, made and checked on the device: an index that wraps at 32 bits shows.
#pragma once

#include <gtest/gtest.h>

#include "common/cuda_words.hpp"
#include "device_values.cuh"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d::cuda {

struct Order {
    Index extents[3];  ///< of the input
    int permutation[3];
};

/// Counts elements of the output that are not the input's element they should be.
template <class Word>
__global__ void count_wrong(const Word* out, Order order, unsigned long long* wrong) {
    const Index n[3] = {order.extents[order.permutation[0]], order.extents[order.permutation[1]],
                        order.extents[order.permutation[2]]};
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < n[0] * n[1] * n[2]; i += step) {
        Index at[3];
        at[order.permutation[0]] = i / (n[1] * n[2]);
        at[order.permutation[1]] = i / n[2] % n[1];
        at[order.permutation[2]] = i % n[2];
        const Index from = (at[0] * order.extents[1] + at[1]) * order.extents[2] + at[2];
        if (out[i] != value_of<Word>(from)) atomicAdd(wrong, 1ULL);
    }
}

template <class Word>
void fill_large(void* data, Index count) {
    fill_values<<<4096, 256>>>(static_cast<Word*>(data), count);
    check(cudaGetLastError(), "fill");
}

/// Fails the test unless `data` is the field that fill_large() made of `points`, its axes in the order
/// `permutation`.
template <class Word>
void expect_permuted(const void* data, const Extents& points, const Permutation& permutation,
                     const std::string& description) {
    const DeviceBuffer wrong(sizeof(unsigned long long));
    fill_on_device(wrong.data(), 0, sizeof(unsigned long long));
    const Order order{{points[0], points[1], points[2]}, {permutation[0], permutation[1], permutation[2]}};
    count_wrong<<<4096, 256>>>(static_cast<const Word*>(data), order,
                               static_cast<unsigned long long*>(wrong.data()));
    check(cudaGetLastError(), "check");
    unsigned long long result = 1;
    copy_to_host(&result, wrong.data(), sizeof result);
    EXPECT_EQ(result, 0U) << description;
}

}  // namespace poisson3d::cuda
