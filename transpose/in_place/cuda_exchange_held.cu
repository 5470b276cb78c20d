// Wide tiles of squares in place: the shapes that are chosen for each size of an element (docs/notes.md).
#include "in_place/cuda_exchange_held.cuh"

namespace poisson3d::cuda {

namespace {

/// Calls body(shape): pitch in shared memory, threads, blocks per processor.
template <class Body>
void with_shape(int element_bytes, const Body& body) {
    switch (element_bytes) {
        case 4: return body(HeldExchangeShape<Word4, 512, 512, 2>{});
        case 8: return body(HeldExchangeShape<Word8, 768, 384, 2>{});
        default: return body(HeldExchangeShape<Word16, 768, 384, 3>{});
    }
}

}  // namespace

int exchange_held_tile_side(const Squares& s) {
    int side = 0;
    with_shape(s.element_bytes, [&]<class Shape>(Shape) { side = Shape::side; });
    return side;
}

void launch_exchange_held(const Squares& s, const TriangleOrder& order, void* data, cudaStream_t stream) {
    with_shape(s.element_bytes,
               [&]<class Shape>(Shape) { launch_exchange_held_shape<Shape>(s, order, data, stream); });
}

}  // namespace poisson3d::cuda
