// Boundary data on its way to a GPU, with host memory in the place of the device's: every value of every array at
// its place, rows without gaps, numbers kept, and as many bytes as were announced.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "solving/device_boundary.hpp"

namespace poisson3d {

namespace {
std::size_t allocated = 0;
}

DeviceBuffer::DeviceBuffer(std::size_t bytes) : OwnedMemory(bytes) {
    data_ = std::malloc(bytes);
    allocated += bytes;
}
void DeviceBuffer::release(void* data) noexcept {
    std::free(data);
}
void copy_to_device(void* device, const void* host, std::size_t bytes, Stream) {
    std::memcpy(device, host, bytes);
}

namespace app {
namespace {

template <class T>
class Faces : public ::testing::Test {
protected:
    Faces() {
        for (int a = 0; a < 3; ++a) grid_.axes[a].points = std::array<Index, 3>{5, 4, 3}[a];
    }
    /// Rows of this length, values that tell axis, side, row and column; NaN between the rows.
    const T* make(int axis, int side, Index rows, Index length, Index stride) {
        std::vector<T>& values = memory_[axis][side];
        values.assign(static_cast<std::size_t>(rows * stride), std::numeric_limits<T>::quiet_NaN());
        for (Index a = 0; a < rows; ++a)
            for (Index b = 0; b < length; ++b) values[a * stride + b] = value(axis, side, a, b);
        return values.data();
    }
    static T value(int axis, int side, Index a, Index b) {
        return static_cast<T>(1000 * axis + 500 * side + 10 * a + b);
    }

    Grid grid_;
    std::array<std::array<std::vector<T>, 2>, 3> memory_;
};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Faces, Types);

TYPED_TEST(Faces, AreCopiedWithoutGaps) {
    using T = TypeParam;
    constexpr Index extents[3][2] = {{4, 3}, {5, 3}, {5, 4}};
    for (const Index gap : {0, 2}) {
        BoundaryData<T> host;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                const auto [rows, length] = extents[axis];
                host.faces[axis][side] = {T(0), this->make(axis, side, rows, length, length + gap), length + gap};
            }
        host.faces[1][0] = {T(2.5), nullptr, 0};
        const std::size_t values = 2 * 4 * 3 + 5 * 3 + 2 * 5 * 4;
        EXPECT_EQ(DeviceBoundary<T>::bytes(this->grid_.points(), host), values * sizeof(T));
        allocated = 0;
        const DeviceBoundary<T> device(this->grid_.points(), host);
        EXPECT_EQ(allocated, values * sizeof(T));
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                const FaceValues<T>& face = device.data().faces[axis][side];
                if (axis == 1 && side == 0) {
                    EXPECT_EQ(face.data, nullptr);
                    EXPECT_EQ(face.constant, T(2.5));
                    continue;
                }
                ASSERT_NE(face.data, host.faces[axis][side].data);
                for (Index a = 0; a < extents[axis][0]; ++a)
                    for (Index b = 0; b < extents[axis][1]; ++b)
                        EXPECT_EQ(face.data[a * face.stride + b], this->value(axis, side, a, b));
                EXPECT_EQ(face.stride, extents[axis][1]);
            }
    }
}

TYPED_TEST(Faces, NumbersTakeNoMemory) {
    BoundaryData<TypeParam> host;
    host.faces[2][1].constant = TypeParam(-1);
    allocated = 0;
    const DeviceBoundary<TypeParam> device(this->grid_.points(), host);
    EXPECT_EQ(allocated, 0U);
    EXPECT_EQ(DeviceBoundary<TypeParam>::bytes(this->grid_.points(), host), 0U);
    EXPECT_EQ(device.data().faces[2][1].constant, TypeParam(-1));
    EXPECT_TRUE(device.data().faces[0][0].zero());
}

}  // namespace
}  // namespace app
}  // namespace poisson3d
