// Lines by products with matrices, alone: of all kinds, radices, types and numbers of lines, by rows and by
// columns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "axis_rules.hpp"
#include "axis_tables.hpp"
#include "folded_matrix_plan.hpp"
#include "launch_pass.hpp"
#include "line_plan.hpp"
#include "matrix_plan.hpp"
#include "problems.hpp"
#include "random_values.hpp"
#include "real_matrix_plan.hpp"
#include "spectrum.hpp"
#include "tolerance.hpp"

namespace poisson3d::lines {
namespace {

// a odd and at most 127; of continued lines at most 63 columns beside.
TEST(MatrixSteps, LinesThatHaveThem) {
    const auto radices = [](const Axis& axis) { return matrix_radices(axis_kind(axis)); };
    const auto walls = [](Index n) { return test::make_axis(test::cell_dd, n, 1.0); };
    EXPECT_TRUE(radices(walls(257)).empty());
    EXPECT_TRUE(radices(walls(256)).empty());
    EXPECT_TRUE(radices(walls(2 * 251)).empty());
    EXPECT_EQ(radices(walls(29 * 31)).size(), 2U);
    EXPECT_EQ(radices(walls(2 * 3 * 127)).size(), 2U);
    const auto nodes = [](Index half) { return test::make_axis(test::node_dd, half + 1, 1.0); };
    EXPECT_TRUE(radices(nodes(257)).empty());
    EXPECT_TRUE(radices(nodes(256)).empty());
    EXPECT_TRUE(radices(nodes(64 * 127)).empty());
    EXPECT_EQ(radices(nodes(63 * 127)), (std::vector<int>{127, 63}));
    EXPECT_EQ(radices(nodes(127)), (std::vector<int>{127, 1}));
    for (const int a : radices(nodes(29 * 31))) EXPECT_TRUE(a == 29 || a == 31);
}

/// A pass over an odd number of lines, of which a block takes 2^shift pairs: of samples to slots of modes, or back.
/// They are rows of the field, or columns; `vectors`: neighbours are read and written together.
template <device::Role role, Kind kind, class T>
std::vector<T> pass(AxisTables<T>& tables, const std::vector<T>& in, Index lines, int shift, bool vectors) {
    constexpr T nothing = std::numeric_limits<T>::quiet_NaN();
    constexpr bool there = device::reads_samples(role);
    constexpr auto movement = fused::Movement::in_place;
    const auto count = static_cast<Index>(in.size()) / lines;
    const auto next = [](Index n) { return (n + 1) / 2 * 2; };
    // With room for an even number of lines or elements.
    const bool rows = device::in_rows(fused::layout_in(role, movement));
    const Index pitch = next(rows ? count : lines);
    const auto place = [&](Index line, Index j) {
        return static_cast<std::size_t>(rows ? line * pitch + j : j * pitch + line);
    };
    std::vector<T> from(static_cast<std::size_t>(pitch * (rows ? lines : count)), nothing), to = from;
    for (Index line = 0; line < lines; ++line)
        for (Index j = 0; j < count; ++j) from[place(line, j)] = in[line * count + j];
    for_each_table(tables, [](const auto& array, auto& pointer) { pointer = array.data(); });
    device::PassTask<T, Compact> task;
    task.in = from.data();
    task.out = to.data();
    task.kind = tables.form;
    task.outer = tables.outer;
    task.rows = static_cast<int>(tables.plan.count * tables.plan.length);
    task.slow = 1;
    task.count = 1 << shift;
    task.shift = shift;
    task.lines = lines;
    task.in_line = task.out_line = rows ? pitch : 1;
    task.in_sample = task.out_sample = rows ? 1 : pitch;
    task.pitch = tables.plan.pitch;
    task.fft = tables.plan.fft;
    task.real = tables.real;
    task.folded = tables.folded;
    task.in_butterflies = there ? tables.samples.view : tables.modes.view;
    task.in_map = there ? tables.samples_in.view : tables.modes_in.view;
    task.out_butterflies = there ? tables.modes.view : tables.samples.view;
    task.out_map = there ? tables.modes_out.view : tables.samples_out.view;
    task.symmetric = tables.symmetric.view;
    task.vectors_in = vectors && (!rows || task.in_map.neighbours);
    task.vectors_out = vectors && (!rows || task.out_map.in_twos());
    const std::vector<int>& radices = tables.plan.radices.inner;
    const auto numbers = static_cast<std::size_t>(
        (kind == Kind::type2 ? real_matrix_work(radices) : folded_matrix_work(tables.kind, radices)).matrices());
    for (int chunk = 0; 2 * chunk * task.count < lines; ++chunk) {
        std::vector<Complex<T>> shared(static_cast<std::size_t>(task.count * task.pitch) +
                                           tables.plan.twiddles.size() +
                                           numbers * sizeof(Complex<double>) / sizeof(Complex<T>),
                                       Complex<T>{nothing, nothing});
        fused::run_block<role, movement, device::KernelVariant<kind, Outer::matrix_steps>>(
            task, fused::position_of(task, chunk, 0, 0, shared.data()), [] {});
    }
    std::vector<T> out;
    for (Index line = 0; line < lines; ++line)
        for (Index j = 0; j < count; ++j) out.push_back(to[place(line, j)]);
    return out;
}

template <class T>
double difference(const std::vector<T>& a, const std::vector<T>& b, double scale) {
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        error += std::pow(static_cast<double>(a[i]) - scale * static_cast<double>(b[i]), 2);
        norm += std::pow(scale * static_cast<double>(b[i]), 2);
    }
    return std::sqrt(error / norm);
}

/// Modes are those of the 3-point stencil, and the way back is the way there inverted.
template <Kind kind, class T>
void check_lines(const Axis& axis, AxisTables<T>& tables, const std::string& where) {
    using device::Role;
    const test::Matrix stencil = test::stencil_matrix(axis);
    const auto count = static_cast<Index>(tables.mode_of.size());
    constexpr Index lines = 7;
    const auto round_trip = static_cast<double>(tables.kind.round_trip) * static_cast<double>(tables.gain);
    for (int shift = 0; shift < 4; ++shift) {
        std::vector<T> x, applied;
        for (Index i = 0; i < lines * count; ++i) x.push_back(static_cast<T>(test::uniform(i, 7)));
        for (Index line = 0; line < lines; ++line)
            for (Index j = 0; j < count; ++j) {
                long double sum = 0;
                for (Index k = 0; k < count; ++k) sum += stencil[j][k] * x[line * count + k];
                applied.push_back(static_cast<T>(sum));
            }
        const bool vectors = shift % 2 == 0;
        std::vector<T> expected = pass<Role::forward, kind>(tables, x, lines, shift, vectors);
        const double allowed = 4 * tolerance::transform<T>(2 * count);
        EXPECT_LE(difference(pass<Role::first, kind>(tables, x, lines, shift, !vectors), expected, 1), allowed)
            << where;
        for (const bool by_rows : {false, true}) {
            const std::vector<T> back = by_rows
                                            ? pass<Role::last, kind>(tables, expected, lines, shift, vectors)
                                            : pass<Role::backward, kind>(tables, expected, lines, shift, vectors);
            EXPECT_LE(difference(back, x, round_trip), allowed) << where << (by_rows ? ", rows" : "");
        }
        for (Index i = 0; i < lines * count; ++i) expected[i] *= tables.eigenvalues[i % count];
        EXPECT_LE(difference(pass<Role::forward, kind>(tables, applied, lines, shift, vectors), expected, 1),
                  allowed)
            << where;
    }
}

template <class T>
void check_axis(const Axis& axis, const std::string& where) {
    if (!has_tables(axis, LineMethod::matrix_steps)) return;
    auto tables = make_axis_tables<T>(axis, Discretization::second_order, LineMethod::matrix_steps);
    ASSERT_EQ(tables.outer, Outer::matrix_steps);
    if (tables.form == Kind::type2)
        check_lines<Kind::type2>(axis, tables, where);
    else
        check_lines<Kind::type1>(axis, tables, where);
}

// Cells between like walls have real DFTs, which are faster; folded they give the same.
TEST(MatrixSteps, FoldedLinesOfTypeTwo) {
    for (const int kind : {test::cell_dd, test::cell_nn})
        for (const Index n : {11, 15, 26, 66, 253, 508}) {
            const Axis axis = test::make_axis(kind, n, 1.0);
            AxisTables<double> tables;
            tables.kind = axis_kind(axis);
            tables.mode_of.resize(static_cast<std::size_t>(n));
            make_folded_matrices(tables);
            const std::vector<double> by_mode = eigenvalues(axis, Discretization::second_order);
            for (const Index mode : tables.mode_of) tables.eigenvalues.push_back(by_mode[mode]);
            check_lines<Kind::type1>(axis, tables, std::string(test::kinds[kind].name) + " " + std::to_string(n));
        }
}

// Places of samples and of elements are inverse to each other, with the signs and the order of the line's plan.
TEST(MatrixSteps, ElementsOfRealLines) {
    for (const Index n : {11, 15, 26, 29, 33, 66, 143})
        for (int kind = 0; kind < static_cast<int>(test::kinds.size()); ++kind) {
            const Axis axis = test::make_axis(kind, n, 1.0);
            if (!ends_as_real_dft(axis_kind(axis)) || !has_tables(axis, LineMethod::matrix_steps)) continue;
            const auto tables =
                make_axis_tables<double>(axis, Discretization::second_order, LineMethod::matrix_steps);
            const LinePlan<double> plan = make_line_plan<double>(tables.kind.forward, n);
            const ElementOrder& order = tables.real.samples;
            for (Index j = 0; j < n; ++j) {
                const int element = order.element(static_cast<int>(j));
                EXPECT_EQ(element, plan.load[j].row) << test::kinds[kind].name << ' ' << n;
                EXPECT_EQ(order.sample(element), j);
                const bool negative =
                    order.is_negative(element) || (order.alternate && 2 * element >= static_cast<int>(n));
                EXPECT_EQ(negative, plan.load[j].sign < 0);
            }
        }
}

TEST(MatrixSteps, AllKindsOfLines) {
    for (const Index n : {11, 26, 29, 65, 66, 134, 253, 505, 944, 1016})
        for (int kind = 0; kind < static_cast<int>(test::kinds.size()); ++kind)
            for (const Index more : {0, 1}) {
                const Axis axis = test::make_axis(kind, n + more, 1.0);
                const std::string where = std::string(test::kinds[kind].name) + " " + std::to_string(n + more);
                check_axis<double>(axis, where);
                check_axis<float>(axis, where);
            }
}

// Tables of every length: modes are a permutation.
TEST(MatrixSteps, EveryLengthHasAllModes) {
    for (Index n = 3; n <= 1100; ++n)
        for (int kind = 0; kind < static_cast<int>(test::kinds.size()); ++kind) {
            const Axis axis = test::make_axis(kind, n, 1.0);
            if (!has_tables(axis, LineMethod::matrix_steps)) continue;
            const auto tables =
                make_axis_tables<double>(axis, Discretization::second_order, LineMethod::matrix_steps);
            std::vector<Index> modes = tables.mode_of;
            std::ranges::sort(modes);
            for (std::size_t i = 0; i < modes.size(); ++i)
                ASSERT_EQ(modes[i], static_cast<Index>(i)) << test::kinds[kind].name << ' ' << n;
        }
}

}  // namespace
}  // namespace poisson3d::lines
