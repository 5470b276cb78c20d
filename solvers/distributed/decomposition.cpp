#include <algorithm>

#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"
#include "require_members.hpp"

namespace poisson3d {

Decomposition Decomposition::slabs(const Extents& points, int members) {
    require_members(members);
    const Index each = points[0] / members, more = points[0] % members;
    std::vector<Index> planes(static_cast<std::size_t>(members), each);
    for (Index m = 0; m < more; ++m) ++planes[static_cast<std::size_t>(m)];
    return slabs(points, planes);
}

Decomposition Decomposition::slabs(const Extents& points, const std::vector<Index>& planes) {
    require_members(static_cast<int>(planes.size()));
    std::vector<Index> first{0};
    for (const Index count : planes) {
        if (count < 0 || count > points[0] - first.back())
            throw Error(ErrorCode::usage, "the planes of member " + std::to_string(first.size() - 1) + ": found " +
                                              std::to_string(count) + ", wanted 0 to " +
                                              std::to_string(points[0] - first.back()));
        first.push_back(first.back() + count);
    }
    if (first.back() != points[0])
        throw Error(ErrorCode::usage, "the planes of all members: found " + std::to_string(first.back()) +
                                          ", wanted " + std::to_string(points[0]));
    return {points, std::move(first)};
}

Box Decomposition::box(int member) const {
    return {{first(member), 0, 0}, {planes(member), points_[1], points_[2]}};
}

int Decomposition::owner(Index i) const {
    return static_cast<int>(std::upper_bound(first_.begin(), first_.end(), i) - first_.begin()) - 1;
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
