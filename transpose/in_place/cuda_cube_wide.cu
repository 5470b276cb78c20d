// The bricks of cubes by wide loads that are chosen for each size of an element (docs/notes.md).
#include "in_place/cuda_cube_wide.cuh"

#include "rectangle/cuda_sweeps.hpp"

namespace poisson3d::cuda {

namespace {

/// Calls body(shape): pitch in shared memory, side of a brick, cluster, threads, blocks per processor, group.
template <class Body>
void with_shape(int element_bytes, const Body& body) {
    switch (element_bytes) {
        case 4: return body(WideCubeShape<Word4, 128, 29, 8, 256, 4, 4>{});
        case 8: return body(WideCubeShape<Word8, 256, 31, 8, 384, 2, 2>{});
        default: return body(WideCubeShape<Word16, 512, 32, 16, 256, 2, 2>{});
    }
}

}  // namespace

bool wide_cube_runs() {
    int device = 0;
    int major = 0;
    check(cudaGetDevice(&device), "current device");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "capability of the device");
    return (major == 9 || major == 10) && compiled_for_clusters();  // those that grant clusters of 16
}

int wide_cube_brick_side(int element_bytes) {
    int side = 0;
    with_shape(element_bytes, [&]<class Shape>(Shape) { side = Shape::side; });
    return side;
}

void launch_wide_cube(const Cubes& cubes, void* data, cudaStream_t stream) {
    with_shape(cubes.element_bytes,
               [&]<class Shape>(Shape) { launch_wide_cube_shape<Shape>(cubes, data, stream); });
}

}  // namespace poisson3d::cuda
