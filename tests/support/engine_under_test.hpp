// Which engine a test program tests. One source is compiled once for each: bodies do not name an engine.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <string>

#include "poisson3d/device.hpp"
#include "poisson3d/solver.hpp"

#ifndef POISSON3D_TEST_ENGINE
#define POISSON3D_TEST_ENGINE host
#endif

namespace poisson3d::test {

inline constexpr bool on_device_under_test = Engine::POISSON3D_TEST_ENGINE != Engine::host;

/// The engines of a device share their programs: which it is, the environment says.
inline const Engine engine_under_test = [] {
    const char* const word = std::getenv("POISSON3D_TEST_DEVICE_ENGINE");  // NOLINT(concurrency-mt-unsafe)
    const bool fused = word != nullptr && std::string(word) == name(Engine::fused);
    return on_device_under_test && fused ? Engine::fused : Engine::POISSON3D_TEST_ENGINE;
}();

/// Tests that do not name a memory mode run once more in the one that the environment names.
inline const Memory memory_under_test = [] {
    const char* const word = std::getenv("POISSON3D_TEST_MEMORY");  // NOLINT(concurrency-mt-unsafe)
    for (const Memory memory : {Memory::fast, Memory::standard, Memory::low})
        if (word != nullptr && std::string(word) == name(memory)) return memory;
    return Memory::automatic;
}();

/// Tests do not leave the choice of the engine to the machine.
inline Options test_options() {
    Options options;
    options.engine = engine_under_test;
    options.memory = memory_under_test;
    return options;
}

inline constexpr std::array all_memories{Memory::fast, Memory::standard, Memory::low};

/// Where the engine turns the field inside u, there must be no gaps in it. The host turns nothing.
constexpr bool needs_dense_solution(Memory memory) {
    return on_device_under_test && (memory == Memory::standard || memory == Memory::low);
}

/// Why the engine cannot be tested here; empty if it can.
inline std::string untestable() {
    std::string reason = engine_unavailable(engine_under_test);
    if (reason.empty() && on_device_under_test) reason = missing_device();
    return reason;
}

/// Skips every test of the program where its engine cannot be used, also those that would not touch it, so that
/// nothing of the program is shown as passed.
class EngineNeeded : public testing::Environment {
public:
    void SetUp() override {
        const std::string reason = untestable();
        if (reason.empty()) return;
        // Written here, too: with --gtest_filter, as ctest calls, a skip before the first test is not reported.
        std::cout << "[  SKIPPED ] engine " << name(engine_under_test) << ": " << reason << std::endl;
        GTEST_SKIP() << reason;
    }
};

[[maybe_unused]] static testing::Environment* const engine_needed =
    testing::AddGlobalTestEnvironment(new EngineNeeded);

}  // namespace poisson3d::test
