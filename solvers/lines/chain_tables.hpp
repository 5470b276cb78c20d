// The chain of an eliminated axis (chain.hpp) as tables of T.
#pragma once

#include <vector>

#include "chain.hpp"
#include "elimination.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::lines {

/// Links and volumes are those of the chain times a power of two near the axis' typical step, so that links are
/// about 1 and single precision holds them for any unit of length.
template <class T>
struct ChainTables {
    std::vector<T> links, volumes;
    ChainView<T> view;  ///< without pointers: a device has its own copies
    T wall = 0;         ///< in the same units, from the end that is not free to its Neumann wall

    explicit ChainTables(const Chain& chain);
    /// `count` of its nodes, from `first` on.
    [[nodiscard]] ChainTables part(Index first, Index count) const;
    /// With pointers to these vectors.
    [[nodiscard]] ChainView<T> on_host() const;
};

/// Whether κ is 0 on one line along `axis`, the constant of the two other axes.
bool has_constant_line(const Problem& problem, int axis) noexcept;

}  // namespace poisson3d::lines
