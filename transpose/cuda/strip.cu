#include "strip.cuh"

namespace poisson3d::cuda {

void launch_strips(const MatrixBatch& m, Index band, int element_bytes, const void* in, void* out,
                   cudaStream_t stream) {
    with_word(element_bytes, [&]<class Word>(Word) {
        launch_strip_kernel<typename BestStrip<sizeof(Word)>::Shape>(m, NoHook{}, band, in, out, stream);
    });
}

std::string describe_strips(const MatrixBatch& m, int element_bytes) {
    std::string text;
    with_word(element_bytes, [&]<class Word>(Word) {
        using Shape = typename BestStrip<sizeof(Word)>::Shape;
        text = "strips of " + std::to_string(Shape::columns) + " columns, " +
               std::to_string(make_strip_grid<Shape>(m, false, 0).segment_rows) + " rows a block";
    });
    return text;
}

}  // namespace poisson3d::cuda
