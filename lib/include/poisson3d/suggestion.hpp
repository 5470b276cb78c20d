// What somebody who mistyped a word may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "poisson3d/export.hpp"

namespace poisson3d {

/// The first of `choices` with the least edit distance to `word` (insertions, deletions, replacements and swaps of
/// neighbouring bytes, upper and lower case being the same), if that is at most a third of its length, rounded up;
/// else empty. A choice that is `word` itself in the other case is always near.
POISSON3D_API std::string nearest(std::string_view word, const std::vector<std::string>& choices);

/// "; did you mean --boundary?", to be put behind a message; empty if no choice is near.
POISSON3D_API std::string did_you_mean(std::string_view word, const std::vector<std::string>& choices);

}  // namespace poisson3d
