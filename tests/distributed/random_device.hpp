// A device that a build without CUDA does not have: its memory is the host's, and what is put into a stream is done
// later, at times that chance decides, in any order that streams and events allow. So what is not ordered goes
// wrong.
#pragma once

#include <cstdint>
#include <functional>

#include "poisson3d/stream.hpp"

namespace poisson3d::test {

/// Another chance.
void reseed_device(std::uint64_t seed);
/// Puts work into a stream, as a kernel would.
void launch(Stream stream, std::function<void()> work);

}  // namespace poisson3d::test
