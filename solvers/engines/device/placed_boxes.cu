#include "placed_boxes.hpp"

#include <algorithm>

#include "cuda/division.cuh"
#include "cuda/launch.hpp"
#include "row_tiles.hpp"

namespace poisson3d {

namespace {

constexpr int block_threads = 256, each = RowTiles::size / block_threads;
/// Of a grid, about as many as processors hold at once, so that all boxes are on their way from the start; and of a
/// box enough to have a megabyte on its way, more than a link holds.
constexpr Index all_blocks = 512, least_blocks = 64;

/// A box for every row of the grid of blocks; of a tile all numbers are read before the first is written.
template <bool put, class Vector, int elements>
__global__ void __launch_bounds__(block_threads)
    placed_boxes_kernel(const __grid_constant__ PlacedBoxes boxes, Vector* field, Index field_plane,
                        Index field_row, Vector constant) {
    const PlacedBox box = boxes.table == nullptr ? boxes.one : boxes.table[blockIdx.y];
    const RowTiles tiles(box.points[0] * box.points[1], box.points[2] / elements);
    auto* const place = static_cast<Vector*>(box.place);
    const Index plane_apart = box.plane_apart / elements, row_apart = box.row_apart / elements;
    const Index first = box.first[0] * field_plane + box.first[1] * field_row + box.first[2] / elements;
    const Index count = tiles.count();
    for (Index tile = blockIdx.x; tile < count; tile += gridDim.x) {
        const cuda::Division where = cuda::divide(tile, tiles.across);
        Vector value[each];
        Vector* to[each];
#pragma unroll
        for (int i = 0; i < each; ++i) {
            const RowTiles::Place at =
                tiles.place(where.quotient, where.remainder, i * block_threads + static_cast<int>(threadIdx.x));
            to[i] = nullptr;
            if (!tiles.has(at)) continue;
            const cuda::Division row = cuda::divide(at.row, box.points[1]);
            const Index here = first + row.quotient * field_plane + row.remainder * field_row + at.at;
            Vector* const there = place + row.quotient * plane_apart + row.remainder * row_apart + at.at;
            to[i] = put ? there : field + here;
            if (put)
                value[i] = field == nullptr ? constant : field[here];
            else
                value[i] = *there;
        }
#pragma unroll
        for (int i = 0; i < each; ++i)
            if (to[i] != nullptr) *to[i] = value[i];
    }
}

template <bool put, class Vector, class T>
void launch(const PlacedBoxes& boxes, T* field, const Strides& strides, Vector constant, Stream stream) {
    constexpr int elements = sizeof(Vector) / sizeof(T);
    const Index tiles = cuda::divide_up(boxes.largest, Index{RowTiles::size} * elements);
    const Index most = std::max(least_blocks, all_blocks / boxes.count);
    const dim3 grid(cuda::blocks(std::min(tiles, most)), static_cast<unsigned>(boxes.count));
    placed_boxes_kernel<put, Vector, elements><<<grid, block_threads, 0, cuda::queue(stream)>>>(
        boxes, reinterpret_cast<Vector*>(field), strides[0] / elements, strides[1] / elements, constant);
    cuda::check(cudaGetLastError(), "launch that moves boxes");
}

}  // namespace

template <class T>
void launch_put_boxes(const PlacedBoxes& boxes, const FieldView<const T>& field, T constant, Stream stream) {
    if (boxes.count == 0) return;
    T* const data = const_cast<T*>(field.data);  // read only
    if (data != nullptr && boxes.in_vectors(field, sizeof(uint4)))
        launch<true, uint4>(boxes, data, field.strides, uint4{}, stream);
    else
        launch<true, T>(boxes, data, field.strides, constant, stream);
}

template <class T>
void launch_take_boxes(const PlacedBoxes& boxes, const FieldView<T>& field, Stream stream) {
    if (boxes.count == 0) return;
    if (boxes.in_vectors(field, sizeof(uint4)))
        launch<false, uint4>(boxes, field.data, field.strides, uint4{}, stream);
    else
        launch<false, T>(boxes, field.data, field.strides, T(0), stream);
}

template void launch_put_boxes(const PlacedBoxes&, const FieldView<const float>&, float, Stream);
template void launch_put_boxes(const PlacedBoxes&, const FieldView<const double>&, double, Stream);
template void launch_take_boxes(const PlacedBoxes&, const FieldView<float>&, Stream);
template void launch_take_boxes(const PlacedBoxes&, const FieldView<double>&, Stream);

}  // namespace poisson3d
