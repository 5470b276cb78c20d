// Transposes in place of fields of more than 2^32 elements.
#include "large_field.cuh"
#include "poisson3d/in_place.hpp"

namespace poisson3d::cuda {
namespace {

template <class Word>
void check_large(const Extents& points, const Permutation& permutation, const InPlaceOptions& wanted = {}) {
    if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    const Index count = points[0] * points[1] * points[2];
    ASSERT_GT(count, Index{1} << 32);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Word);
    if (find_devices().devices[0].free_bytes < bytes + (std::size_t{1} << 28))
        GTEST_SKIP() << "the device has less than " << bytes << " bytes free";
    InPlaceOptions options = wanted;
    options.backend = Backend::cuda;
    const TransposeInPlace transpose({points, permutation, sizeof(Word)}, options);
    const DeviceBuffer field(bytes);
    fill_large<Word>(field.data(), count);
    transpose.execute(field.data());
    expect_permuted<Word>(field.data(), points, permutation, transpose.description());
}

constexpr Permutation swap_yz{0, 2, 1};
constexpr Permutation swap_xy{1, 0, 2};
constexpr Permutation swap_xz{2, 1, 0};

TEST(LargeFieldInPlace, SquaresInEveryOrder) {
    for (const BlockOrder order : {BlockOrder::v1, BlockOrder::v1r, BlockOrder::v2, BlockOrder::v1b})
        check_large<std::uint32_t>({1, 65539, 65539}, swap_yz, {.order = order});
    check_large<std::uint32_t>({1, 65539, 65539}, swap_yz, {.algorithm = InPlaceAlgorithm::super_grid});
    check_large<std::uint32_t>({1, 65539, 65539}, swap_yz, {.algorithm = InPlaceAlgorithm::thread_wise});
}

TEST(LargeFieldInPlace, BatchesOfSquares) {
    check_large<std::uint32_t>({1627, 1637, 1637}, swap_yz);
    check_large<unsigned long long>({1637, 1627, 1637}, swap_xz);
}

TEST(LargeFieldInPlace, ManySmallSquares) {
    check_large<std::uint32_t>({(Index{1} << 30) + 5, 2, 2}, swap_yz);
    check_large<std::uint32_t>({(Index{1} << 24) + 5, 17, 17}, swap_yz);
}

TEST(LargeFieldInPlace, RowsThatChangePlaces) {
    check_large<std::uint32_t>({1637, 1637, 1627}, swap_xy);
    check_large<std::uint32_t>({37987, 37987, 3}, swap_xy);
}

TEST(LargeFieldInPlace, Cubes) {
    check_large<std::uint32_t>({1637, 1637, 1637}, rotation);
    check_large<unsigned long long>({1627, 1627, 1627}, rotation_back);
}

}  // namespace
}  // namespace poisson3d::cuda
