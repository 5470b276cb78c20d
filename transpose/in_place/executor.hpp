// Who moves the data in place: one interface, factories per algorithm and backend. The plan has been checked.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "poisson3d/in_place.hpp"

namespace poisson3d {

/// One planned movement in place. Owns threads, tables, scratch; run() allocates nothing.
struct InPlaceExecutor {
    InPlaceExecutor() = default;
    InPlaceExecutor(const InPlaceExecutor&) = delete;
    InPlaceExecutor& operator=(const InPlaceExecutor&) = delete;
    virtual ~InPlaceExecutor() = default;

    virtual void run(void* data, Stream stream) const = 0;
    [[nodiscard]] virtual InPlaceAlgorithm algorithm() const noexcept = 0;
    [[nodiscard]] virtual std::string description() const = 0;
    [[nodiscard]] virtual std::size_t scratch_bytes() const noexcept = 0;
};

/// Throws Error{unsupported} in a build without CUDA, Error{device} without a device.
void require_cuda_in_place();

/// `batch` dense matrices of rows × columns items, `batch_stride` elements apart; an item is `item` consecutive
/// elements of element_bytes (4, 8 or 16) that stay together. Each becomes its transpose.
struct DenseMatrices {
    Index rows = 0, columns = 0;
    Index item = 1;
    int element_bytes = 8;
    Index batch = 1, batch_stride = 0;  ///< in elements

    friend bool operator==(const DenseMatrices&, const DenseMatrices&) = default;
};

/// Item (r, c) of `side` × `side` items, r·pitch + c·item elements from the beginning, changes places with item
/// (c, r). Square (b0, b1) of the batch begins b0·batch_stride[0] + b1·batch_stride[1] elements in.
struct Squares {
    Index side = 0;
    Index pitch = 0;
    Index item = 1;
    int element_bytes = 8;
    std::array<Index, 2> batch{1, 1};
    std::array<Index, 2> batch_stride{0, 0};

    friend bool operator==(const Squares&, const Squares&) = default;
};

/// Dense cubes of side³ elements: (a, b, c) becomes (b, c, a), or (c, a, b) if `back`.
struct Cubes {
    Index side = 0;
    bool back = false;
    int element_bytes = 8;
    Index batch = 1, batch_stride = 0;  ///< in elements

    friend bool operator==(const Cubes&, const Cubes&) = default;
};

/// thread_wise, exchange or super_grid, the last two in options.order and options.band.
std::unique_ptr<InPlaceExecutor> make_host_exchange(const Squares& squares, const InPlaceOptions& options);
std::unique_ptr<InPlaceExecutor> make_cuda_exchange(const Squares& squares, const InPlaceOptions& options);

std::unique_ptr<InPlaceExecutor> make_host_cube(const Cubes& cubes, int threads);
std::unique_ptr<InPlaceExecutor> make_cuda_cube(const Cubes& cubes);

/// C2R / R2C for any matrices.
std::unique_ptr<InPlaceExecutor> make_host_rectangle(const DenseMatrices& matrices, int threads);
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle(const DenseMatrices& matrices);

/// Cycle following, for any matrices.
std::unique_ptr<InPlaceExecutor> make_host_cycles(const DenseMatrices& matrices, int threads);

}  // namespace poisson3d
