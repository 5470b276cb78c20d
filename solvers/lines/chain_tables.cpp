#include "chain_tables.hpp"

#include <cmath>
#include <numeric>

#include "axis_kind.hpp"

namespace poisson3d::lines {

namespace {

/// A power of two near the mean step.
double unit_of(const Chain& chain) {
    const double length = std::accumulate(chain.volumes.begin(), chain.volumes.end(), 0.0);
    return std::ldexp(1.0, std::ilogb(length / static_cast<double>(chain.volumes.size())));
}

}  // namespace

template <class T>
ChainTables<T>::ChainTables(const Chain& chain) {
    const double unit = unit_of(chain);
    for (const double link : chain.links) links.push_back(static_cast<T>(link * unit));
    for (const double volume : chain.volumes) volumes.push_back(static_cast<T>(volume * unit));
    view.nodes = static_cast<int>(volumes.size());
    for (int side = 0; side < 2; ++side)
        if (chain.beyond[side] > 0.0)
            view.beyond[side] = {static_cast<T>(0.5 * chain.beyond[side]), static_cast<T>(unit)};
        else
            wall = static_cast<T>(chain.wall[side] / unit),
            view.ground[side] = static_cast<T>(chain.ground[side] * unit);
}

template <class T>
ChainTables<T> ChainTables<T>::part(Index first, Index count) const {
    ChainTables some = *this;
    some.links.assign(links.begin() + first, links.begin() + first + count + 1);
    some.volumes.assign(volumes.begin() + first, volumes.begin() + first + count);
    some.view = on_host().part(static_cast<int>(first), static_cast<int>(count));
    some.view.links = some.view.volumes = nullptr;
    return some;
}

template <class T>
ChainView<T> ChainTables<T>::on_host() const {
    ChainView<T> with_pointers = view;
    with_pointers.links = links.data();
    with_pointers.volumes = volumes.data();
    return with_pointers;
}

bool has_constant_line(const Problem& problem, int axis) noexcept {
    const auto constant = [&](int a) { return axis_kind(problem.grid.axes[a]).constant_mode; };
    return problem.helmholtz == 0.0 && constant((axis + 1) % 3) && constant((axis + 2) % 3);
}

template struct ChainTables<float>;
template struct ChainTables<double>;

}  // namespace poisson3d::lines
