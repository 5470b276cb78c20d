// Of every pair of modes the chain or ring of separators: the last nodes of all parts of a line (member.hpp). What
// a part gives to its left neighbour is the part before's; of a chain the first gives nothing. Host and device
// share this file.
#pragma once

#include "elimination.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

/// Numbers of a line in memory where those of neighbouring lines are beside each other.
template <class T>
struct StridedRow {
    T* data;
    Index stride;
    POISSON3D_HD T& operator[](int j) const { return data[j * stride]; }
    POISSON3D_HD StridedRow operator+(int rows) const { return {data + rows * stride, stride}; }
};

template <class T>
struct SeparatorLines {
    const T* links = nullptr;   ///< [part][3][lines]: tie, excess, excess given to the left
    const T* shares = nullptr;  ///< [part][2][lines]: current, current given to the left
    T* potentials = nullptr;    ///< [part][lines]
    int count = 0;              ///< of parts
    Index lines = 0;
    T* work = nullptr;  ///< [row][lines] where there are many parts

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

    /// More parts than one run has nodes, which have rows of `work`.
    [[nodiscard]] POISSON3D_HD bool many() const { return count > lines::run_nodes; }
    [[nodiscard]] static Index work_rows(Index parts) {
        return parts > lines::run_nodes ? lines::two_level_rows(parts) : 0;
    }
    /// The nodes of a line, as they are asked for.
    struct Nodes {
        const SeparatorLines& all;
        Index line;
        [[nodiscard]] POISSON3D_HD int after(int p) const { return p + 1 < all.count ? p + 1 : 0; }
        [[nodiscard]] POISSON3D_HD T link(int p) const { return all.links[3 * p * all.lines + line]; }
        [[nodiscard]] POISSON3D_HD T excess(int p) const {
            return all.links[(3 * p + 1) * all.lines + line] + all.links[(3 * after(p) + 2) * all.lines + line];
        }
        [[nodiscard]] POISSON3D_HD T current(int p) const {
            return all.shares[2 * p * all.lines + line] + all.shares[(2 * after(p) + 1) * all.lines + line];
        }
    };
    /// One thread eliminates a line.
    POISSON3D_HD void solve_many(Index line) const {
        lines::eliminate_two_levels<T>(Nodes{*this, line}, count, StridedRow<T>{potentials + line, lines},
                                       StridedRow<T>{work + line, lines});
    }
    POISSON3D_HD void solve_few(Index line) const {
        constexpr int most = lines::run_nodes;
        T ties[most], excesses[most], currents[most], inner[2 * most];
        const auto nodes = gather(line, ties, excesses, currents);
        lines::eliminate_one_run(nodes, count, currents, inner);
        put(line, currents);
    }
};

}  // namespace poisson3d
