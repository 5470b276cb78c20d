// Fields that are made and checked on the device: values that an index determines.
#pragma once

#include "poisson3d/grid.hpp"

namespace poisson3d::cuda {

/// A hash of the index (SplitMix64), cut to the element.
template <class Word>
__device__ Word value_of(Index i) {
    unsigned long long z = (static_cast<unsigned long long>(i) + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<Word>(z ^ (z >> 31));
}

template <class Word>
__global__ void fill_values(Word* data, Index count) {
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        data[i] = value_of<Word>(i);
}

}  // namespace poisson3d::cuda
