// FFTs by products with matrices, alone, against sums in long double: radices, pairs of them, and blocks of lines.
// Lines of all kinds, those that end as a real DFT by steps of their own.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "axis_rules.hpp"
#include "axis_tables.hpp"
#include "launch_pass.hpp"
#include "line_plan.hpp"
#include "matrix_plan.hpp"
#include "matrix_step.hpp"
#include "problems.hpp"
#include "random_values.hpp"
#include "real_matrix_plan.hpp"
#include "tolerance.hpp"

namespace poisson3d::lines {
namespace {

using Exact = Complex<long double>;

/// Element p of FFT f of a line; exact in both types.
Exact sample(Index p, int f, int line) {
    return {test::uniform(p, 2 * (8 * f + line)), test::uniform(p, 2 * (8 * f + line) + 1)};
}

std::vector<Exact> exact_modes(Index n, int f, int line) {
    std::vector<Exact> roots, modes;
    for (Index i = 0; i < n; ++i) {
        const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(i) / n;
        roots.push_back({std::cos(angle), std::sin(angle)});
    }
    for (Index k = 0; k < n; ++k) {
        Exact sum{0, 0};
        for (Index j = 0; j < n; ++j) sum = sum + product(roots[j * k % n], sample(j, f, line));
        modes.push_back(sum);
    }
    return modes;
}

/// Both directions on 2^shift lines of `count` FFTs, all of which go in and come out; nothing else is written.
template <class T>
void check(Index n, int count, int shift) {
    auto plan = make_matrix_plan<T, Compact>(n, count);
    plan.fft.words = plan.words.data();
    plan.fft.twiddles = plan.twiddles.data();
    plan.fft.matrices = plan.matrices.data();
    const int lines = 1 << shift;
    std::vector<std::vector<Exact>> exact;
    for (int line = 0; line < lines; ++line)
        for (int f = 0; f < count; ++f) exact.push_back(exact_modes(n, f, line));
    for (const bool in_time : {false, true}) {
        constexpr T nothing = std::numeric_limits<T>::quiet_NaN();
        std::vector<Complex<T>> data(static_cast<std::size_t>(lines * plan.pitch), Complex<T>{nothing, nothing});
        const std::vector<int>& from = in_time ? plan.reversed : plan.natural;
        const std::vector<int>& to = in_time ? plan.natural : plan.reversed;
        const auto at = [&](int line, int f, int offset) -> Complex<T>& {
            return data[static_cast<std::size_t>(line * plan.pitch + f * plan.padded_length + offset)];
        };
        for (int line = 0; line < lines; ++line)
            for (int f = 0; f < count; ++f)
                for (Index p = 0; p < n; ++p) {
                    const Exact z = sample(p, f, line);
                    at(line, f, from[p]) = {static_cast<T>(z.re), static_cast<T>(z.im)};
                }
        for (int s = 0; s < plan.fft.steps; ++s) {
            const auto wait = [] {};
            if (in_time)
                matrix_step<true>(plan.fft, s, data.data(), plan.pitch, shift, wait);
            else
                matrix_step<false>(plan.fft, s, data.data(), plan.pitch, shift, wait);
        }
        long double error = 0, norm = 0;
        for (int line = 0; line < lines; ++line)
            for (int f = 0; f < count; ++f)
                for (Index k = 0; k < n; ++k) {
                    const Exact e = exact[line * count + f][k];
                    const Complex<T> found = at(line, f, to[k]);
                    error += std::pow(found.re - e.re, 2) + std::pow(found.im - e.im, 2);
                    norm += e.re * e.re + e.im * e.im;
                }
        EXPECT_LE(static_cast<double>(std::sqrt(error / norm)), tolerance::transform<T>(n))
            << n << ", " << count << " FFTs, " << lines << " lines" << (in_time ? ", in time" : "");
        std::size_t written = 0;
        for (const Complex<T>& z : data) written += std::isnan(z.re) ? 0 : 1;
        EXPECT_EQ(written, static_cast<std::size_t>(n * count * lines)) << n;
    }
}

TEST(MatrixSteps, EveryRadixIsADft) {
    for (Index n = 2; n <= largest_matrix_radix; ++n) {
        ASSERT_FALSE(matrix_radices(n).empty());
        check<double>(n, 1, 1);
        if (n % 3 == 0) check<float>(n, 1, 0);
    }
}

TEST(MatrixSteps, TwoRadicesAreAnFft) {
    for (const Index n : {286, 493, 502, 511, 515, 667, 706, 899, 917, 1003, 1007})
        if (!matrix_radices(n).empty()) {
            check<double>(n, 1, 2);
            check<float>(n, 1, 3);
        }
}

// What a warp takes begins in one line and ends in another, or in another FFT.
TEST(MatrixSteps, LinesAndFftsOfABlock) {
    for (const int count : {1, 2, 3, 5})
        for (int shift = 0; shift <= 4; ++shift)
            for (const Index n : {13, 58, 134}) check<double>(n, count, shift);
}

TEST(MatrixSteps, LengthsThatHaveThem) {
    EXPECT_EQ(matrix_radices(257), std::vector<int>{});
    EXPECT_EQ(matrix_radices(2 * 257), std::vector<int>{});
    EXPECT_EQ(matrix_radices(2 * 251).size(), 2U);
    EXPECT_EQ(matrix_radices(29 * 31).size(), 2U);
    EXPECT_EQ(matrix_radices(1), std::vector<int>{});
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
    task.in_butterflies = there ? tables.samples.view : tables.modes.view;
    task.in_map = there ? tables.samples_in.view : tables.modes_in.view;
    task.out_butterflies = there ? tables.modes.view : tables.samples.view;
    task.out_map = there ? tables.modes_out.view : tables.samples_out.view;
    task.symmetric = tables.symmetric.view;
    task.vectors_in = vectors && (!rows || task.in_map.neighbours);
    task.vectors_out = vectors && (!rows || task.out_map.in_twos());
    for (int chunk = 0; 2 * chunk * task.count < lines; ++chunk) {
        std::vector<Complex<T>> shared(static_cast<std::size_t>(task.count * task.pitch),
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
    device::with_kind(tables.form, [&]<Kind kind>() { check_lines<kind>(axis, tables, where); });
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
    for (const Index n : {11, 26, 29, 65, 66, 134, 253})
        for (int kind = 0; kind < static_cast<int>(test::kinds.size()); ++kind)
            for (const Index more : {0, 1}) {
                const Axis axis = test::make_axis(kind, n + more, 1.0);
                const std::string where = std::string(test::kinds[kind].name) + " " + std::to_string(n + more);
                check_axis<double>(axis, where);
                check_axis<float>(axis, where);
            }
}

}  // namespace
}  // namespace poisson3d::lines
