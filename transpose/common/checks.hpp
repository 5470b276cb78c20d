// Checks of what was asked for that several plans share. All throw Error{usage} with a sentence that begins with
// `who`: "transpose in place".
#pragma once

#include <array>
#include <string>

#include "poisson3d/error.hpp"
#include "poisson3d/permutation.hpp"

namespace poisson3d {

/// No field may have more bytes than this.
inline constexpr Index max_field_bytes = Index{1} << 62;

[[noreturn]] void refuse(const char* who, const std::string& found_and_wanted, ErrorCode code = ErrorCode::usage);

/// "(4, 5, 6)"
std::string list(const std::array<Index, 3>& values);

/// An order of 0, 1 and 2.
void validate(const Permutation& permutation);
/// 1 or more in each of the extents, and of the batch.
void require_extents(const char* who, const Extents& extents, Index batch);
/// 0 or more.
void require_threads(const char* who, int threads);
void require_band(const char* who, Index band);
/// Not null, and aligned to units of `bytes` bytes. `units`: "elements".
void require_pointer(const char* who, const void* pointer, int bytes, const char* units = "elements");

}  // namespace poisson3d
