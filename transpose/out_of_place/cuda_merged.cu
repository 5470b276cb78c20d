// The tiles of merged axes that are chosen for each size of an element.
#include "out_of_place/cuda_merged.cuh"

namespace poisson3d::cuda {

namespace {

template <class Body>
void with_shape(int element_bytes, const Body& body) {
    switch (element_bytes) {
        case 4: return body(WideLoadShape<Word4, 256, 160, 256, 4>{});
        case 8: return body(WideLoadShape<Word8, 256, 160, 256, 4>{});
        default: return body(WideLoadShape<Word16, 512, 96, 256, 3>{});
    }
}

}  // namespace

bool merged_applies(const Movement& movement, int element_bytes) {
    MergedMatrix m{};
    return plan_merged(movement, element_bytes, m);
}

void launch_merged(const Movement& movement, int element_bytes, const void* in, void* out, cudaStream_t stream) {
    with_shape(element_bytes,
               [&]<class Shape>(Shape) { launch_merged_shape<Shape>(movement, 0, in, out, stream); });
}

}  // namespace poisson3d::cuda
