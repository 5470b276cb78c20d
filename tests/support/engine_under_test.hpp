// Which engine a test program tests. It is compiled once, and the environment names the engine: bodies do not.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

#include "poisson3d/device.hpp"
#include "poisson3d/solver.hpp"

/// The engine where the environment names none: programs for devices alone have another one.
#ifndef POISSON3D_TEST_DEFAULT_ENGINE
#define POISSON3D_TEST_DEFAULT_ENGINE host
#endif

namespace poisson3d::test {

/// The entry of `all` that the environment variable names, `otherwise` where it is not set. Another word is
/// refused: a misspelt engine must not pass as the default.
template <class T, class All>
T named_by_environment(const char* variable, const All& all, T otherwise) {
    const char* const word = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
    if (word == nullptr) return otherwise;
    for (const T candidate : all)
        if (std::string(word) == name(candidate)) return candidate;
    throw std::invalid_argument(std::string(variable) + "=" + word + " names nothing that can be tested");
}

inline const Engine engine_under_test =
    named_by_environment("POISSON3D_TEST_ENGINE", std::array{Engine::host, Engine::cufft, Engine::fused},
                         Engine::POISSON3D_TEST_DEFAULT_ENGINE);

inline const bool on_device_under_test = engine_under_test != Engine::host;

/// Engine cufft transforms every axis.
inline const bool eliminates_under_test = engine_under_test != Engine::cufft;

inline constexpr std::array all_memories{Memory::fast, Memory::standard, Memory::low};

/// Tests that do not name a memory mode run once more in the one that the environment names.
inline const Memory memory_under_test =
    named_by_environment("POISSON3D_TEST_MEMORY", all_memories, Memory::automatic);

/// Tests do not leave the choice of the engine to the machine.
inline Options test_options() {
    Options options;
    options.engine = engine_under_test;
    options.memory = memory_under_test;
    return options;
}

/// Where the engine turns the field inside u, there must be no gaps in it. The host turns nothing.
inline bool needs_dense_solution(Memory memory) {
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

inline testing::Environment* const engine_needed = testing::AddGlobalTestEnvironment(new EngineNeeded);

}  // namespace poisson3d::test
