// Pencils of all sorts, for tests of members on hosts and on devices.
#pragma once

#include <vector>

#include "poisson3d/distributed.hpp"

namespace poisson3d::test {

/// Even, uneven, with empty members, of one row, in another order, of 12 members.
inline std::vector<Decomposition> pencils(const Extents& points) {
    const Index n = points[0], m = points[1];
    return {Decomposition::pencils(points, {2, 2}),
            Decomposition::pencils(points, {1, 3}),
            Decomposition::pencils(points, {3, 4}),
            Decomposition::pencils(points, {n - 1, 1}, {1, m - 1}),
            Decomposition::pencils(points, {1, 0, n - 1}, {m - 1, 0, 1}),
            Decomposition::pencils(points, {2, 3}).in_order_of({0, 2, 4, 1, 3, 5})};
}

}  // namespace poisson3d::test
