// Problems with free faces: the six kinds of free axis beside each other and beside the kinds of `problems.hpp`.
#pragma once

#include <string>
#include <vector>

#include "problems.hpp"

namespace poisson3d::test {

inline constexpr std::array<Kind, 6> free_kinds{{
    {Centering::cell, Boundary::free, Boundary::free, "CellFF"},
    {Centering::node, Boundary::free, Boundary::free, "NodeFF"},
    {Centering::cell, Boundary::dirichlet, Boundary::free, "CellDF"},
    {Centering::cell, Boundary::free, Boundary::neumann, "CellFN"},
    {Centering::node, Boundary::free, Boundary::dirichlet, "NodeFD"},
    {Centering::node, Boundary::neumann, Boundary::free, "NodeNF"},
}};

enum FreeKindName { cell_ff, node_ff, cell_df, cell_fn, node_fd, node_nf };

using Mix = std::array<Kind, 3>;

inline std::string describe(const Mix& mix) {
    return std::string(mix[0].name) + " " + std::string(mix[1].name) + " " + std::string(mix[2].name);
}

/// Every free kind in every place, with one, two and three free axes.
inline std::vector<Mix> free_mixes() {
    std::vector<Mix> mixes;
    for (std::size_t k = 0; k < free_kinds.size(); ++k) {
        const Kind& kind = free_kinds[k];
        mixes.push_back({kind, free_kinds[cell_ff], free_kinds[cell_ff]});
        mixes.push_back({free_kinds[cell_df], kind, free_kinds[node_nf]});
        mixes.push_back({free_kinds[cell_fn], free_kinds[node_fd], kind});
        for (const int wall : {int{cell_p}, int{cell_dd}, int{node_nn}, int{cell_dn}}) {
            const Kind& bounded = kinds[wall];
            mixes.push_back({bounded, kind, free_kinds[cell_ff]});
            mixes.push_back({free_kinds[cell_fn], bounded, kind});
            mixes.push_back({kind, free_kinds[node_nf], bounded});
            mixes.push_back({kind, bounded, kinds[cell_p]});
            mixes.push_back({kinds[node_nd], kind, bounded});
            mixes.push_back({bounded, kinds[node_nn], kind});
        }
    }
    return mixes;
}

/// Points, steps and origins differ, so that an axis taken for another shows.
inline Problem make_problem(const Mix& mix, const Extents& points,
                            Discretization discretization = Discretization::second_order, double helmholtz = 0.0) {
    constexpr std::array<double, 3> steps{0.7, 1.3, 0.45};
    constexpr std::array<double, 3> origins{-0.25, 3.0, 11.5};
    Problem problem;
    for (int a = 0; a < 3; ++a) {
        Axis& axis = problem.grid.axes[a];
        axis = {points[a], steps[a], origins[a], mix[a].centering, mix[a].lower, mix[a].upper};
        axis.points = std::max(axis.points, fewest_points(axis));
    }
    problem.discretization = discretization;
    problem.helmholtz = helmholtz;
    return problem;
}

}  // namespace poisson3d::test
