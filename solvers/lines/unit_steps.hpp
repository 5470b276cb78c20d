// A step of units by matrices (matrix_units.hpp), by single warps or by teams of them. Host and device share this
// file.
#pragma once

#include "matrix_units.hpp"

namespace poisson3d::lines {

namespace real_steps {

/// A step of units by matrices of q. read(unit, t) returns what sets e_j and o_j by (after, whether these may be
/// the last, even, odd), j = t + after; of complex units those of real parts and then of imaginary ones.
/// write(unit, begin) returns what takes the sums Σ_j cos(2π jk/q) e_j and Σ_j sin(2π jk/q) o_j, k = begin + after,
/// by (after, sums …), for a thread's k in turn. j and k beyond q/2 are for nothing.
/// `in_shared`: where the matrices are.
template <bool is_complex, int tiles, bool in_shared, class T, class Read, class Write>
class Step {
public:
    static constexpr int parts = is_complex ? 2 : 1;
    using Held = real_steps::Held<tiles, parts>;

    const Units<T>& units;
    const Complex<double>* matrices;
    const MatrixShape& shape;
    int q;
    const Read& read;
    const Write& write;

    /// All units, a warp for each.
    template <bool in_place>
    POISSON3D_HD void by_warps() const {
        Unit<T> first[WarpLanes::here];
        const Complex<double>* table[WarpLanes::here];
        WarpLanes::each([&](int lane, int here) {
            first[here] = units.first(lane);
            table[here] = table_of(lane, 0);
        });
        const int tasks = units.tasks();
        POISSON3D_ROLLED
        for (int task = BlockWarps::index(); task < tasks; task += BlockWarps::count()) {
            Held sums[WarpLanes::here];
            Unit<T> of[WarpLanes::here];
            WarpLanes::each([&](int, int here) {
                of[here] = units.of_task(first[here], task);
                set_zero(sums[here]);
            });
            if constexpr (tiles * parts <= 2) {
                Entries entries[WarpLanes::here];
                POISSON3D_UNROLL
                for (int deep = 0; deep < 2 * tiles; ++deep)
                    if (deep + 1 < 2 * tiles || shape.depth == 2 * tiles) {
                        load_entries(entries, table, deep);
                        multiply(sums, of, entries, deep, deep + 2 >= 2 * tiles);
                    }
            } else {
                multiply_rolled(sums, of, table, shape.depth);
            }
            if constexpr (in_place) WarpLanes::wait();
            WarpLanes::each([&](int, int here) {
                auto put = write(of[here], of[here].t);
                POISSON3D_UNROLL
                for (int i = 0; i < 2 * tiles; ++i)
                    if (i + 1 < 2 * tiles || shape.depth == 2 * tiles) give(sums[here], i, put);
            });
        }
    }

    /// All units, several warps for each; `barrier`, or null: what is written others have read.
    template <class Barrier>
    POISSON3D_HD void by_teams(const Barrier* barrier) const {
        const WarpTeams teams(shape.warps);
        const int tasks = units.tasks();
        POISSON3D_ROLLED
        for (int begin = 0; begin < tasks; begin += teams.number()) {
            Held sums[WarpTeams::here][WarpLanes::here];
            Unit<T> of[WarpTeams::here][WarpLanes::here];
            // Warps without work wait as often as others. They go all the same way here: what only some of them set
            // would stay in registers all around the loop.
            teams.each([&](int team, int part, int slot) {
                const bool there = team < teams.number() && begin + team < tasks;
                WarpLanes::each([&](int lane, int here) {
                    of[slot][here] = units.of_task(units.first(lane), there ? begin + team : 0);
                    of[slot][here].there = there && of[slot][here].there;
                    set_zero(sums[slot][here]);
                });
                const Complex<double>* table[WarpLanes::here];
                WarpLanes::each([&](int lane, int here) { table[here] = table_of(lane, part); });
                multiply_rolled(sums[slot], of[slot], table, there ? shape.depth : 0);
            });
            if (barrier != nullptr) (*barrier)();
            teams.each([&](int, int part, int slot) {
                WarpLanes::each([&](int, int here) {
                    const int begin_of_part = 8 * part * tiles;
                    auto put = write(of[slot][here], begin_of_part + of[slot][here].t);
                    POISSON3D_UNROLL
                    for (int i = 0; i < 2 * tiles; ++i)
                        if (2 * (begin_of_part + 4 * i) <= q) give(sums[slot][here], i, put);
                });
            });
        }
    }

private:
    using Entries = MatrixEntries<tiles>;
    using Table = const Complex<double> * [WarpLanes::here];

