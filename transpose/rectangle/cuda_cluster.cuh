// Clusters: blocks that wait for each other at a barrier and read and write each other's shared memory (compute
// capability 9.0). A kernel that is launched without a cluster is a cluster of one.
#pragma once

#include <cooperative_groups.h>

#include "common/cuda_words.hpp"

namespace poisson3d::cuda {

template <bool Clustered>
__device__ __forceinline__ void synchronize() {
#if __CUDA_ARCH__ >= 900
    if constexpr (Clustered) {
        cooperative_groups::this_cluster().sync();
        return;
    }
#endif
    __syncthreads();
}

template <bool Clustered>
__device__ __forceinline__ unsigned rank_in_cluster() {
#if __CUDA_ARCH__ >= 900
    if constexpr (Clustered) return cooperative_groups::this_cluster().block_rank();
#endif
    return 0;
}

/// `mine` in the shared memory of another block of the cluster.
template <class Word>
__device__ __forceinline__ Word* shared_of(Word* mine, unsigned rank) {
#if __CUDA_ARCH__ >= 900
    return cooperative_groups::this_cluster().map_shared_rank(mine, static_cast<int>(rank));
#else
    return mine;
#endif
}

/// Clusters of more than 8 blocks must be allowed first.
template <class Kernel>
void allow_cluster(Kernel kernel, int cluster) {
    if (cluster > 8)
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "a large cluster");
}

template <class... Parameters, class... Arguments>
void launch_cluster(void (*kernel)(Parameters...), Index blocks_wanted, int threads, int shared_bytes, int cluster,
                    cudaStream_t stream, const char* what, Arguments... arguments) {
    allow_shared(kernel, shared_bytes);
    allow_cluster(kernel, cluster);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks(blocks_wanted));
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
    config.attrs = &attribute;
    config.numAttrs = cluster > 1 ? 1 : 0;
    config.stream = stream;
    check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), what);
}

}  // namespace poisson3d::cuda
