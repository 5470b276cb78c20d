// What laws of free space share: ways to solve, mixes, differences of fields.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "free_mixes.hpp"
#include "test_solver.hpp"
#include "tolerance.hpp"

namespace poisson3d::test {

/// As the solver chooses, eliminated or closed by walls, and with lines padded, also spectrally.
inline const std::vector<Middle> ways{Middle::automatic, Middle::transform};
inline const std::vector<Discretization> free_discretizations{Discretization::second_order,
                                                              Discretization::spectral};

inline Options by_way(Middle way) {
    Options options = test_options();
    options.middle = way;
    return options;
}

template <class T>
double largest(const Field<T>& u) {
    double value = 0;
    for (Index i = 0; i < u.size(); ++i) value = std::max(value, std::abs(static_cast<double>(u.data()[i])));
    return value;
}

/// max |a − b| / max |b|; NaN counts as infinite.
template <class T>
double difference(const Field<T>& a, const Field<T>& b) {
    double value = 0;
    for (Index i = 0; i < a.size(); ++i) {
        const double d = std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i]));
        if (!(d <= value)) value = std::isnan(d) ? INFINITY : d;
    }
    return value / largest(b);
}

/// Mixes of one, two and three free axes, with cells, nodes, walls and images.
inline std::vector<Mix> some_mixes() {
    return {{free_kinds[cell_ff], free_kinds[cell_ff], free_kinds[cell_ff]},
            {free_kinds[node_nf], free_kinds[cell_df], free_kinds[node_ff]},
            {free_kinds[cell_fn], free_kinds[node_fd], free_kinds[cell_ff]},
            {kinds[cell_p], free_kinds[cell_ff], free_kinds[cell_fn]},
            {free_kinds[node_nf], kinds[node_dd], free_kinds[cell_ff]},
            {free_kinds[cell_ff], free_kinds[node_fd], kinds[cell_nn]},
            {free_kinds[cell_ff], kinds[cell_p], kinds[node_dn]},
            {kinds[node_nn], free_kinds[cell_fn], kinds[cell_p]},
            {kinds[cell_dd], kinds[cell_p], free_kinds[node_nf]}};
}

/// Engine cufft refuses what the others solve.
class FreeSpaceTest : public testing::Test {
protected:
    void SetUp() override {
        if (!eliminates_under_test) GTEST_SKIP() << "engine cufft has no free faces";
    }
};

}  // namespace poisson3d::test
