// Rotation of a cube in place by turns (cube_turns.hpp): a block moves one plane of a brick.
//
// Rows are read in aligned words of 16 bytes and stored, turned, in whole lines of 128 bytes but for their ends
// (common/cuda_pieces.cuh). What is set aside are those words as they were read, so that it comes back in the same
// way. It is stored as what the second-level cache should keep, and read back as what it need keep no longer.
//
// Turns are taken in the order of tickets. A block reads, says so, and waits before it stores until what it
// overwrites has been read: by blocks with earlier tickets, of which none waits before it reads, but in stage 3,
// where it waits for what was set aside. So waiting ends.
#include <algorithm>

#include "common/cuda_batch.cuh"
#include "common/cuda_pieces.cuh"
#include "in_place/cube_turns.hpp"
#include "in_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

/// Pitch of a row in shared memory and of what is set aside in bytes, threads, blocks per processor.
template <class WordType, int Pitch, int Threads, int BlocksPerProcessor>
struct CubeTurnShape {
    using P = Pieces<WordType, Pitch>;
    static constexpr int threads = Threads;
    static constexpr int blocks = BlocksPerProcessor;
    static constexpr int side = P::aligned_columns;  ///< of a brick where all rows begin at lines, else P::columns
    static constexpr int spans = (side + P::line - 2) / P::span + 1;
    static constexpr int shared_bytes = P::bytes(side);
    static constexpr Index plane_bytes = Index{side} * Pitch;  ///< set aside
    static constexpr Index aside_bytes = CubeTurns::slots * side * plane_bytes;
    static_assert(P::pack == 1);
};

__device__ __forceinline__ void set_aside(unsigned char* to, uint4 word) {
    asm volatile(
        "{ .reg .b64 keep; createpolicy.fractional.L2::evict_last.b64 keep, 1.0;"
        " st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, keep; }" ::"l"(__cvta_generic_to_global(to)),
        "r"(word.x), "r"(word.y), "r"(word.z), "r"(word.w)
        : "memory");
}

/// Begins to read a word of 16 bytes that was set aside.
__device__ __forceinline__ void bring_back(unsigned char* shared, const unsigned char* from) {
    asm volatile(
        "{ .reg .b64 leave; createpolicy.fractional.L2::evict_first.b64 leave, 1.0;"
        " cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, leave; }" ::"r"(
            static_cast<unsigned>(__cvta_generic_to_shared(shared))),
        "l"(__cvta_generic_to_global(from))
        : "memory");
}

/// Calls move(row, word) for the words of 16 bytes of a plane's rows, `words` of them in each row.
template <class Shape, class Move>
__device__ __forceinline__ void for_words(int rows, int words, Move move) {
    constexpr int most = Shape::P::pitch / 16;
    const int word = static_cast<int>(threadIdx.x) % most;
    if (word >= words) return;
#pragma unroll 4
    for (int row = static_cast<int>(threadIdx.x) / most; row < rows; row += Shape::threads / most) move(row, word);
}

__device__ __forceinline__ void count_plane(unsigned* counter) {  // by one thread, after a barrier
    __threadfence();
    atomicAdd(counter, 1U);
}

/// One thread returns when all planes have been counted; a barrier behind it lets the others go.
__device__ __forceinline__ void wait_for_planes(const unsigned* counter, int planes) {
    const volatile unsigned* const count = counter;
    while (*count != static_cast<unsigned>(planes)) __nanosleep(100);
    __threadfence();
}

/// A brick in memory: where it begins, and how many elements it has along each axis.
struct TurnedBrick {
    unsigned char* data;
    int a, b, c;
};

