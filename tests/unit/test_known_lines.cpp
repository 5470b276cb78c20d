// Kernels of lines whose numbers are known when code is compiled: the numbers are those of plans and tables, and
// passes with them give the same bits as those without.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "known_bits.hpp"
#include "known_pass.hpp"
#include "tolerance.hpp"

namespace poisson3d::fused {
namespace {

using namespace test;

/// The same mix of kinds as kinds[] of problems.hpp has them.
struct EndsOfLine {
    Ends ends;
    int kind;
};
constexpr EndsOfLine all_ends[] = {{Ends::periodic, cell_p},
                                   {Ends::alike, cell_dd},
                                   {Ends::alike, cell_nn},
                                   {Ends::mixed, cell_nd},
                                   {Ends::mixed, cell_dn}};

template <class Body>
void for_each_ends(const Body& body) {
    for (const auto [ends, kind] : all_ends) {
        switch (ends) {
            case Ends::periodic: body.template operator()<Ends::periodic>(kind); break;
            case Ends::alike: body.template operator()<Ends::alike>(kind); break;
            case Ends::mixed: body.template operator()<Ends::mixed>(kind); break;
        }
    }
}

/// Of the middle butterfly's element the entry of a table has no partner, which a known line has.
void expect_twice(const PairMapEntry& entry, const KnownEntry& same, bool first) {
    EXPECT_EQ(first ? entry.second() : entry.first(), no_element);
    EXPECT_EQ(first ? entry.first() : entry.second(), first ? same.first() : same.second());
    EXPECT_EQ(first ? entry.first_sign() : entry.second_sign(), first ? same.first_sign() : same.second_sign());
}

template <class Line, Side side, class T>
void expect_same_side(const ButterflyPairTable<T>& table, const PairMapTable<T>& in, const PairMapTable<T>& out) {
    const ButterflyPairs<T, KnownSide<Line, side>> known;
    EXPECT_EQ(table.view.radix, known.radix);
    EXPECT_EQ(table.view.stride, known.stride);
    EXPECT_EQ(!table.twiddles.empty(), known.has_twiddles());
    constexpr int pairs = Line::pairs(side);
    // The butterfly in the middle of samples is alone in tables, and twice in known lines.
    constexpr bool twice = side == Side::samples && Line::ffts == 1 && Line::butterflies(side) % 2 != 0;
    ASSERT_EQ(table.view.items.count, known.items.count);
    ASSERT_EQ(pairs, known.items.count);
    for (int o = 0; o < pairs; ++o) {
        const ButterflyOffsets offsets = known.offsets_of(o);
        EXPECT_EQ(lower_half(table.offsets[o]), offsets.a);
        EXPECT_EQ(upper_half(table.offsets[o]), offsets.b);
    }
    for (const PairMapTable<T>* map : {&in, &out}) {
        PairMap<T, KnownSide<Line, side>> known_map;
        set_map(known_map, map->view);
        EXPECT_TRUE(same_entries(map->view, known_map));
        EXPECT_EQ(map->view.neighbours, known_map.neighbours && !twice);
        for (int m = 0; m < known.radix; ++m)
            for (int o = 0; o < pairs; ++o) {
                const PairMapEntry entry{map->words[m * pairs + o]};
                const KnownEntry same = known_map.entry(o, m);
                if (twice && o == pairs - 1) {
                    expect_twice(entry, same, m < (known.radix + 1) / 2);
                    continue;
                }
                ASSERT_EQ(entry.first(), same.first()) << o << " " << m;
                ASSERT_EQ(entry.second(), same.second()) << o << " " << m;
                ASSERT_EQ(entry.first_sign(), same.first_sign()) << o << " " << m;
                ASSERT_EQ(entry.second_sign(), same.second_sign()) << o << " " << m;
            }
    }
}

template <class Step>
void expect_same_step(const std::vector<std::uint32_t>& words) {
    ASSERT_LE(Step::first + Step{}.butterflies.count, static_cast<int>(words.size()));
    for (int i = 0; i < Step{}.butterflies.count; ++i) {
        const ButterflyPlace place = Step::place(words.data(), i);
        ASSERT_EQ(lower_half(words[Step::first + i]), place.offset);
        ASSERT_EQ(upper_half(words[Step::first + i]), place.j);
    }
}

template <Ends ends, int rows, class T>
void expect_same_tables(int kind) {
    using Line = KnownLine<ends, rows, T>;
    const Problem problem = make_problem({kind, cell_p, cell_p}, {rows, 8, 8});
    SCOPED_TRACE(describe(problem));
    const auto tables = make_axis_tables<T>(problem.grid.axes[0], Discretization::second_order);
    EXPECT_NE(tables.outer, Outer::any);
    EXPECT_EQ(tables.form, Line::kind);
    EXPECT_EQ(tables.plan.pitch, Line::pitch);
    EXPECT_TRUE((same_steps<Line>(tables.plan.fft)));
    if constexpr (Line::steps > 0) expect_same_step<KnownStep<Line, 0>>(tables.plan.words);
    if constexpr (Line::steps > 1) expect_same_step<KnownStep<Line, 1>>(tables.plan.words);
    expect_same_side<Line, Side::samples>(tables.samples, tables.samples_in, tables.samples_out);
    expect_same_side<Line, Side::modes>(tables.modes, tables.modes_in, tables.modes_out);
}

template <Ends ends, int rows>
void expect_same_numbers(int kind) {
    if constexpr (is_known(ends, rows)) {
        expect_same_tables<ends, rows, double>(kind);
        expect_same_tables<ends, rows, float>(kind);
    }
}

TEST(KnownLines, HaveTheNumbersOfPlans) {
    for_each_ends([]<Ends ends>(int kind) {
        const auto with = [&]<int... rows>(std::integer_sequence<int, rows...>) {
            (expect_same_numbers<ends, rows>(kind), ...);
        };
        with(KnownLengths{});
    });
}

/// Of a line that is not among them the numbers differ.
TEST(KnownLines, AreNotMistakenForOthers) {
    const Problem problem = make_problem({cell_dd, cell_nd, cell_p}, {128, 128, 256});
    std::vector<AxisTables<double>> tables;
    for (const Axis& axis : problem.grid.axes)
        tables.push_back(make_axis_tables<double>(axis, Discretization::second_order));
    const PairMap<double, KnownSide<KnownLine<Ends::alike, 128, double>, Side::samples>> alike{nullptr, {1, 1}, 1};
    EXPECT_TRUE(same_entries(tables[0].samples_in.view, alike));
    EXPECT_FALSE(same_entries(tables[1].samples_in.view, alike));
    EXPECT_FALSE(same_entries(tables[2].samples_in.view, alike));
    EXPECT_FALSE((same_steps<KnownLine<Ends::alike, 128, double>>(tables[2].plan.fft)));
}

TEST(KnownLines, GiveTheSameBits) {
    constexpr int passes[] = {2, 1, 2};  // along x, y, z
    for (const auto [ends, kind] : all_ends)
        for (int axis = 0; axis < 3; ++axis) {
            Kinds kinds{cell_nn, cell_nn, cell_nn};
            Extents points{36, 36, 36};
            kinds[axis] = kind;
            points[axis] = 128;
            const Problem problem = make_problem(kinds, points);
            expect_same_bits<double>(problem, passes[axis]);
            expect_same_bits<float>(problem, passes[axis]);
        }
}

/// Other radices than 8, beside odd numbers of lines.
TEST(KnownLines, OfOtherRadicesGiveTheSameBits) {
    constexpr int passes[] = {2, 1, 2};  // along x, y, z
    for (const Index rows : {100, 270, 343, 405})
        for (int axis = 0; axis < 3; ++axis)
            for (const int kind : {cell_dd, cell_nn, cell_p, cell_nd, cell_dn}) {
                Kinds kinds{cell_nn, cell_nd, cell_p};
                Extents points{35, 36, 45};
                kinds[axis] = kind;
                points[axis] = rows;
                const Problem problem = make_problem(kinds, points);
                expect_same_bits<double>(problem, passes[axis]);
                expect_same_bits<float>(problem, passes[axis]);
            }
}

/// Lines that stay where they are: columns of even rows have such kernels.
TEST(KnownLines, ThatStayGiveTheSameBits) {
    constexpr int passes[] = {1, 2, 2};
    for (const Index rows : {100, 128})
        for (int axis = 0; axis < 3; ++axis)
            for (const Memory memory : {Memory::standard, Memory::low}) {
                Kinds kinds{cell_nn, cell_nd, cell_p};
                Extents points{37, 34, 36};
                points[axis] = rows;
                for (const int kind : {cell_dd, cell_p}) {
                    kinds[axis] = kind;
                    expect_same_bits<double>(make_problem(kinds, points), passes[axis], memory);
                    expect_same_bits<float>(make_problem(kinds, points), passes[axis], memory);
                }
            }
}

/// Chirps: fewer roundings, so not the same bits.
template <class T>
void expect_same_solution(const Problem& problem, int passes, Memory memory = Memory::fast) {
    SCOPED_TRACE(describe(problem));
    const Field<T> f = random_field<T>(problem.grid.points(), 5);
    const Field<T> without = solved(problem, f, memory, false);
    EXPECT_EQ(KnownKernels::launched, 0);
    const Field<T> with = solved(problem, f, memory, true);
    EXPECT_EQ(KnownKernels::launched, passes);
    double largest = 0, difference = 0;
    for (Index i = 0; i < f.size(); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(without.data()[i])));
        difference = std::max(difference, std::abs(static_cast<double>(with.data()[i]) - without.data()[i]));
    }
    EXPECT_LE(difference, 4 * tolerance::transform<T>(4096) * largest);
}

