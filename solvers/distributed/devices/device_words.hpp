// Words in the memory of devices by which the work of streams is ordered between processes: a stream sets one, and
// another one, of another device and process maybe, waits for it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "poisson3d/stream.hpp"

namespace poisson3d {

/// Why there are none: the driver does not have what they need; empty if it does.
std::string missing_device_words();
/// Each becomes `value` after all that is in the stream, which what waits for it sees.
void set_words(std::span<std::uint32_t* const> words, std::uint32_t value, Stream stream);
/// Until each is `value`, or has gone on from there by less than 2³¹.
void wait_for_words(std::span<std::uint32_t* const> words, std::uint32_t value, Stream stream);

/// Where the allocation begins in which a place of a device is.
const void* allocation_of(const void* place);

}  // namespace poisson3d
