#include "engine.hpp"

#include <cstdint>

#include "poisson3d/error.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d {

void require_threads(int threads) {
    if (threads < 0 || threads > max_threads)
        throw Error(ErrorCode::usage, "found " + std::to_string(threads) + " threads, wanted 1 to " +
                                          std::to_string(max_threads) + ", or 0 for all");
}

void require_batch(Index batch) {
    if (batch < 1)
        throw Error(ErrorCode::usage,
                    "found a batch of " + std::to_string(batch) + " right-hand sides, wanted 1 or more");
}

void require_dense(Memory memory, bool dense_solution) {
    if (dense_solution) return;
    throw Error(
        ErrorCode::usage,
        std::string("memory ") + name(memory) +
            " uses u as scratch and needs it without gaps between rows and planes: give a dense u, or plan with "
            "memory fast");
}

void require_workspace(std::span<std::byte> given, std::size_t bytes, std::size_t alignment) {
    if (given.size() >= bytes && reinterpret_cast<std::uintptr_t>(given.data()) % alignment == 0) return;
    throw Error(ErrorCode::usage, "the workspace given has " + std::to_string(given.size()) + " bytes, wanted " +
                                      std::to_string(bytes) + " bytes aligned to " + std::to_string(alignment));
}

}  // namespace poisson3d
