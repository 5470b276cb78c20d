// The planes of u next to free faces (closed_faces.hpp) of a box that members share: what each has of them goes into
// an array of all of them, and from there to all others.
#pragma once

#include <memory>
#include <vector>

#include "closed_faces.hpp"
#include "member_memory.hpp"
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

/// copy(from, strides of its rows and columns, rows, columns, place in the array, its row) for each face that a
/// box touches; u of this box.
template <class T, class Copy>
void for_each_plane(const FreeFaces& faces, const Box& box, FieldView<const T> u, const Copy& copy) {
    if (box.points[0] * box.points[1] * box.points[2] == 0) return;
    faces.for_each([&](int axis, int side) {
        if (side == 0 ? box.first[axis] > 0 : box.first[axis] + box.points[axis] < faces.points[axis]) return;
        const auto [d, e] = across(axis);
        const T* from = u.data + (side == 0 ? 0 : (box.points[axis] - 1) * u.strides[axis]);
        const Index to = faces.first[axis][side] + box.first[d] * faces.row[axis] + box.first[e];
        copy(from, u.strides[d], u.strides[e], box.points[d], box.points[e], to, faces.row[axis]);
    });
}

/// Of members on hosts, those of this process with one array.
template <class T>
class FreePlanes {
public:
    FreePlanes(const FreeFaces& faces, const Decomposition& boxes, Transport& transport)
        : faces_(faces), boxes_(boxes), sent_(static_cast<std::size_t>(boxes.members())) {
        planes_.resize(static_cast<std::size_t>(faces.size), T(0));
        const std::vector<int>& mine = transport.mine();
        if (static_cast<int>(mine.size()) == boxes.members()) return;
        std::vector<Transfer> list;
        constexpr auto bytes = static_cast<Index>(sizeof(T));
        for (int to = 0; to < boxes.members(); ++to)
            for (int from = 0; from < boxes.members(); ++from) {
                if (from == to) continue;
                for (const PlanesPart& part : parts_of(faces, boxes.box(from))) {
                    const auto here = [&](int member) {
                        const bool is_mine = std::find(mine.begin(), mine.end(), member) != mine.end();
                        return is_mine ? reinterpret_cast<std::byte*>(planes_.data() + part.first) : nullptr;
                    };
                    list.push_back({from, to, here(from), here(to), part.run * bytes, part.runs,
                                    part.stride * bytes, part.stride * bytes});
                    Traffic& sent = sent_[static_cast<std::size_t>(from)];
                    ++sent.messages, sent.bytes += static_cast<double>(part.run * part.runs * bytes);
                }
            }
        transfers_ = transport.prepare(list);
    }

    [[nodiscard]] T* data() noexcept { return planes_.data(); }
    [[nodiscard]] std::size_t bytes() const noexcept { return planes_.size() * sizeof(T); }
    [[nodiscard]] Traffic sent_by(int member) const { return sent_[static_cast<std::size_t>(member)]; }

    /// What a member of this process has.
    void take(int member, FieldView<const T> u, T* to) const {
        for_each_plane<T>(faces_, boxes_.box(member), u,
                          [&](const T* from, Index row, Index column, Index rows, Index columns, Index place,
                              Index to_row) {
                              for (Index i = 0; i < rows; ++i)
                                  for (Index j = 0; j < columns; ++j)
                                      to[place + i * to_row + j] = from[i * row + j * column];
                          });
    }
    /// From data() of each process to that of all.
    void send(ThreadTeam& team) {
        if (transfers_) transfers_->run(team, {});
    }

private:
    FreeFaces faces_;
    Decomposition boxes_;
    std::vector<T> planes_;
    std::vector<Traffic> sent_;
    std::unique_ptr<Transfers> transfers_;  ///< null: all members are here
};

}  // namespace poisson3d
