// The tiles of exchanges by wide loads that are chosen for each size of an element (docs/notes.md).
#include "in_place/cuda_exchange_wide.cuh"

namespace poisson3d::cuda {

namespace {

/// Calls body(shape): pitch in shared memory, threads, blocks per processor.
template <class Body>
void with_shape(int element_bytes, const Body& body) {
    switch (element_bytes) {
        case 4: return body(WideExchangeShape<Word4, 256, 256, 5>{});
        case 8: return body(WideExchangeShape<Word8, 512, 256, 3>{});
        default: return body(WideExchangeShape<Word16, 512, 256, 5>{});
    }
}

}  // namespace

int wide_exchange_tile_side(const Squares& s) {
    int side = 0;
    with_shape(s.element_bytes, [&]<class Shape>(Shape) { side = Shape::side; });
    return side;
}

void launch_wide_exchange(const Squares& s, const TriangleOrder& order, void* data, cudaStream_t stream) {
    with_shape(s.element_bytes,
               [&]<class Shape>(Shape) { launch_wide_exchange_shape<Shape>(s, order, data, stream); });
}

}  // namespace poisson3d::cuda
