// Fields and boundary data of my members, from the arrays of pointers that C hands over, one for each of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arguments.hpp"
#include "poisson3d/distributed.hpp"

namespace poisson3d::c {

template <class T>
std::vector<FieldBatch<T>> read_fields(const Decomposition& parts, const std::vector<int>& mine, T* const* pointers,
                                       const std::int64_t* strides, Index count, std::int64_t step,
                                       const char* what) {
    require_pointer(pointers, what);
    std::vector<FieldBatch<T>> batches;
    for (std::size_t m = 0; m < mine.size(); ++m)
        batches.emplace_back(read_field(parts.box(mine[m]).points, pointers[m], strides), count, step);
    return batches;
}

/// Arrays have the extents of the parts of faces that boxes touch.
template <class T>
std::vector<BoundaryData<T>> read_boundaries(const Grid& grid, const Decomposition& parts,
                                             const std::vector<int>& mine, const Boundaries<T>* const* boundaries) {
    std::vector<BoundaryData<T>> all;
    Grid here;
    here.labels = grid.labels;
    for (std::size_t m = 0; boundaries != nullptr && m < mine.size(); ++m) {
        const Extents points = parts.box(mine[m]).points;
        for (std::size_t a = 0; a < 3; ++a) here.axes[a].points = points[a];
        all.push_back(read_boundary<T>(here, boundaries[m]));
    }
    return all;
}

/// Three of each of my members, one member's behind the other's.
template <class T>
std::vector<std::array<FieldView<T>, 3>> read_components(const Decomposition& parts, const std::vector<int>& mine,
                                                         T* const* pointers, const std::int64_t* strides) {
    require_pointer(pointers, "components");
    std::vector<std::array<FieldView<T>, 3>> all(mine.size());
    for (std::size_t m = 0; m < mine.size(); ++m)
        for (std::size_t a = 0; a < 3; ++a)
            if (pointers[3 * m + a] != nullptr)
                all[m][a] = read_field(parts.box(mine[m]).points, pointers[3 * m + a], strides);
    return all;
}

}  // namespace poisson3d::c
