#include "packed_boxes.hpp"

#include <algorithm>

#include "cuda/division.cuh"
#include "cuda/launch.hpp"

namespace poisson3d {

namespace {

constexpr int block_threads = 256, each = 4;

struct Divide {
    __device__ __forceinline__ cuda::Division operator()(Index a, Index b) const { return cuda::divide(a, b); }
};

/// Neighbouring threads have neighbouring numbers of the packed memory, all read before the first is written.
template <bool pack, class T, class Field>
__global__ void __launch_bounds__(block_threads)
    packed_boxes_kernel(const __grid_constant__ PackedBoxes boxes, Field* field, Strides strides, T constant,
                        std::conditional_t<pack, T, const T>* packed) {
    const Index first = static_cast<Index>(blockIdx.x) * (block_threads * each) + threadIdx.x;
    T value[each];
    Index place[each];
#pragma unroll
    for (int i = 0; i < each; ++i) {
        const Index number = first + i * block_threads;
        if (number >= boxes.numbers) break;
        place[i] = field == nullptr ? 0 : boxes.place(number, strides, Divide{});
        if constexpr (pack)
            value[i] = field == nullptr ? constant : field[place[i]];
        else
            value[i] = packed[number];
    }
#pragma unroll
    for (int i = 0; i < each; ++i) {
        const Index number = first + i * block_threads;
        if (number >= boxes.numbers) break;
        if constexpr (pack)
            packed[number] = value[i];
        else
            field[place[i]] = value[i];
    }
}

unsigned blocks_of(const PackedBoxes& boxes) {
    return cuda::blocks(cuda::divide_up(boxes.numbers, Index{block_threads} * each));
}

}  // namespace

template <class T>
void launch_pack(const PackedBoxes& boxes, const FieldView<const T>& field, T constant, T* packed, Stream stream) {
    if (boxes.numbers == 0) return;
    packed_boxes_kernel<true, T><<<blocks_of(boxes), block_threads, 0, cuda::queue(stream)>>>(
        boxes, field.data, field.strides, constant, packed);
    cuda::check(cudaGetLastError(), "launch of the packing of boxes");
}

template <class T>
void launch_unpack(const PackedBoxes& boxes, const T* packed, const FieldView<T>& field, Stream stream) {
    if (boxes.numbers == 0) return;
    packed_boxes_kernel<false, T><<<blocks_of(boxes), block_threads, 0, cuda::queue(stream)>>>(
        boxes, field.data, field.strides, T(0), packed);
    cuda::check(cudaGetLastError(), "launch of the unpacking of boxes");
}

template void launch_pack(const PackedBoxes&, const FieldView<const float>&, float, float*, Stream);
template void launch_pack(const PackedBoxes&, const FieldView<const double>&, double, double*, Stream);
template void launch_unpack(const PackedBoxes&, const float*, const FieldView<float>&, Stream);
template void launch_unpack(const PackedBoxes&, const double*, const FieldView<double>&, Stream);

}  // namespace poisson3d
