// The strips that are chosen for each size of an element.
#include "out_of_place/cuda_strips.cuh"

#include "out_of_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

/// Calls body(shape) with the shape measured best for a word size (docs/notes.md): columns, step, threads, blocks
/// per processor, segment.
template <class Body>
void with_shape(const MatrixBatch& m, int element_bytes, const Body& body) {
    switch (element_bytes) {
        case 1: return body(StripShape<Word1, 64, 128, 256, 4, 256>{});
        case 2: return body(StripShape<Word2, 64, 64, 256, 4, 192>{});
        case 4:  // a wide strip would leave half of it empty where there are few columns
            if (m.columns <= 32) return body(StripShape<Word4, 32, 64, 256, 6, 192>{});
            return body(StripShape<Word4, 64, 64, 256, 4, 128>{});
        case 8: return body(StripShape<Word8, 32, 64, 256, 4, 128>{});
        default: return body(StripShape<Word16, 32, 32, 256, 4, 64>{});
    }
}

}  // namespace

void launch_strips(const MatrixBatch& m, Index band, int element_bytes, const void* in, void* out,
                   cudaStream_t stream) {
    with_shape(m, element_bytes, [&]<class Shape>(Shape) { launch_strip_kernel<Shape>(m, band, in, out, stream); });
}

std::string describe_strips(const MatrixBatch& m, int element_bytes) {
    std::string text;
    with_shape(m, element_bytes, [&]<class Shape>(Shape) {
        text = "strips of " + std::to_string(Shape::columns) + " columns, " +
               std::to_string(make_strip_grid<Shape>(m, 0, nullptr).segment_rows) + " rows a block";
    });
    return text;
}

}  // namespace poisson3d::cuda
