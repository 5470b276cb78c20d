// Rotation of a cube in place by clusters: larger bricks than one block can hold, fetched in aligned words of 16
// bytes.
//
// An orbit's three bricks (cube_orbits.hpp) are shared out among the blocks of a cluster by planes that stay
// together. The rotation takes (a, b, c) to (b, c, a): with b fixed this is the transpose of a plane, rows a and
// columns c, and what a block has read of a plane it stores by itself. Only the places are another block's, so all
// blocks of the cluster have read everything before one of them stores:
//
//        block t: planes b of P, of Q and of R   ── read ──→   barrier of the cluster   ── store ──→   Q, R and P
//
// (The rotation back takes (a, b, c) to (c, a, b): with a fixed, rows b and columns c.) A row of a brick is so 240
// bytes where a block by itself has room for 128, which at odd sides is half as many lines touched for each byte.
#pragma once

#include "common/cuda_batch.cuh"
#include "common/cuda_pieces.cuh"
#include "in_place/cube_orbits.hpp"
#include "in_place/cuda_launchers.hpp"
#include "rectangle/cuda_cluster.cuh"

namespace poisson3d::cuda {

/// Pitch of a row in shared memory in bytes, greatest side of a brick, blocks of a cluster, threads, blocks per
/// processor, coarse bricks in groups of so many a side.
template <class WordType, int Pitch, int Side, int Cluster, int Threads, int BlocksPerProcessor, int Group>
struct ClusterCubeShape {
    using P = Pieces<WordType, Pitch>;
    static constexpr int side = Side;
    static constexpr int cluster = Cluster;
    static constexpr int threads = Threads;
    static constexpr int blocks = BlocksPerProcessor;
    static constexpr int group = Group;
    static constexpr int planes = (Side + Cluster - 1) / Cluster;  ///< of a brick that a block has
    static constexpr int spans = (Side + P::line - 2) / P::span + 1;
    static constexpr int plane_bytes = P::bytes(Side);
    static constexpr int shared_bytes = 3 * planes * plane_bytes;
    static_assert(Side <= P::columns && P::pack == 1 && plane_bytes % 16 == 0);
};

/// A brick in memory: where it begins, and how many elements it has along each axis.
struct PlacedBrick {
    unsigned char* data;
    int a, b, c;
};

template <class Shape, bool Back>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    cluster_cube_kernel(Cubes cubes, int side, Index bricks, Index numbers, Readable readable,
                        unsigned char* data) {
    using P = typename Shape::P;
    extern __shared__ __align__(16) unsigned char shared[];
    const int rank = static_cast<int>(blockIdx.x) % Shape::cluster;
    const auto [field, k] = divide(blockIdx.x / Shape::cluster, numbers);
    const Brick p = cube::grouped_orbit(bricks, Shape::group, k);
    if (p.a < 0) return;  // the whole cluster
    const Brick after = cube::next(p);
    const Brick q = Back ? cube::next(after) : after;
    const Brick r = Back ? after : cube::next(after);
    const bool alone = p == q;

    const Index n = cubes.side;
    const Index row = n * P::size;
    const Index plane = n * row;
    const auto locate = [&](Brick at) {
        const auto width = [&](Index brick) {
            return static_cast<int>(min(static_cast<Index>(side), n - brick * side));
        };
        return PlacedBrick{
            data + field * cubes.batch_stride * P::size + (at.a * plane + at.b * row + at.c * P::size) * side,
            width(at.a), width(at.b), width(at.c)};
    };
    const PlacedBrick all[3] = {locate(p), locate(q), locate(r)};
    const int first = rank * Shape::planes;
    // How far it is from plane to plane and from row to row where bricks are read, and where they are stored.
    const Index read_plane = Back ? plane : row;
    const Index read_row = Back ? row : plane;

#pragma unroll
    for (int i = 0; i < 3; ++i) {
        if (i > 0 && alone) break;
        const int planes = min(Back ? all[i].a : all[i].b, first + Shape::planes);
        for (int j = first; j < planes; ++j)
            fetch_pieces<P, Shape::threads>(shared + (i * Shape::planes + j - first) * Shape::plane_bytes,
                                            all[i].data + j * read_plane, read_row, 0, Back ? all[i].b : all[i].a,
                                            all[i].c * P::size, readable);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    synchronize<true>();

    const int turn = static_cast<int>(read_row & 15);
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        if (i > 0 && alone) break;
        const PlacedBrick& from = all[i];
        const PlacedBrick& to = all[alone ? 0 : (i + 1) % 3];
        const int planes = min(Back ? from.a : from.b, first + Shape::planes) - first;
        const int rows = Back ? from.b : from.a;
        for (int line = static_cast<int>(threadIdx.x) / 32; line < planes * from.c; line += Shape::threads / 32) {
            const int j = line / from.c;
            const int c = line - j * from.c;
            const unsigned char* const piece = from.data + (first + j) * read_plane;
            const PieceColumn column{shared + (i * Shape::planes + j) * Shape::plane_bytes + c * P::size,
                                     behind_boundary(piece, 16), turn};
            unsigned char* const target = to.data + (first + j) * (Back ? row : plane) + c * (Back ? plane : row);
            store_column<P, Shape::spans>(column, target, -behind_boundary(target, 128) / P::size, rows);
        }
    }
}

template <class Shape, bool Back>
void launch_cluster_cube_kernel(const Cubes& cubes, void* data, cudaStream_t stream) {
    const Index bricks = divide_up(cubes.side, Shape::side);
    const int side = static_cast<int>(divide_up(cubes.side, bricks));
    const Index numbers = cube::grouped_numbers(bricks, Shape::group);
    auto* const begin = static_cast<unsigned char*>(data);
    const Index elements = cubes.side * cubes.side * cubes.side + (cubes.batch - 1) * cubes.batch_stride;
    launch_cluster(cluster_cube_kernel<Shape, Back>, numbers * cubes.batch * Shape::cluster, Shape::threads,
                   Shape::shared_bytes, Shape::cluster, stream, "launch of the rotation of a cube by clusters",
                   cubes, side, bricks, numbers, Readable{begin, begin + elements * Shape::P::size}, begin);
}

template <class Shape>
void launch_cluster_cube(const Cubes& cubes, void* data, cudaStream_t stream) {
    cubes.back ? launch_cluster_cube_kernel<Shape, true>(cubes, data, stream)
               : launch_cluster_cube_kernel<Shape, false>(cubes, data, stream);
}

}  // namespace poisson3d::cuda