template <class Shape, bool Back>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    cube_turn_kernel(Cubes cubes, CubeTurns turns, int side, Index bricks, unsigned* counters, unsigned char* data,
                     unsigned char* aside) {
    using P = typename Shape::P;
    extern __shared__ __align__(16) unsigned char shared[];
    __shared__ unsigned ticket;
    const bool first_thread = threadIdx.x == 0;
    if (first_thread) ticket = atomicAdd(counters, 1U);
    __syncthreads();
    const auto [orbit, stage, j] = turns.turn(ticket);
    if (orbit < 0) return;
    const auto [field, k] = divide(orbit, cube::orbits(bricks));
    const Brick p = cube::orbit(bricks, k);
    const Brick after = cube::next(p);
    const Brick q = Back ? cube::next(after) : after;
    const Brick r = Back ? after : cube::next(after);
    const bool alone = p == q;
    if (alone && (stage == 1 || stage == 2)) return;

    const Index n = cubes.side;
    const Index row = n * P::size;
    const Index plane = n * row;
    unsigned char* const begin = data + field * cubes.batch_stride * P::size;
    const auto locate = [&](int which) {
        const Brick at = which == 1 ? q : which == 2 ? r : p;  // 3: as P
        const auto width = [&](Index brick) {
            return static_cast<int>(min(static_cast<Index>(side), n - brick * side));
        };
        return TurnedBrick{begin + (at.a * plane + at.b * row + at.c * P::size) * side, width(at.a), width(at.b),
                           width(at.c)};
    };
    const TurnedBrick from = locate(brick_read(stage));
    const Index last = (cubes.batch - 1) * cubes.batch_stride + n * n * n;
    const Readable readable{data, data + last * P::size};
    // How far it is from plane to plane and from row to row where bricks are read; stored, it is row and plane.
    const Index read_row = Back ? row : plane;
    const unsigned char* const piece = from.data + j * (Back ? plane : row);
    const bool exists = j < (Back ? from.a : from.b);
    const int rows = exists ? (Back ? from.b : from.a) : 0;
    unsigned char* const kept = aside + (orbit % CubeTurns::slots * side + j) * Shape::plane_bytes;
    const int words = min((from.c * P::size + 30) / 16, P::pitch / 16);  // wherever a row begins

    if (stage == 3) {
        if (first_thread) wait_for_planes(counters + turns.aside_counter(orbit), turns.planes);
        __syncthreads();
        for_words<Shape>(rows, words, [&](int y, int word) {
            bring_back(shared + P::offset(y) + 16 * word, kept + y * P::pitch + 16 * word);
        });
    } else if (exists) {
        fetch_pieces<P, Shape::threads>(shared, piece, read_row, 0, rows, from.c * P::size, readable);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (first_thread) {
        count_plane(counters + turns.read_counter(orbit, stage));
        if (stage > 0 && !alone) wait_for_planes(counters + turns.read_counter(orbit, stage - 1), turns.planes);
        if (stage == 0 && orbit >= CubeTurns::slots)
            wait_for_planes(counters + turns.read_counter(orbit - CubeTurns::slots, 3), turns.planes);
    }
    __syncthreads();

    if (stage == 0) {
        for_words<Shape>(rows, words, [&](int y, int word) {
            set_aside(kept + y * P::pitch + 16 * word,
                      *reinterpret_cast<const uint4*>(shared + P::offset(y) + 16 * word));
        });
        __syncthreads();
        if (first_thread) count_plane(counters + turns.aside_counter(orbit));
        return;
    }
    if (!exists) return;
    unsigned char* const to = locate(brick_stored(stage)).data + j * (Back ? row : plane);
    const Index store_row = Back ? plane : row;
    PieceColumn column{shared, behind_boundary(piece, 16), static_cast<int>(read_row & 15)};
    for (int c = static_cast<int>(threadIdx.x) / 32; c < from.c; c += Shape::threads / 32) {
        unsigned char* const target = to + c * store_row;
        column.shared = shared + c * P::size;
        store_column<P, Shape::spans>(column, target, -behind_boundary(target, 128) / P::size, rows);
    }
}

/// The side of a brick: bricks of near-equal size; of whole lines where all rows begin at lines.
template <class Shape>
int turn_side(const Cubes& cubes, const void* data) {
    using P = typename Shape::P;
    const auto bits = reinterpret_cast<std::uintptr_t>(data) | static_cast<std::uintptr_t>(cubes.side * P::size) |
                      static_cast<std::uintptr_t>(cubes.batch > 1 ? cubes.batch_stride * P::size : 0);
    const Index unit = bits % 128 == 0 ? P::line : 1;
    const Index most = unit > 1 ? P::aligned_columns : P::columns;
    return static_cast<int>(divide_up(divide_up(cubes.side, divide_up(cubes.side, most)), unit) * unit);
}

/// Orbits, and planes of a brick, at most: what counters and scratch memory are needed for.
template <class Shape>
CubeTurns most_turns(const Cubes& cubes) {
    const Index bricks = divide_up(cubes.side, Shape::P::columns);
    return {cubes.batch * cube::orbits(bricks), Shape::side};
}

template <class Shape, bool Back>
void launch_cube_turn_kernel(const Cubes& cubes, unsigned* counters, void* aside, void* data, cudaStream_t stream) {
    const int side = turn_side<Shape>(cubes, data);
    const Index bricks = divide_up(cubes.side, side);
    const CubeTurns turns{cubes.batch * cube::orbits(bricks), side};
    const int bytes = Shape::P::bytes(side);
    check(cudaMemsetAsync(counters, 0, static_cast<std::size_t>(turns.counters()) * sizeof(unsigned), stream),
          "counters of the rotation of a cube");
    allow_shared(cube_turn_kernel<Shape, Back>, Shape::shared_bytes);
    cube_turn_kernel<Shape, Back><<<blocks(turns.count()), Shape::threads, bytes, stream>>>(
        cubes, turns, side, bricks, counters, static_cast<unsigned char*>(data),
        static_cast<unsigned char*>(aside));
    check(cudaGetLastError(), "launch of the rotation of a cube by turns");
}

template <class Shape>
void launch_cube_turn_shape(const Cubes& cubes, unsigned* counters, void* aside, void* data, cudaStream_t stream) {
    cubes.back ? launch_cube_turn_kernel<Shape, true>(cubes, counters, aside, data, stream)
               : launch_cube_turn_kernel<Shape, false>(cubes, counters, aside, data, stream);
}

/// Calls body(shape), the shape that was measured fastest (docs/notes.md).
template <class Body>
void with_shape(int element_bytes, const Body& body) {
    switch (element_bytes) {
        case 4: return body(CubeTurnShape<Word4, 256, 256, 6>{});
        case 8: return body(CubeTurnShape<Word8, 512, 256, 5>{});
        default: return body(CubeTurnShape<Word16, 768, 384, 4>{});
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