    [[nodiscard]] POISSON3D_HD const Complex<double>* table_of(int lane, int part) const {
        const Complex<double>* const first = matrices + 32 * part * tiles + lane;
        return in_shared ? kept_in_shared(first) : first;
    }
    POISSON3D_HD void load_entries(Entries (&entries)[WarpLanes::here], const Table& table, int deep) const {
        WarpLanes::each([&](int, int here) {
            const Complex<double>* const entry = table[here] + 32 * deep * tiles * shape.warps;
            POISSON3D_UNROLL
            for (int tile = 0; tile < tiles; ++tile)
                entries[here].of[tile] = in_shared ? load(entry + 32 * tile) : load_table(entry + 32 * tile);
        });
    }
    /// Turn after turn, since registers would not hold what is read early, but for matrices of the next one that
    /// are in global memory.
    POISSON3D_HD void multiply_rolled(Held (&sums)[WarpLanes::here], const Unit<T> (&of)[WarpLanes::here],
                                      const Table& table, int depth) const {
        constexpr bool ahead = !in_shared && is_complex;
        [[maybe_unused]] Entries next[WarpLanes::here];
        if constexpr (ahead) load_entries(next, table, 0);
        POISSON3D_ROLLED
        for (int deep = 0; deep < depth; ++deep) {
            Entries entries[WarpLanes::here];
            if constexpr (ahead) {
                WarpLanes::each([&](int, int here) { entries[here] = next[here]; });
                load_entries(next, table, deep + 1 < depth ? deep + 1 : deep);
            } else {
                load_entries(entries, table, deep);
            }
            multiply(sums, of, entries, deep, true);
        }
    }
    POISSON3D_HD void multiply(Held (&sums)[WarpLanes::here], const Unit<T> (&of)[WarpLanes::here],
                               const Entries (&entries)[WarpLanes::here], int deep, bool last) const {
        Factors<parts> factors[WarpLanes::here];
        WarpLanes::each([&](int, int here) {
            OfTwo<double> even[parts], odd[parts];
            const int t = of[here].t;
            // Of small q some would lie beyond the line.
            const bool beyond = tiles == 1 && 2 * (t + 4 * deep) > q;
            read(of[here], beyond ? 0 : t)(beyond ? 0 : 4 * deep, last, even, odd);
            POISSON3D_UNROLL
            for (int p = 0; p < parts; ++p) {
                factors[here].even[p][0] = even[p].re, factors[here].even[p][1] = even[p].im;
                factors[here].odd[p][0] = odd[p].re, factors[here].odd[p][1] = odd[p].im;
            }
        });
        POISSON3D_UNROLL
        for (int p = 0; p < parts; ++p) POISSON3D_UNROLL
        for (int tile = 0; tile < tiles; ++tile) {
            multiply_tile(
                [&](int here) -> auto& { return sums[here].even[p][tile]; },
                [&](int here) -> auto& { return factors[here].even[p]; },
                [&](int here) { return entries[here].of[tile].re; });
            multiply_tile(
                [&](int here) -> auto& { return sums[here].odd[p][tile]; },
                [&](int here) -> auto& { return factors[here].odd[p]; },
                [&](int here) { return entries[here].of[tile].im; });
        }
    }
    template <class Put>
    static POISSON3D_HD void give(const Held& held, int i, Put& put) {
        const int tile = i / 2, c = i % 2;
        const auto sums = [&](int p) -> Sums<T> {
            const double(&even)[4] = held.even[p][tile];
            const double(&odd)[4] = held.odd[p][tile];
            return {{static_cast<T>(even[c]), static_cast<T>(even[c + 2])},
                    {static_cast<T>(odd[c]), static_cast<T>(odd[c + 2])}};
        };
        if constexpr (is_complex)
            put(4 * i, sums(0), sums(1));
        else
            put(4 * i, sums(0));
    }
};

/// The step with as many tiles as a warp's registers hold. Returns without a barrier.
template <bool is_complex, bool in_place, class T, class Barrier, class Read, class Write>
POISSON3D_HD void run(const Units<T>& units, int q, const MatrixShape& shape, const Complex<double>* matrices,
                      const Barrier& barrier, const Read& read, const Write& write) {
    constexpr int most = is_complex ? most_complex_tiles : most_real_tiles;
    const auto with = [&]<int tiles>() {
        const Step<is_complex, tiles, true, T, Read, Write> of_shared{units, matrices, shape, q, read, write};
        const Step<is_complex, tiles, false, T, Read, Write> of_global{units, matrices, shape, q, read, write};
        const Barrier* const in_turn = in_place ? &barrier : nullptr;
        if (tiles <= most / 2 || shape.warps == 1) return of_shared.template by_warps<in_place>();
        if constexpr (is_complex || tiles < most)
            if (shape.in_shared()) return of_shared.by_teams(in_turn);
        if constexpr (tiles == most) of_global.by_teams(in_turn);
    };
    if (shape.tiles == 1) return with.template operator()<1>();
    if constexpr (is_complex) {
        with.template operator()<2>();
    } else {
        if (shape.tiles == 2) return with.template operator()<2>();
        if (shape.tiles == 3) return with.template operator()<3>();
        with.template operator()<4>();
    }
}

}  // namespace real_steps

}  // namespace poisson3d::lines
