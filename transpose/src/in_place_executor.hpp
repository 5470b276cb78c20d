// Who moves the data in place: one interface, factories per algorithm and backend. The plan has been checked.
#pragma once

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

/// `batch` dense matrices of rows × columns items, `batch_stride` elements apart; an item is `item` consecutive
/// elements of element_bytes (4, 8 or 16) that stay together. Each becomes its transpose.
struct DenseMatrices {
    Index rows = 0, columns = 0;
    Index item = 1;
    int element_bytes = 8;
    Index batch = 1, batch_stride = 0;  ///< in elements
};

/// C2R / R2C for any matrices.
std::unique_ptr<InPlaceExecutor> make_host_rectangle(const DenseMatrices& matrices, int threads);
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle(const DenseMatrices& matrices);

}  // namespace poisson3d
