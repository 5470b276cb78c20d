// Page-locked memory, streams and events: what is copied arrives, in order, and a wait waits. Skipped without a
// GPU.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/pinned_memory.hpp"

namespace poisson3d {
namespace {

class DeviceCopies : public testing::Test {
protected:
    void SetUp() override {
        if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    }
};

std::uint32_t value(std::size_t i) {
    return static_cast<std::uint32_t>(i) * 2654435761U;
}

TEST_F(DeviceCopies, DevicesHaveNames) {
    const DeviceList list = find_devices();
    ASSERT_EQ(count_devices(), static_cast<int>(list.devices.size()));
    for (const Device& device : list.devices) EXPECT_EQ(device_name(device.number), device.name);
    EXPECT_EQ(device_name(count_devices()), "");
    EXPECT_EQ(device_name(-1), "");
}

TEST_F(DeviceCopies, PinnedMemoryMovesAndMayBeNothing) {
    EXPECT_EQ(PinnedBuffer().data(), nullptr);
    EXPECT_EQ(PinnedBuffer(0).data(), nullptr);
    PinnedBuffer first(1000);
    void* const data = first.data();
    EXPECT_FALSE(on_device(data));
    PinnedBuffer second(std::move(first));
    EXPECT_EQ(second.data(), data);
    EXPECT_EQ(second.size(), 1000U);
    PinnedBuffer third;
    third = std::move(second);
    EXPECT_EQ(third.data(), data);
}

TEST_F(DeviceCopies, TooMuchPinnedMemoryIsASentenceWithItsBytes) {
    try {
        const PinnedBuffer buffer(std::size_t{1} << 50);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory) << error.what();
        EXPECT_NE(std::string(error.what()).find(std::to_string(std::size_t{1} << 50)), std::string::npos)
            << error.what();
    }
}

/// Many slabs through two page-locked ones, there and back, as fields travel.
TEST_F(DeviceCopies, SlabsInRotationArrive) {
    constexpr std::size_t slab = std::size_t{1} << 20;
    constexpr std::size_t slabs = 9;
    const DeviceBuffer device(slabs * slab * sizeof(std::uint32_t));
    auto* const there = static_cast<std::uint32_t*>(device.data());
    const std::array<PinnedBuffer, 2> pinned{PinnedBuffer(slab * sizeof(std::uint32_t)),
                                             PinnedBuffer(slab * sizeof(std::uint32_t))};
    std::array<DeviceEvent, 2> copied;
    const DeviceStream stream;
    for (std::size_t s = 0; s < slabs; ++s) {
        copied[s % 2].wait();
        auto* const here = static_cast<std::uint32_t*>(pinned[s % 2].data());
        for (std::size_t i = 0; i < slab; ++i) here[i] = value(s * slab + i);
        start_copy_to_device(there + s * slab, here, slab * sizeof(std::uint32_t), stream.get());
        copied[s % 2].record(stream.get());
    }
    synchronize(stream.get());
    for (std::size_t s = 0; s < slabs; ++s) {
        const auto* const here = static_cast<const std::uint32_t*>(pinned[s % 2].data());
        start_copy_to_host(pinned[s % 2].data(), there + s * slab, slab * sizeof(std::uint32_t), stream.get());
        copied[s % 2].record(stream.get());
        copied[s % 2].wait();
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < slab; ++i) wrong += here[i] != value(s * slab + i) ? 1 : 0;
        EXPECT_EQ(wrong, 0U) << "slab " << s;
    }
}

TEST_F(DeviceCopies, AnEventThatWasNeverRecordedIsNotWaitedFor) {
    const DeviceEvent event;
    EXPECT_NO_THROW(event.wait());
}

TEST(NoDevice, IsSaid) {
    if (missing_device().empty()) GTEST_SKIP() << "there is a device";
    EXPECT_EQ(count_devices(), 0);
    EXPECT_EQ(device_name(0), "");
    EXPECT_THROW(PinnedBuffer(1), Error);
    EXPECT_THROW(DeviceStream(), Error);
    EXPECT_THROW(DeviceEvent(), Error);
}

}  // namespace
}  // namespace poisson3d
