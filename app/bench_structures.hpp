// What `poisson3d bench structures` is asked to measure.
#pragma once

#include <optional>
#include <vector>

#include "poisson3d/structures.hpp"

namespace poisson3d::app {

struct BenchStructuresOptions {
    std::vector<int> fields;         ///< structures ↔ arrays
    std::vector<int> words;          ///< kernels that load and store structures; cuda only
    std::vector<int> elements;       ///< bytes of a word
    Index count = 0;                 ///< structures; 0: as many as fill 1 GiB on a device, 64 MiB on a host
    bool in_place = false;           ///< structures ↔ arrays in place as well
    std::optional<Backend> backend;  ///< empty: cuda where there is a device
    int device = 0;
    int threads = 0;
    int repeat = 0;  ///< 0: 9
};

}  // namespace poisson3d::app
