#include "poisson3d/distributed.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "boxes.hpp"
#include "poisson3d/error.hpp"
#include "require_members.hpp"

namespace poisson3d {

namespace {

std::vector<Index> evenly(Index points, int members) {
    require_members(members);
    std::vector<Index> counts(static_cast<std::size_t>(members), points / members);
    for (Index m = 0; m < points % members; ++m) ++counts[static_cast<std::size_t>(m)];
    return counts;
}

/// First points, and the end; messages name `what` of `whom`, "the planes" of "member".
std::vector<Index> cuts(Index points, const std::vector<Index>& counts, const std::string& what,
                        const std::string& whom) {
    require_members(static_cast<int>(counts.size()));
    std::vector<Index> first{0};
    for (const Index count : counts) {
        const Index left = points - first.back();
        if (count < 0 || count > left)
            throw Error(ErrorCode::usage, what + " of " + whom + " " + std::to_string(first.size() - 1) +
                                              ": found " + std::to_string(count) + ", wanted 0 to " +
                                              std::to_string(left));
        first.push_back(first.back() + count);
    }
    if (first.back() != points)
        throw Error(ErrorCode::usage, what + " of all " + whom + "s: found " + std::to_string(first.back()) +
                                          ", wanted " + std::to_string(points));
    return first;
}

/// Whether each member of a grid with so many columns has points.
bool has_points_for(const Extents& points, int members, int columns) {
    return members % columns == 0 && members / columns <= points[0] && columns <= points[1];
}

/// The number of the range that has a point.
int range_of_point(const std::vector<Index>& cuts, Index point) {
    return static_cast<int>(std::upper_bound(cuts.begin(), cuts.end(), point) - cuts.begin()) - 1;
}

}  // namespace

Decomposition::Decomposition(const Extents& points, std::array<std::vector<Index>, 2> cuts)
    : points_(points), cuts_(std::move(cuts)), place_((cuts_[0].size() - 1) * (cuts_[1].size() - 1)) {
    std::iota(place_.begin(), place_.end(), 0);
}

Decomposition Decomposition::slabs(const Extents& points, int members) {
    return slabs(points, evenly(points[0], members));
}

Decomposition Decomposition::slabs(const Extents& points, const std::vector<Index>& planes) {
    return {points, {cuts(points[0], planes, "the planes", "member"), {0, points[1]}}};
}

Decomposition Decomposition::pencils(const Extents& points, std::array<int, 2> members) {
    return pencils(points, evenly(points[0], members[0]), evenly(points[1], members[1]));
}

Decomposition Decomposition::pencils(const Extents& points, const std::vector<Index>& first,
                                     const std::vector<Index>& second) {
    return {points,
            {cuts(points[0], first, "points of the first axis", "row"),
             cuts(points[1], second, "points of the second axis", "column")}};
}

Decomposition Decomposition::pencils(const Extents& points, int members) {
    require_members(members);
    int most = 1;
    for (int columns = 1; columns <= members / columns; ++columns)
        if (has_points_for(points, members, columns)) most = columns;
    return pencils(points, {members / most, most});
}

Decomposition Decomposition::automatic(const Extents& points, int members) {
    require_members(members);
    for (int columns = 1; columns <= members; ++columns)
        if (has_points_for(points, members, columns)) return pencils(points, {members / columns, columns});
    return slabs(points, members);
}

Decomposition Decomposition::in_order_of(const std::vector<int>& members) const {
    std::vector<int> all(place_.size()), sorted = members;
    std::iota(all.begin(), all.end(), 0);
    std::sort(sorted.begin(), sorted.end());
    if (sorted != all)
        throw Error(ErrorCode::usage, "an order of " + std::to_string(all.size()) +
                                          " members: found another list, wanted the numbers of all, each once");
    Decomposition other = *this;
    for (std::size_t m = 0; m < place_.size(); ++m) {
        const auto from = static_cast<std::size_t>(members[m]);
        other.place_[m] = place_[from];
        if (!own_.empty()) other.own_[m] = own_[from];
    }
    return other;
}

Decomposition Decomposition::solved_in() const {
    Decomposition other = *this;
    other.own_.clear();
    other.redistributed_ = false;
    return other;
}

int Decomposition::member(int row, int column) const {
    const int place = row * shape()[1] + column;
    return static_cast<int>(std::find(place_.begin(), place_.end(), place) - place_.begin());
}

std::array<int, 2> Decomposition::place(int member) const {
    const int place = place_[static_cast<std::size_t>(member)], columns = shape()[1];
    return {place / columns, place % columns};
}

Box Decomposition::box(int member) const {
    if (!own_.empty()) return own_[static_cast<std::size_t>(member)];
    const auto [row, column] = place(member);
    const Index* const x = cuts_[0].data() + row;
    const Index* const y = cuts_[1].data() + column;
    return {{x[0], y[0], 0}, {x[1] - x[0], y[1] - y[0], points_[2]}};
}

int Decomposition::owner(Index i, Index j, Index k) const {
    if (redistributed())
        return static_cast<int>(std::find_if(own_.begin(), own_.end(),
                                             [&](const Box& box) {
                                                 return size_of(intersection(box, {{i, j, k}, {1, 1, 1}})) > 0;
                                             }) -
                                own_.begin());
    return member(range_of_point(cuts_[0], i), range_of_point(cuts_[1], j));
}

const char* name(Way way) noexcept {
    switch (way) {
        case Way::copies: return "copies";
        case Way::stores: return "stores";
        case Way::nccl: return "nccl";
        case Way::staged: return "staged";
        case Way::passes: return "passes";
        case Way::mpi: return "mpi";
        default: return "automatic";
    }
}

const char* name(Method method) noexcept {
    switch (method) {
        case Method::automatic: return "automatic";
        case Method::eliminate: return "eliminate";
        case Method::transpose: return "transpose";
    }
    return "unknown";
}

}  // namespace poisson3d
