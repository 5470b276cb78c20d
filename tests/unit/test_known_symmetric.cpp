// Kernels of type I lines whose numbers are known when code is compiled: the numbers are those of plans and tables,
// and passes with them give the same bits as those without.
#include <gtest/gtest.h>

#include <utility>

#include "known_bits.hpp"
#include "known_symmetric_pass.hpp"

namespace poisson3d::fused {
namespace {

using namespace test;

constexpr int ends[] = {node_dd, node_nn};

template <class Line, class T>
void expect_same_classes(const SymmetricTable<T>& table) {
    Symmetric<T, KnownClasses<Line>> known;
    known.sine = table.view.sine;
    EXPECT_TRUE(same_classes(table.view, known));
    for (int j = 0; j < known.items.count; ++j) {
        const ButterflyOffsets offsets = known.offsets_of(j);
        ASSERT_EQ(lower_half(table.offsets[j]), offsets.a) << j;
        ASSERT_EQ(upper_half(table.offsets[j]), offsets.b) << j;
        for (int m = 0; m < known.radix; ++m) {
            const MemberWord word{table.words[m * known.items.count + j]};
            const KnownMember same = known.member(m, j);
            ASSERT_EQ(word.from(), same.from()) << m << " " << j;
            ASSERT_EQ(word.to(), same.to()) << m << " " << j;
            ASSERT_EQ(word.sign(), same.sign()) << m << " " << j;
        }
    }
}

template <class Line, class T>
void expect_same_modes(const AxisTables<T>& tables) {
    const ButterflyPairs<T, KnownModes<Line>> butterflies;
    PairMap<T, KnownModes<Line>> known;
    known.sine = tables.symmetric.view.sine;
    EXPECT_TRUE(same_modes(tables.modes.view, butterflies));
    EXPECT_TRUE(same_modes(tables.modes_out.view, known));
    EXPECT_TRUE(same_modes(tables.modes_in.view, known));
    constexpr int pairs = Line::pairs;
    for (int o = 0; o < pairs; ++o) {
        const ButterflyOffsets offsets = butterflies.offsets_of(o);
        ASSERT_EQ(lower_half(tables.modes.offsets[o]), offsets.a) << o;
        ASSERT_EQ(upper_half(tables.modes.offsets[o]), offsets.b) << o;
        for (int m = 0; m < butterflies.radix; ++m) {
            const PairMapEntry entry{tables.modes_out.words[m * pairs + o]};
            const KnownModeEntry same = known.entry(o, m);
            ASSERT_EQ(entry.first(), same.first()) << m << " " << o;
            ASSERT_EQ(entry.second(), same.second()) << m << " " << o;
            ASSERT_EQ(entry.first_sign(), same.first_sign()) << m << " " << o;
            ASSERT_EQ(entry.second_sign(), same.second_sign()) << m << " " << o;
            Complex<T> first{1, 1}, second{1, 1};
            mapped_pair_step<Line::radices.modes, Form<lines::Kind::type1, Side::modes>, PairStep::factors>(
                butterflies, known, same, m, o, first, second);
            const Complex<T> alpha = tables.modes_in.alpha[m * pairs + o];
            ASSERT_EQ(first.re, alpha.re) << m << " " << o;
            ASSERT_EQ(second.im, alpha.im) << m << " " << o;
        }
    }
}

template <class Step>
void expect_same_step(const std::vector<std::uint32_t>& words) {
    ASSERT_LE(Step::first + Step{}.butterflies.count, static_cast<int>(words.size()));
    for (int i = 0; i < Step{}.butterflies.count; ++i) {
        const ButterflyPlace place = Step::place(words.data(), i);
        ASSERT_EQ(lower_half(words[Step::first + i]), place.offset) << i;
        ASSERT_EQ(upper_half(words[Step::first + i]), place.j) << i;
    }
}

template <int half, class T>
void expect_same_tables(int kind) {
    using Line = KnownSymmetricLine<half, known_symmetric_radix(half), T>;
    const Problem problem = make_problem({kind, cell_p, cell_p}, {half + 1, 8, 8});
    SCOPED_TRACE(describe(problem));
    const auto tables = make_axis_tables<T>(problem.grid.axes[0], Discretization::second_order);
    ASSERT_EQ(tables.symmetric.view.radix, Line::radix);
    EXPECT_NE(tables.outer, Outer::any);
    EXPECT_EQ(tables.form, Line::kind);
    EXPECT_EQ(tables.plan.pitch, Line::pitch);
    EXPECT_TRUE((same_steps<Line>(tables.plan.fft)));
    if constexpr (Line::steps > 0) expect_same_step<KnownStep<Line, 0>>(tables.plan.words);
    if constexpr (Line::steps > 1) expect_same_step<KnownStep<Line, 1>>(tables.plan.words);
    expect_same_classes<Line>(tables.symmetric);
    expect_same_modes<Line>(tables);
}

TEST(KnownSymmetricLines, HaveTheNumbersOfPlans) {
    const auto with = []<int... half>(std::integer_sequence<int, half...>) {
        for (const int kind : ends)
            ((expect_same_tables<half, double>(kind), expect_same_tables<half, float>(kind)), ...);
    };
    with(KnownHalfPeriods{});
}

/// Of a line that is not among them the numbers differ.
TEST(KnownSymmetricLines, AreNotMistakenForOthers) {
    const Problem problem = make_problem({node_dd, node_nn, cell_p}, {257, 257, 8});
    using Line = KnownSymmetricLine<256, 8, double>;
    const auto dirichlet = make_axis_tables<double>(problem.grid.axes[0], Discretization::second_order);
    const auto neumann = make_axis_tables<double>(problem.grid.axes[1], Discretization::second_order);
    PairMap<double, KnownModes<Line>> known;
    EXPECT_FALSE(same_modes(dirichlet.modes_in.view, known));
    EXPECT_TRUE(same_modes(neumann.modes_in.view, known));
    known.sine = true;
    EXPECT_TRUE(same_modes(dirichlet.modes_in.view, known));
    EXPECT_FALSE(same_modes(neumann.modes_in.view, known));
    EXPECT_FALSE((same_steps<KnownSymmetricLine<384, 8, double>>(neumann.plan.fft)));
}

/// Lines of the other axes have outer steps, so that fields rotate.
TEST(KnownSymmetricLines, GiveTheSameBits) {
    constexpr int passes[] = {2, 1, 2};  // along x, y, z
    for (const Index half : {405, 768})
        for (int axis = 0; axis < 3; ++axis)
            for (const int kind : ends) {
                Kinds kinds{cell_nn, cell_nd, cell_p};
                Extents points{35, 36, 45};
                kinds[axis] = kind;
                points[axis] = half + 1;
                const Problem problem = make_problem(kinds, points);
                expect_same_bits<double>(problem, passes[axis]);
                expect_same_bits<float>(problem, passes[axis]);
            }
}

}  // namespace
}  // namespace poisson3d::fused
