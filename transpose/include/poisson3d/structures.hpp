// Arrays of structures and structures of arrays: n structures of k words each ↔ k arrays of n words each. Both are
// matrices, n × k and k × n, one the transpose of the other. Host and CUDA, out of place and in place; structures
// of 1 to 64 words, words of 4, 8 or 16 bytes, 64-bit counts. transpose/README.md explains them.
//
// Kernels that read or write structures where they are find what they need in struct_access.cuh.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "poisson3d/export.hpp"
#include "poisson3d/grid.hpp"
#include "poisson3d/stream.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d {

/// Words of the largest structure.
inline constexpr int max_fields = 64;

enum class StructureMove {
    aos_to_soa,  ///< word f of structure s goes from s·fields + f to f·count + s
    soa_to_aos,  ///< … and back
};

struct StructureProblem {
    Index count = 0;     ///< structures
    int fields = 1;      ///< words of one, 1 to 64
    int word_bytes = 8;  ///< 4, 8 or 16
    StructureMove move = StructureMove::aos_to_soa;
};

struct StructureOptions {
    Backend backend = Backend::host;
    int threads = 0;  ///< host: 0 for all this process may use
};

/// Out of place, planned once: a transpose of a matrix with a short side.
class POISSON3D_API StructureTranspose {
public:
    /// Throws Error{usage} for what makes no sense, Error{unsupported} for a backend that this build lacks,
    /// Error{device} without a device.
    explicit StructureTranspose(const StructureProblem& problem, const StructureOptions& options = {});

    /// Host: returns when it is done. CUDA: device pointers, asynchronous on `stream`, no allocation, may be
    /// captured in a graph. Throws Error{usage} for memory that overlaps, and for a pointer that is null or not
    /// aligned to the word.
    void execute(const void* in, void* out, Stream stream = {}) const { transpose_.execute(in, out, stream); }

    [[nodiscard]] std::string description() const { return transpose_.description(); }

private:
    Transpose transpose_;
};

/// In place, planned once; owns its scratch memory, never more than 64 MiB or 2 % of the data, whichever is more.
class POISSON3D_API StructureTransposeInPlace {
public:
    /// As above, and Error{out_of_memory}. Planning visits every tile of some KiB once on the host.
    explicit StructureTransposeInPlace(const StructureProblem& problem, const StructureOptions& options = {});
    ~StructureTransposeInPlace();
    StructureTransposeInPlace(StructureTransposeInPlace&&) noexcept;
    StructureTransposeInPlace& operator=(StructureTransposeInPlace&&) noexcept;

    /// As above. One execution of a plan at a time.
    void execute(void* data, Stream stream = {}) const;

    [[nodiscard]] std::string description() const;  ///< "tiles of 2048 bytes, 8192 pieces of cycles"
    [[nodiscard]] std::size_t scratch_bytes() const noexcept;

private:
    struct POISSON3D_LOCAL Plan;
    std::unique_ptr<Plan> plan_;
};

}  // namespace poisson3d