/// Lines that stay: those along x are in the middle. A block has two complex lines of doubles, or four of floats.
TEST(KnownChirps, SolveLikeOthers) {
    for (const Index half : {293, 829, 1021})
        for (int axis = 0; axis < 3; ++axis)
            for (const int kind :
                 {node_dd, node_nn, cell_dd, cell_nn, cell_dn, cell_nd, half == 829 ? node_dn : node_nd}) {
                Kinds kinds{cell_nn, cell_nd, cell_p};
                Extents points{5, 6, 10};
                kinds[axis] = kind;
                points[axis] = kind >= node_dd ? half + 1 : half;
                const Problem problem = make_problem(kinds, points, Discretization::second_order, 0.1);
                expect_same_solution<double>(problem, axis == 0 ? 1 : 2);
                expect_same_solution<float>(problem, axis == 0 ? 1 : 2);
            }
}

/// Periodic ones: even and odd lengths, the shortest and the longest lines of an FFT, with and without padding.
TEST(KnownChirps, OfPeriodicLinesSolveLikeOthers) {
    for (const Index n : {257, 278, 467, 614, 643, 669, 907, 1006, 1021})
        for (int axis = 0; axis < 3; ++axis) {
            Kinds kinds{cell_nn, cell_nd, cell_p};
            Extents points{5, 6, 10};
            kinds[axis] = cell_p;
            points[axis] = n;
            for (const double lambda : {0.0, 0.1}) {
                const Problem problem = make_problem(kinds, points, Discretization::second_order, lambda);
                expect_same_solution<double>(problem, axis == 0 ? 1 : 2);
                expect_same_solution<float>(problem, axis == 0 ? 1 : 2);
                const auto make = [](const Problem& p) { return make_fused_pipeline<double>(p, Memory::fast); };
                check_pipeline<double>(problem, make, false, false);
            }
        }
}

}  // namespace
}  // namespace poisson3d::fused
