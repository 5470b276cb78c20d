#include "engine.hpp"

#include <cstdint>

#include "poisson3d/error.hpp"
#include "poisson3d/threads.hpp"
#include "refiner.hpp"

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

namespace {

constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + 255) / 256 * 256;
}

std::size_t field_bytes(const Extents& points) {
    return aligned(static_cast<std::size_t>(points[0] * points[1] * points[2]) * sizeof(float));
}

std::size_t partials_bytes(const Extents& points) {
    return aligned(static_cast<std::size_t>(parts(points)) * sizeof(Partial));
}

}  // namespace

std::size_t refiner_bytes(const Extents& points) noexcept {
    return field_bytes(points) + partials_bytes(points) + aligned(sizeof(Scalars));
}

void Refiner::bind(std::byte* memory, const Extents& points) noexcept {
    field_ = reinterpret_cast<float*>(memory);
    partials_ = reinterpret_cast<Partial*>(memory + field_bytes(points));
    scalars_ = reinterpret_cast<Scalars*>(memory + field_bytes(points) + partials_bytes(points));
}

}  // namespace poisson3d
