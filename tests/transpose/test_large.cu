// Fields of more than 2^32 elements, made and checked on the device: an index that wraps at 32 bits shows.
#include "large_field.cuh"

namespace poisson3d::cuda {
namespace {

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
    fill_large<Word>(in.data(), count);
    fill_on_device(out.data(), 0xee, bytes);
    const Transpose transpose({points, dense_strides(points), dense_strides(permute(points, permutation)),
                               permutation, static_cast<int>(sizeof(Word))},
                              {.backend = Backend::cuda, .algorithm = algorithm});
    transpose.execute(in.data(), out.data());
    expect_permuted<Word>(out.data(), points, permutation, transpose.description());
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
