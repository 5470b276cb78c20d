// Runs of bytes copied between any two places that the current device reaches, by copy engines.
#pragma once

#include "poisson3d/pinned_memory.hpp"
#include "transfers.hpp"

namespace poisson3d {

/// Asynchronous; throws Error{device} when refused, as do the others.
inline void copy_rows(const Transfer& t, Stream stream) {
    const auto bytes = [](Index count) { return static_cast<std::size_t>(count); };
    start_copy_of_rows(t.target, bytes(t.target_stride), t.source, bytes(t.source_stride), bytes(t.run),
                       bytes(t.runs), stream);
}

/// The same transfer to runs without gaps, which may be on the host, …
inline Transfer into(Transfer t, std::byte* packed) {
    t.target = packed, t.target_stride = t.run;
    return t;
}
/// … and from there.
inline Transfer out_of(const std::byte* packed, Transfer t) {
    t.source = packed, t.source_stride = t.run;
    return t;
}

}  // namespace poisson3d
