// What `poisson3d bench transpose` is asked to measure.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "poisson3d/in_place.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d::app {

struct BenchTransposeOptions {
    std::vector<Extents> points;
    std::vector<int> elements;  ///< bytes
    std::vector<Permutation> permutations;
    std::vector<Algorithm> algorithms;                  ///< out of place
    std::vector<InPlaceAlgorithm> in_place_algorithms;  ///< in place
    std::vector<BlockOrder> orders;                     ///< for algorithm banded, or for exchange in place
    std::vector<Index> bands;  ///< for banded, super-grid and aligned, or v1b in place; 0: chosen
    bool in_place = false;
    bool all_algorithms = false;                 ///< the list was `all`: what does not fit is left out
    int random = 0;                              ///< in place: so many random matrices instead of points
    std::pair<Index, Index> sides{1000, 20000};  ///< least and greatest side of these
    std::uint64_t seed = 0;                      ///< of these
    std::optional<Backend> backend;              ///< empty: cuda where there is a device
    int device = 0;
    int threads = 0;
    int repeat = 9;
};

}  // namespace poisson3d::app
