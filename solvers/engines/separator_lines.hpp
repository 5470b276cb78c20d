// Of every pair of modes the chain or ring of separators: the last nodes of all parts of a line (member.hpp). What
// a part gives to its left neighbour is the part before's; of a chain the first gives nothing. Host and device
// share this file.
#pragma once

#include "elimination.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

template <class T>
struct SeparatorLines {
    const T* links = nullptr;   ///< [part][3][lines]: tie, excess, excess given to the left
    const T* shares = nullptr;  ///< [part][2][lines]: current, current given to the left
    T* potentials = nullptr;    ///< [part][lines]
    int count = 0;              ///< of parts
    Index lines = 0;

    /// The nodes of a line that stay: `count` numbers each.
    POISSON3D_HD lines::NodesThatStay<T> gather(Index line, T* ties, T* excesses, T* currents) const {
        for (int p = 0; p < count; ++p) {
            const int after = p + 1 < count ? p + 1 : 0;
            ties[p] = links[3 * p * lines + line];
            excesses[p] = links[(3 * p + 1) * lines + line] + links[(3 * after + 2) * lines + line];
            currents[p] = shares[2 * p * lines + line] + shares[(2 * after + 1) * lines + line];
        }
        return {ties, excesses, currents};
    }
    POISSON3D_HD void put(Index line, const T* u) const {
        for (int p = 0; p < count; ++p) potentials[p * lines + line] = u[p];
    }
};

}  // namespace poisson3d
