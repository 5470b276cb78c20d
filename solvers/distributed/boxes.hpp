// Arithmetic of boxes of a grid.
#pragma once

#include <algorithm>

#include "poisson3d/distributed.hpp"

namespace poisson3d {

inline Index size_of(const Box& box) noexcept {
    return box.points[0] * box.points[1] * box.points[2];
}

/// What is in both; without points if nothing is.
inline Box intersection(const Box& a, const Box& b) noexcept {
    Box both;
    for (std::size_t d = 0; d < 3; ++d) {
        both.first[d] = std::max(a.first[d], b.first[d]);
        both.points[d] =
            std::max<Index>(0, std::min(a.first[d] + a.points[d], b.first[d] + b.points[d]) - both.first[d]);
    }
    return both;
}

}  // namespace poisson3d
