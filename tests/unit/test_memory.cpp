// Host memory: alignment, ownership, and a sentence instead of a crash for sizes no machine has.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "poisson3d/error.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/memory.hpp"

namespace poisson3d {
namespace {

std::uintptr_t address(const HostBuffer& buffer) {
    return reinterpret_cast<std::uintptr_t>(buffer.data());
}

/// The message of Error{out_of_memory}; a failure if there is none.
template <class Call>
std::string out_of_memory(Call call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
}

TEST(HostBuffer, IsAlignedForTheWidestVectorsAndUsableToTheLastByte) {
    for (const std::size_t bytes : {1, 63, 64, 65, 1000, 4096, 100'000, 4'194'303}) {
        const HostBuffer buffer(bytes);
        EXPECT_EQ(buffer.size(), bytes);
        EXPECT_EQ(address(buffer) % HostBuffer::alignment, 0U) << bytes;
        std::memset(buffer.data(), 0x5a, bytes);
    }
}

TEST(HostBuffer, IsAlignedForHugePagesWhenLarge) {
    for (const std::size_t bytes : {4'194'304, 4'194'305, 20'000'000}) {
        const HostBuffer buffer(bytes);
        EXPECT_EQ(address(buffer) % (std::size_t{2} << 20), 0U) << bytes;
        std::memset(buffer.data(), 0x5a, bytes);
    }
}

TEST(HostBuffer, OfNothingIsNothing) {
    EXPECT_EQ(HostBuffer().data(), nullptr);
    EXPECT_EQ(HostBuffer(0).data(), nullptr);
    EXPECT_EQ(HostBuffer(0).size(), 0U);
}

TEST(HostBuffer, MovesItsMemoryAndKeepsItsContent) {
    HostBuffer first(100);
    std::memset(first.data(), 0x11, 100);
    void* const data = first.data();
    HostBuffer second(std::move(first));
    EXPECT_EQ(second.data(), data);
    EXPECT_EQ(second.size(), 100U);
    HostBuffer third(200);
    third = std::move(second);
    EXPECT_EQ(third.data(), data);
    EXPECT_EQ(third.size(), 100U);
    EXPECT_EQ(static_cast<unsigned char*>(third.data())[99], 0x11);
}

TEST(HostBuffer, SizesNoMachineHasAreRefusedWithTheirBytes) {
    for (const std::size_t bytes : {std::size_t{1} << 55, (std::size_t{1} << 62) + 12345, std::size_t{SIZE_MAX},
                                    std::size_t{SIZE_MAX} - 63, std::size_t{SIZE_MAX} - (2U << 20)}) {
        const std::string message = out_of_memory([&] { const HostBuffer buffer(bytes); });
        EXPECT_NE(message.find(std::to_string(bytes) + " bytes)"), std::string::npos) << message;
        EXPECT_NE(message.find("available"), std::string::npos) << message;
    }
}

TEST(HostBuffer, MoreThanIsFreeIsRefusedBeforeTheSystemKills) {
    const std::size_t free = available_host_memory();
    if (free == 0) GTEST_SKIP() << "this system does not tell how much memory is free";
    EXPECT_GT(free, std::size_t{1} << 20);
    EXPECT_NE(out_of_memory([&] { const HostBuffer buffer(free + free / 2); }), "");
}

TEST(Field, OwnsADenseArrayOfItsExtents) {
    Field<float> field({2, 3, 5});
    EXPECT_EQ(field.size(), 30);
    EXPECT_EQ(field.view().strides, (Strides{15, 5, 1}));
    EXPECT_TRUE(field.view().dense());
    field.view()(1, 2, 4) = 7.0F;
    EXPECT_EQ(field.data()[29], 7.0F);
    EXPECT_EQ(&field.view().slab(1, 1)(0, 2, 4), field.data() + 29);
    const std::string message = out_of_memory([] { const Field<double> huge({1 << 20, 1 << 20, 1 << 12}); });
    EXPECT_NE(message.find(std::to_string(std::size_t{1} << 55)), std::string::npos) << message;
}

TEST(FieldView, AddressesThroughItsStrides) {
    std::array<int, 200> memory{};
    for (int i = 0; i < 200; ++i) memory[i] = i;
    const FieldView<int> view(memory.data() + 3, {2, 3, 4}, {60, 10, 1});
    EXPECT_EQ(view(0, 0, 0), 3);
    EXPECT_EQ(view(1, 2, 3), 3 + 60 + 20 + 3);
    EXPECT_FALSE(view.dense());
    EXPECT_EQ(view.size(), 24);
    const FieldView<const int> reading = view;
    EXPECT_EQ(reading(1, 0, 2), view(1, 0, 2));
    const FieldView<int> slab = view.slab(1, 1);
    EXPECT_EQ(slab.extents, (Extents{1, 3, 4}));
    EXPECT_EQ(slab(0, 1, 1), view(1, 1, 1));
}

}  // namespace
}  // namespace poisson3d
