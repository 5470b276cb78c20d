// Out-of-place transposes of three-dimensional fields, on the host and on CUDA devices: every order of the axes,
// any pitches, batches, elements of 1, 2, 4, 8 and 16 bytes, 64-bit sizes. transpose/README.md explains them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "poisson3d/block_order.hpp"
#include "poisson3d/export.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/permutation.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d {

/// The ladder: each rung adds one idea, all are right for every shape.
enum class Algorithm {
    automatic,    ///< the best for the shape, the pitches and the element
    naive,        ///< one thread an element; coalesced reads, scattered writes
    tile,         ///< 32 × 32 tile in shared memory: coalesced both ways, bank conflicts
    padded_tile,  ///< the tile with one padding column: no conflicts
    slices,       ///< padded tile, all slices of a 3-D rotation in one 2-D grid (Chien)
    banded,       ///< padded tile whose blocks take the tiles in a chosen block order
    super_grid,   ///< padded tile, one launch per region of blocks
    aligned,      ///< strips from top to bottom, stores cut at 128-byte boundaries
    thin,         ///< for a side below 32: whole short lines in shared memory
    wide_loads,   ///< cuda: tiles cut at boundaries on both sides, 16-byte loads and 128-byte stores; host: aligned
    short_axes,   ///< cuda: two short axes, or short rows, whole in a tile, else automatic; host: automatic
};
POISSON3D_API const char* name(Algorithm algorithm) noexcept;  ///< "padded-tile", …
/// The reverse of name(); throws Error{usage} listing the words that exist.
POISSON3D_API Algorithm parse_algorithm(std::string_view word);

/// Where the fields are and where the work is done.
enum class Backend { host, cuda };

struct TransposeOptions {
    Backend backend = Backend::host;
    Algorithm algorithm = Algorithm::automatic;
    BlockOrder order = BlockOrder::automatic;  ///< banded; the others have their own. One of the full rectangle
    Index band = 0;                            ///< width of a band or side of a region, in tiles; 0: chosen
    int threads = 0;                           ///< host: 0 for all this process may use
};

/// What is moved: out(permuted) = in. `in` and `out` strides are in elements, the last is 1.
/// Field b of a batch starts at b·in_batch and b·out_batch elements.
struct TransposeProblem {
    Extents extents{};  ///< of the input
    Strides in{};       ///< of the input
    Strides out{};      ///< of the output, whose extents are permute(extents, permutation)
    Permutation permutation = rotation;
    int element_bytes = 8;
    Index batch = 1;
    Index in_batch = 0, out_batch = 0;
};

/// A planned transpose: chosen once, executed many times.
class POISSON3D_API Transpose {
public:
    /// Throws Error{usage} for sizes, strides or permutations that make no sense, Error{unsupported} for a backend
    /// that this build lacks, Error{device} without a device.
    explicit Transpose(const TransposeProblem& problem, const TransposeOptions& options = {});
    ~Transpose();
    Transpose(Transpose&&) noexcept;
    Transpose& operator=(Transpose&&) noexcept;

    /// Moves one batch. cuda: device pointers, asynchronous on `stream`, no allocation, may be captured in a graph.
    /// host: blocks. Pointers are aligned to the element. The memory of input and output must not overlap:
    /// Error{usage}.
    void execute(const void* in, void* out, Stream stream = {}) const;

    [[nodiscard]] Algorithm algorithm() const noexcept;  ///< the one chosen, never automatic
    [[nodiscard]] std::string description() const;       ///< "aligned, 64-column strips"

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

/// Throws Error{usage} unless `out` is permute(in, permutation).
POISSON3D_API void require_shape(const Extents& in, const Extents& out, const Permutation& permutation);

/// out := in with its axes in the order `permutation` (rotation: out(y, z, x) = in(x, y, z)). See
/// Transpose::execute.
template <class T>
void transpose(FieldView<const T> in, FieldView<T> out, const Permutation& permutation,
               const TransposeOptions& options = {}, Stream stream = {}) {
    static_assert(std::is_trivially_copyable_v<T>, "a transpose moves bytes");
    require_shape(in.extents, out.extents, permutation);
    const TransposeProblem problem{in.extents, in.strides, out.strides, permutation, static_cast<int>(sizeof(T))};
    Transpose(problem, options).execute(in.data, out.data, stream);
}

}  // namespace poisson3d
