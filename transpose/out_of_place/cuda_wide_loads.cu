// The tiles by wide loads that are chosen for each size of an element (docs/notes.md).
#include "out_of_place/cuda_wide_loads.cuh"

#include "out_of_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

/// Calls body(shape): pitch in shared memory, rows written, threads, blocks per processor.
template <class Body>
void with_shape(const MatrixBatch& m, int element_bytes, const Body& body) {
    // More columns than two narrow tiles have: fewer pieces of rows that begin within a line.
    if (element_bytes == 4 && m.columns > 122) return body(WideLoadShape<Word4, 512, 160, 512, 2>{});
    switch (element_bytes) {
        case 1: return body(WideLoadShape<Word1, 128, 256, 256, 4>{});
        case 2: return body(WideLoadShape<Word2, 128, 320, 256, 4>{});
        case 4: return body(WideLoadShape<Word4, 256, 160, 256, 4>{});
        case 8: return body(WideLoadShape<Word8, 256, 160, 256, 4>{});
        default: return body(WideLoadShape<Word16, 512, 96, 256, 4>{});
    }
}

}  // namespace

void launch_wide_loads(const MatrixBatch& m, Index band, int element_bytes, const void* in, void* out,
                       cudaStream_t stream) {
    with_shape(m, element_bytes,
               [&]<class Shape>(Shape) { launch_wide_load_shape<Shape>(m, band, in, out, stream); });
}

std::string describe_wide_loads(const MatrixBatch& m, int element_bytes) {
    std::string text;
    with_shape(m, element_bytes, [&]<class Shape>(Shape) {
        text = "tiles of up to " + std::to_string(Shape::P::columns) + " × " + std::to_string(Shape::segment);
    });
    return text;
}

}  // namespace poisson3d::cuda
