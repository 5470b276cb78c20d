// Transposes in place: the field with its axes in their new order takes the memory of the field it was. Host and
// CUDA, every order of the axes of a dense box, elements of 4, 8 and 16 bytes, 64-bit sizes. transpose/README.md
// explains them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "poisson3d/block_order.hpp"
#include "poisson3d/export.hpp"
#include "poisson3d/permutation.hpp"
#include "poisson3d/stream.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d {

enum class InPlaceAlgorithm {
    automatic,    ///< the best for the shape
    thread_wise,  ///< equal sides: one thread exchanges two elements, numbered by order v1 (the baseline)
    exchange,     ///< equal sides: one block exchanges two tiles
    super_grid,   ///< the same, one launch per region of tiles
    cube,         ///< rotations of cubes: one block moves the three bricks of an orbit
    rectangle,    ///< any box: through scratch memory, by tiles, or C2R / R2C
    cycles,       ///< any box: follows the cycles of the permutation (the baseline, host only)
};
POISSON3D_API const char* name(InPlaceAlgorithm algorithm) noexcept;  ///< "thread-wise", …
/// The reverse of name(); throws Error{usage} listing the words that exist.
POISSON3D_API InPlaceAlgorithm parse_in_place_algorithm(std::string_view word);

struct InPlaceOptions {
    Backend backend = Backend::host;
    InPlaceAlgorithm algorithm = InPlaceAlgorithm::automatic;
    BlockOrder order = BlockOrder::automatic;  ///< exchange: one of the triangle
    Index band = 0;                            ///< width of a v1b band or side of a region, in tiles; 0: chosen
    int threads = 0;                           ///< host: 0 for all this process may use
    /// CUDA: bytes of scratch memory that may be used, 0 for the most there can be (TransposeInPlace). Rectangles
    /// need little, and are faster with more: from 16 MiB on.
    Index scratch_bytes = 0;
};

/// Field b of a batch, b < batch, starts at b · batch_stride elements, is dense, has `extents` before and
/// permute(extents, permutation) after.
struct InPlaceProblem {
    Extents extents{};
    Permutation permutation = rotation;
    int element_bytes = 8;
    Index batch = 1;
    Index batch_stride = 0;
};

/// A planned transpose in place: owns its scratch memory and tables, O(longest side) and never more than
/// max(64 MiB, 2 %) of the field.
class POISSON3D_API TransposeInPlace {
public:
    /// Throws Error{usage} for what makes no sense, Error{unsupported} for an algorithm that does not fit the
    /// shape or a backend that this build lacks, Error{device} without a device, Error{out_of_memory}.
    TransposeInPlace(const InPlaceProblem& problem, const InPlaceOptions& options = {});
    ~TransposeInPlace();
    TransposeInPlace(TransposeInPlace&&) noexcept;
    TransposeInPlace& operator=(TransposeInPlace&&) noexcept;

    /// Host: returns when it is done. CUDA: asynchronous on `stream`, no allocation, no synchronisation, may be
    /// captured in a graph. One execution of a plan at a time. Throws Error{usage} for a pointer that is null or
    /// not aligned to the element.
    void execute(void* data, Stream stream = {}) const;

    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept;  ///< the one chosen, never automatic
    [[nodiscard]] std::string description() const;
    [[nodiscard]] std::size_t scratch_bytes() const noexcept;

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

}  // namespace poisson3d
