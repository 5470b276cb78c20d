// The rotation of a cube by turns: the shapes that are chosen for each size of an element (docs/notes.md).
#include "in_place/cuda_cube_turns.cuh"

namespace poisson3d::cuda {

namespace {

/// Calls body(shape): pitch in shared memory, threads, blocks per processor.
template <class Body>
void with_shape(int element_bytes, const Body& body) {
    switch (element_bytes) {
        case 4: return body(CubeTurnShape<Word4, 512, 384, 3>{});
        case 8: return body(CubeTurnShape<Word8, 768, 384, 3>{});
        default: return body(CubeTurnShape<Word16, 1024, 512, 3>{});
    }
}

}  // namespace

CubeTurnsNeed cube_turns_need(const Cubes& cubes) {
    CubeTurnsNeed need{};
    with_shape(cubes.element_bytes, [&]<class Shape>(Shape) {
        need = {static_cast<std::size_t>(most_turns<Shape>(cubes).counters()) * sizeof(unsigned),
                static_cast<std::size_t>(Shape::aside_bytes), Shape::side};
    });
    return need;
}

void launch_cube_turns(const Cubes& cubes, void* counters, void* aside, void* data, cudaStream_t stream) {
    with_shape(cubes.element_bytes, [&]<class Shape>(Shape) {
        launch_cube_turn_shape<Shape>(cubes, static_cast<unsigned*>(counters), aside, data, stream);
    });
}

}  // namespace poisson3d::cuda
