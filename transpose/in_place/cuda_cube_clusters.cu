// The rotation of a cube by clusters where it was measured faster: elements of 16 bytes (docs/notes.md).
#include "in_place/cuda_cube_clusters.cuh"

#include "rectangle/cuda_sweeps.hpp"

namespace poisson3d::cuda {

namespace {

/// Pitch in shared memory, side of a brick, cluster, threads, blocks per processor, group.
using Shape = ClusterCubeShape<Word16, 512, 32, 16, 256, 2, 2>;

}  // namespace

bool cube_clusters_run() {
    int device = 0;
    int major = 0;
    check(cudaGetDevice(&device), "current device");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "capability of the device");
    return (major == 9 || major == 10) && compiled_for_clusters();  // the chips that grant clusters of 16
}

int cube_clusters_brick_side() noexcept {
    return Shape::side;
}

void launch_cube_clusters(const Cubes& cubes, void* data, cudaStream_t stream) {
    launch_cluster_cube<Shape>(cubes, data, stream);
}

}  // namespace poisson3d::cuda
