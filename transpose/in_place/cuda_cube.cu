// Rotation of a cube in place: a block moves the three bricks of an orbit (cube_orbits.hpp).
//
// Brick P moves to Q, Q to R and R to P, each rotated in itself. P and Q are loaded into shared memory and R into
// registers, all at the same time; then P is stored where Q was and Q where R was; then R takes P's room in shared
// memory and is stored where P was. Shared memory holds two bricks, not three, so that more blocks fit
// on a processor. Loads and stores are runs of one brick side along the contiguous axis: 128 bytes for 16 doubles.
//
// Element (a, b, c) of a brick lies at a·plane + b·row + c in shared memory. It is stored along c and read along a
// (the rotation) or along b (the rotation back); row and plane are odd, so that neither has bank conflicts.
#include <cuda_pipeline.h>

#include "common/cuda_batch.cuh"
#include "in_place/cube_orbits.hpp"
#include "in_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

/// Orbits are taken in groups: those of 4 × 4 × 4 neighbouring bricks one after the other.
constexpr Index group_side = 4;

template <class WordType, int Side, int Threads, int BlocksPerProcessor>
struct CubeShape {
    using Word = WordType;
    static constexpr int side = Side;
    static constexpr int threads = Threads;
    static constexpr int blocks = BlocksPerProcessor;
    static constexpr int volume = Side * Side * Side;
    static constexpr int per_thread = (volume + Threads - 1) / Threads;
    static constexpr int row = Side % 2 == 0 ? Side + 1 : Side;
    static constexpr int plane = Side * row % 2 == 0 ? Side * row + 1 : Side * row;
    static constexpr int room = Side * plane;  ///< of a brick, in words
    static constexpr int shared_bytes = 2 * room * static_cast<int>(sizeof(Word));
};

/// A brick in memory: where it begins, and how many elements it has along each axis.
template <class Word>
struct BrickInMemory {
    Word* data;
    int a, b, c;
};

template <class Shape, bool Back>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    cube_kernel(Cubes cubes, Index bricks, Index numbers, typename Shape::Word* __restrict__ data) {
    using Word = typename Shape::Word;
    constexpr int side = Shape::side;
    extern __shared__ __align__(16) unsigned char shared[];
    auto* const room_p = reinterpret_cast<Word*>(shared);
    Word* const room_q = room_p + Shape::room;

    const auto [field, k] = divide(blockIdx.x, numbers);
    const Brick p = cube::grouped_orbit(bricks, group_side, k);
    if (p.a < 0) return;
    const Brick next = cube::next(p);
    const Brick q = Back ? cube::next(next) : next;
    const Brick r = Back ? next : cube::next(next);
    const bool alone = p == q;

    const Index n = cubes.side;
    const Index plane = n * n;
    const auto locate = [&](Brick at) {
        const auto width = [&](Index brick) {
            return static_cast<int>(min(static_cast<Index>(side), n - brick * side));
        };
        return BrickInMemory<Word>{data + field * cubes.batch_stride + (at.a * plane + at.b * n + at.c) * side,
                                   width(at.a), width(at.b), width(at.c)};
    };
    const BrickInMemory<Word> at_p = locate(p);
    const BrickInMemory<Word> at_q = locate(q);
    const BrickInMemory<Word> at_r = locate(r);

    // Calls move(i, a, b, c) for this thread's elements of a brick, as far as they exist; i counts them.
    const auto for_elements = [&](const BrickInMemory<Word>& brick, auto move) {
#pragma unroll
        for (int i = 0; i < Shape::per_thread; ++i) {
            const int e = threadIdx.x + i * Shape::threads;
            const int a = e / (side * side);
            const int b = e / side % side;
            const int c = e % side;
            if (a < brick.a && b < brick.b && c < brick.c) move(i, a, b, c);
        }
    };
    const auto offset = [&](int a, int b, int c) { return a * plane + b * n + c; };
    const auto fetch = [&](const BrickInMemory<Word>& brick, Word* room) {
        for_elements(brick, [&](int, int a, int b, int c) {
            __pipeline_memcpy_async(room + a * Shape::plane + b * Shape::row + c, brick.data + offset(a, b, c),
                                    sizeof(Word));
        });
    };
    // What lies in `room`, rotated, to `target`.
    const auto store = [&](const Word* room, const BrickInMemory<Word>& target) {
        for_elements(target, [&](int, int i, int j, int l) {
            target.data[offset(i, j, l)] =
                Back ? room[j * Shape::plane + l * Shape::row + i] : room[l * Shape::plane + i * Shape::row + j];
        });
    };

    Word held[Shape::per_thread];
    fetch(at_p, room_p);
    if (!alone) {
        fetch(at_q, room_q);
        for_elements(at_r, [&](int i, int a, int b, int c) { held[i] = at_r.data[offset(a, b, c)]; });
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    store(room_p, at_q);
    if (alone) return;
    store(room_q, at_r);
    __syncthreads();
    for_elements(at_r,
                 [&](int i, int a, int b, int c) { room_p[a * Shape::plane + b * Shape::row + c] = held[i]; });
    __syncthreads();
    store(room_p, at_p);
}

template <class Shape, bool Back>
void launch_cube_kernel(const Cubes& cubes, void* data, cudaStream_t stream) {
    const Index bricks = divide_up(cubes.side, Shape::side);
    const Index length = cube::grouped_numbers(bricks, group_side);
    allow_shared(cube_kernel<Shape, Back>, Shape::shared_bytes);
    cube_kernel<Shape, Back><<<blocks(length * cubes.batch), Shape::threads, Shape::shared_bytes, stream>>>(
        cubes, bricks, length, static_cast<typename Shape::Word*>(data));
    check(cudaGetLastError(), "launch of the rotation of a cube");
}

/// Calls body(shape) with the shape measured best for a word size (docs/notes.md).
template <class Body>
void with_shape(int element_bytes, const Body& body) {
    switch (element_bytes) {
        case 4: return body(CubeShape<Word4, 16, 256, 3>{});
        case 8: return body(CubeShape<Word8, 16, 512, 2>{});
        default: return body(CubeShape<Word16, 8, 128, 8>{});
    }
}

}  // namespace

int cube_brick_side(int element_bytes) {
    int side = 0;
    with_shape(element_bytes, [&]<class Shape>(Shape) { side = Shape::side; });
    return side;
}

void launch_cube(const Cubes& cubes, void* data, cudaStream_t stream) {
    with_shape(cubes.element_bytes, [&]<class Shape>(Shape) {
        cubes.back ? launch_cube_kernel<Shape, true>(cubes, data, stream)
                   : launch_cube_kernel<Shape, false>(cubes, data, stream);
    });
}

}  // namespace poisson3d::cuda
