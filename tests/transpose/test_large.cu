// Fields of more than 2^32 elements, made and checked on the device: an index that wraps at 32 bits shows.
#include <gtest/gtest.h>

#include "device_values.cuh"
#include "launch.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d::cuda {
namespace {

struct Order {
    Index extents[3];  ///< of the input
    int permutation[3];
};

/// Counts elements of the output that are not the input's element they should be.
template <class Word>
__global__ void count_wrong(const Word* out, Order order, unsigned long long* wrong) {
    const Index n[3] = {order.extents[order.permutation[0]], order.extents[order.permutation[1]],
                        order.extents[order.permutation[2]]};
    const Index step = static_cast<Index>(gridDim.x) * blockDim.x;
    for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < n[0] * n[1] * n[2]; i += step) {
        Index at[3];
        at[order.permutation[0]] = i / (n[1] * n[2]);
        at[order.permutation[1]] = i / n[2] % n[1];
        at[order.permutation[2]] = i % n[2];
        const Index from = (at[0] * order.extents[1] + at[1]) * order.extents[2] + at[2];
        if (out[i] != value_of<Word>(from)) atomicAdd(wrong, 1ULL);
    }
}

template <class Word>
void check_large(const Extents& points, const Permutation& permutation, Algorithm algorithm) {
    if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    const Index count = points[0] * points[1] * points[2];
    ASSERT_GT(count, Index{1} << 32);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Word);
    if (find_devices().devices[0].free_bytes < 2 * bytes + (std::size_t{1} << 28))
        GTEST_SKIP() << "the device has less than " << 2 * bytes << " bytes free";
    const DeviceBuffer in(bytes);
    const DeviceBuffer out(bytes);
    const DeviceBuffer wrong(sizeof(unsigned long long));
    fill_values<<<4096, 256>>>(static_cast<Word*>(in.data()), count);
    check(cudaGetLastError(), "fill");
    fill_on_device(out.data(), 0xee, bytes);
    fill_on_device(wrong.data(), 0, sizeof(unsigned long long));
    const Transpose transpose({points, dense_strides(points), dense_strides(permute(points, permutation)),
                               permutation, static_cast<int>(sizeof(Word))},
                              {.backend = Backend::cuda, .algorithm = algorithm});
    transpose.execute(in.data(), out.data());
    const Order order{{points[0], points[1], points[2]}, {permutation[0], permutation[1], permutation[2]}};
    count_wrong<<<4096, 256>>>(static_cast<const Word*>(out.data()), order,
                               static_cast<unsigned long long*>(wrong.data()));
    check(cudaGetLastError(), "check");
    unsigned long long result = 1;
    copy_to_host(&result, wrong.data(), sizeof result);
    EXPECT_EQ(result, 0U) << transpose.description();
}

TEST(LargeField, RotationOfBytes) {
    for (const Algorithm algorithm :
         {Algorithm::aligned, Algorithm::padded_tile, Algorithm::slices, Algorithm::naive})
        check_large<std::uint8_t>({1627, 1621, 1637}, rotation, algorithm);
}

TEST(LargeField, RotationBackOfFloats) {
    check_large<std::uint32_t>({1627, 1621, 1637}, rotation_back, Algorithm::automatic);
}

TEST(LargeField, RotationOfDoubles) {
    check_large<unsigned long long>({1627, 1621, 1637}, rotation, Algorithm::automatic);
}

TEST(LargeField, ThinMatrices) {
    check_large<std::uint32_t>({3, 1, 1431655777}, rotation, Algorithm::automatic);
    check_large<std::uint32_t>({1431655777, 1, 3}, rotation, Algorithm::automatic);
}

TEST(LargeField, RowsThatChangePlaces) {
    check_large<std::uint16_t>({1627, 1621, 1637}, {1, 0, 2}, Algorithm::automatic);
}

TEST(LargeField, BoxesExchanged) {
    check_large<std::uint32_t>({1627, 1621, 1637}, {2, 1, 0}, Algorithm::automatic);
    check_large<std::uint32_t>({1627, 1621, 1637}, {0, 2, 1}, Algorithm::automatic);
}

}  // namespace
}  // namespace poisson3d::cuda
