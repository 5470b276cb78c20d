// Decompositions of boxes that members have anyway: whether they cover the grid, and whether they are slabs or
// pencils in some order.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "agreement.hpp"
#include "boxes.hpp"
#include "poisson3d/error.hpp"
#include "require_members.hpp"

namespace poisson3d {

namespace {

std::string spell(const Box& box) {
    std::string text;
    for (std::size_t a = 0; a < 3; ++a)
        text += (a > 0 ? " x [" : "[") + std::to_string(box.first[a]) + ", " +
                std::to_string(box.first[a] + box.points[a]) + ")";
    return text;
}

void require_inside(const Extents& points, const std::vector<Box>& boxes) {
    for (std::size_t m = 0; m < boxes.size(); ++m)
        for (std::size_t a = 0; a < 3; ++a) {
            const Index first = boxes[m].first[a], count = boxes[m].points[a];
            if (first < 0 || count < 0 || first > points[a] || count > points[a] - first)
                throw Error(ErrorCode::usage, "the box of member " + std::to_string(m) + ": found " +
                                                  std::to_string(count) + " points from " + std::to_string(first) +
                                                  " on along axis " + std::to_string(a) +
                                                  ", wanted points of 0 to " + std::to_string(points[a] - 1));
        }
}

/// Members that have points, by where they begin along the first axis.
std::vector<std::size_t> with_points(const std::vector<Box>& boxes) {
    std::vector<std::size_t> members;
    for (std::size_t m = 0; m < boxes.size(); ++m)
        if (size_of(boxes[m]) > 0) members.push_back(m);
    std::stable_sort(members.begin(), members.end(),
                     [&](std::size_t a, std::size_t b) { return boxes[a].first[0] < boxes[b].first[0]; });
    return members;
}

void require_tiling(const Extents& points, const std::vector<Box>& boxes) {
    require_inside(points, boxes);
    const std::vector<std::size_t> members = with_points(boxes);
    Index sum = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const Box& box = boxes[members[i]];
        sum += size_of(box);
        for (std::size_t j = i + 1; j < members.size() && boxes[members[j]].first[0] < box.first[0] + box.points[0];
             ++j)
            if (size_of(intersection(box, boxes[members[j]])) > 0)
                throw Error(ErrorCode::usage, "the boxes of members " + std::to_string(members[i]) + ", " +
                                                  spell(box) + ", and " + std::to_string(members[j]) + ", " +
                                                  spell(boxes[members[j]]) +
                                                  ", overlap: wanted every point in one of them");
    }
    const Index all = size_of({{}, points});
    if (sum != all)
        throw Error(ErrorCode::usage, "the boxes of all members: found " + std::to_string(sum) +
                                          " points in them, wanted " + std::to_string(all) +
                                          ", every point of the grid");
}

/// Where boxes begin along an axis, each place once.
std::vector<Index> begins(const std::vector<Box>& boxes, const std::vector<std::size_t>& members,
                          std::size_t axis) {
    std::vector<Index> all;
    for (const std::size_t m : members) all.push_back(boxes[m].first[axis]);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::vector<Index> counts(const std::vector<Index>& begins, Index end, Index empty) {
    std::vector<Index> all;
    for (std::size_t r = 0; r < begins.size(); ++r)
        all.push_back((r + 1 < begins.size() ? begins[r + 1] : end) - begins[r]);
    all.insert(all.end(), static_cast<std::size_t>(empty), 0);
    return all;
}

Index number_of(const std::vector<Index>& begins, Index first) {
    return std::lower_bound(begins.begin(), begins.end(), first) - begins.begin();
}

}  // namespace

Decomposition Decomposition::boxes(const Extents& points, const std::vector<Box>& boxes) {
    require_members(static_cast<int>(boxes.size()));
    require_tiling(points, boxes);
    const std::vector<std::size_t> members = with_points(boxes);
    const std::vector<Index> rows = begins(boxes, members, 0), columns = begins(boxes, members, 1);
    const auto empty = static_cast<Index>(boxes.size() - members.size());
    const auto across = static_cast<Index>(columns.size());
    // Boxes that tile and are as many as such places each begin at one of them, and end where the next one begins.
    const bool grid = begins(boxes, members, 2).size() == 1 && rows.size() * columns.size() == members.size() &&
                      empty % across == 0;
    if (!grid) {
        Decomposition other = automatic(points, static_cast<int>(boxes.size()));
        other.own_ = boxes;
        other.redistributed_ = true;
        return other;
    }
    Decomposition parts = pencils(points, counts(rows, points[0], empty / across), counts(columns, points[1], 0));
    Index next = static_cast<Index>(members.size());  // those without points are in the rows behind
    for (std::size_t m = 0; m < boxes.size(); ++m)
        parts.place_[m] = static_cast<int>(size_of(boxes[m]) == 0 ? next++
                                                                  : number_of(rows, boxes[m].first[0]) * across +
                                                                        number_of(columns, boxes[m].first[1]));
    parts.own_ = boxes;
    return parts;
}

Decomposition Decomposition::boxes(const Extents& points, const std::vector<Box>& mine,
                                   const Communicator& members) {
    std::vector<double> numbers(6 * static_cast<std::size_t>(members.size()), 0.0);  // of indices, exactly
    Agreement(members.transport()).all([&] {
        if (mine.size() != members.mine().size())
            throw Error(ErrorCode::usage, "found " + std::to_string(mine.size()) + " boxes, wanted " +
                                              std::to_string(members.mine().size()) +
                                              ", one for each of my members");
        for (std::size_t m = 0; m < mine.size(); ++m)
            for (std::size_t a = 0; a < 3; ++a) {
                double* const of_member = numbers.data() + 6 * static_cast<std::size_t>(members.mine()[m]);
                of_member[a] = static_cast<double>(mine[m].first[a]);
                of_member[3 + a] = static_cast<double>(mine[m].points[a]);
            }
    });
    members.transport().sum(numbers.data(), static_cast<Index>(numbers.size()));
    std::vector<Box> all(static_cast<std::size_t>(members.size()));
    for (std::size_t m = 0; m < all.size(); ++m)
        for (std::size_t a = 0; a < 3; ++a) {
            all[m].first[a] = static_cast<Index>(numbers[6 * m + a]);
            all[m].points[a] = static_cast<Index>(numbers[6 * m + 3 + a]);
        }
    return boxes(points, all);
}

}  // namespace poisson3d
