// What `poisson3d bench transpose` is asked to measure.
#pragma once

#include <optional>
#include <vector>

#include "poisson3d/transpose.hpp"

namespace poisson3d::app {

struct BenchTransposeOptions {
    std::vector<Extents> points;
    std::vector<int> elements;  ///< bytes
    std::vector<Permutation> permutations;
    std::vector<Algorithm> algorithms;
    std::vector<BlockOrder> orders;  ///< for algorithm banded
    std::vector<Index> bands;        ///< for banded, super-grid and aligned; 0: chosen
    std::optional<Backend> backend;  ///< empty: cuda where there is a device
    int device = 0;
    int threads = 0;
    int repeat = 0;  ///< 0: 9
};

}  // namespace poisson3d::app
