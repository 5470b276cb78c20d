// The planes of u next to free faces (closed_faces.hpp) of a box that members share: what each has of them is sent
// to all others.
#pragma once

#include <vector>

#include "closed_faces.hpp"
#include "poisson3d/distributed.hpp"
#include "transport.hpp"

namespace poisson3d {

/// A part of that array: `runs` of `run` elements, `stride` apart.
struct PlanesPart {
    Index first, run, runs, stride;
};

/// What a box of slabs or pencils touches; of a slab faces of y and z are one part.
inline std::vector<PlanesPart> parts_of(const FreeFaces& faces, const Box& box) {
    std::vector<PlanesPart> parts;
    const auto [n, m, l] = box.points;
    const bool slab = m == faces.points[1];
    if (n * m * l == 0) return parts;
    if (slab && faces.row[1] > 0)
        parts.push_back({box.first[0] * faces.row[1], n * faces.row[1], 1, n * faces.row[1]});
    faces.for_each([&](int axis, int side) {
        const Index first = faces.first[axis][side];
        const auto at_end = [&](int a) {
            return side == 0 ? box.first[a] == 0 : box.first[a] + box.points[a] == faces.points[a];
        };
        if (axis == 0 && at_end(0)) parts.push_back({first + box.first[1] * l, m * l, 1, m * l});
        if (slab || axis == 0) return;
        const Index row = faces.row[axis], begin = first + box.first[0] * row;
        if (axis == 1 && at_end(1)) parts.push_back({begin, l, n, row});
        if (axis == 2) parts.push_back({begin + box.first[1], m, n, row});
    });
    return parts;
}

/// From the arrays of each member to those of all others; `sent` counts what each sends. Members of one array have
/// nothing to send each other.
template <class T, class ArrayOf>
std::vector<Transfer> planes_to_all(const FreeFaces& faces, const Decomposition& boxes, const ArrayOf& array_of,
                                    std::vector<Traffic>& sent) {
    std::vector<Transfer> list;
    constexpr auto bytes = static_cast<Index>(sizeof(T));
    sent.resize(static_cast<std::size_t>(boxes.members()));
    for (int to = 0; to < boxes.members(); ++to)
        for (int from = 0; from < boxes.members(); ++from) {
            if (from == to) continue;
            for (const PlanesPart& part : parts_of(faces, boxes.box(from))) {
                const auto at = [&](int member) {
                    T* const array = array_of(member);
                    return array == nullptr ? nullptr : reinterpret_cast<std::byte*>(array + part.first);
                };
                list.push_back({from, to, at(from), at(to), part.run * bytes, part.runs, part.stride * bytes,
                                part.stride * bytes});
                Traffic& count = sent[static_cast<std::size_t>(from)];
                ++count.messages, count.bytes += static_cast<double>(part.run * part.runs * bytes);
            }
        }
    return list;
}

}  // namespace poisson3d
