// Free faces that are closed by walls (lines/closed_axis.hpp), in parts, in the order of the middle pass: in slots
// of modes along axes that are transformed there, at points along one that is eliminated.
#pragma once

#include <array>
#include <vector>

#include "part.hpp"
#include "poisson3d/boundary_data.hpp"

namespace poisson3d {

/// An array over a face: element (i, j) along axes `rows` and `columns` at data[i · pitch + j].
template <class T>
struct FaceArray {
    T* data = nullptr;
    int rows = 0, columns = 0;
    Index pitch = 0;

    [[nodiscard]] Index stride(int axis) const noexcept { return axis == columns ? 1 : pitch; }
};

/// By axis and part (ClosedAxis); null: there is none.
template <class T>
using FacesByPart = std::array<std::array<FaceArray<T>, 2>, 3>;

/// Of them what some of the box has: `at_hand` along each axis.
template <class T>
struct FaceModes {
    FacesByPart<T> parts{};
    std::array<Planes, 3> at_hand{};

    /// body(here, there) for each number and that of an array of all.
    template <class Body>
    void for_each(const FacesByPart<T>& all, const Body& body) const {
        for (int a = 0; a < 3; ++a)
            for (int part = 0; part < 2; ++part) {
                const FaceArray<T>& here = parts[a][part];
                const FaceArray<T>& there = all[a][part];
                if (here.data == nullptr) continue;
                const auto [d, e] = across(a);
                for (Index i = 0; i < at_hand[d].count; ++i)
                    for (Index j = 0; j < at_hand[e].count; ++j)
                        body(here.data[i * here.stride(d) + j * here.stride(e)],
                             there.data[(at_hand[d].first + i) * there.stride(d) +
                                        (at_hand[e].first + j) * there.stride(e)]);
            }
    }
};

}  // namespace poisson3d
