#include "out_of_place/cuda_strips.cuh"

namespace poisson3d::cuda {

namespace {

/// Calls body(shape) with the shape of strip for this matrix: the best for the word, but a narrow one where few
/// small columns would leave half of it empty.
template <class Body>
void with_shape(const MatrixBatch& m, int element_bytes, Body&& body) {
    if (element_bytes == 4 && m.columns <= 32) return body(StripShape<WordOf<4>::Type, 32, 64, 256, 6, 192>{});
    with_word(element_bytes, [&]<class Word>(Word) { body(typename BestStrip<sizeof(Word)>::Shape{}); });
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
               std::to_string(make_strip_grid<Shape>(m, 0).segment_rows) + " rows a block";
    });
    return text;
}

}  // namespace poisson3d::cuda
