// Rotation of a cube in place: which brick for which element (cube.cuh).
#include "in_place/cuda_cube.cuh"

namespace poisson3d::cuda {

namespace {

/// The shape measured best for a word size (docs/notes.md).
template <int Bytes>
struct BestCube;
template <>
struct BestCube<4> {
    using Shape = CubeShape<WordOf<4>::Type, 16, 256, 3>;
};
template <>
struct BestCube<8> {
    using Shape = CubeShape<WordOf<8>::Type, 16, 512, 2>;
};
template <>
struct BestCube<16> {
    using Shape = CubeShape<WordOf<16>::Type, 8, 128, 8>;
};

}  // namespace

int cube_brick_side(int element_bytes) {
    int side = 0;
    with_wide_word(element_bytes, [&]<class Word>(Word) { side = BestCube<sizeof(Word)>::Shape::side; });
    return side;
}

void launch_cube(const Cubes& cubes, void* data, cudaStream_t stream) {
    with_wide_word(cubes.element_bytes, [&]<class Word>(Word) {
        launch_cube_shape<typename BestCube<sizeof(Word)>::Shape>(cubes, data, stream);
    });
}

}  // namespace poisson3d::cuda
