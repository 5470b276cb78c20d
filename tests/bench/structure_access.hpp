// What kernels that hold whole structures can reach: a copy in which each thread loads and stores one structure.
#pragma once

#include "poisson3d/grid.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::test {

/// How copy_structures() reaches a structure.
enum class StructureAccess {
    direct,       ///< each thread its own: value = in[i], out[i] = value
    cooperative,  ///< load_structs and store_structs of struct_access.cuh: the warp together
    gathered,     ///< the same functions for structures anywhere, told where each one is
};

/// out := in on the current device. Error{unsupported} in a build without CUDA and for numbers of words that are
/// not compiled in.
void copy_structures(const void* in, void* out, Index count, int words, int word_bytes, StructureAccess access,
                     Stream stream = {});
[[nodiscard]] bool copies_structures_of(int words) noexcept;  ///< 1 to 8, 12, 16, 20, 24, 31, 32, 33, 48, 64

}  // namespace poisson3d::test
