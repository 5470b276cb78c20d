// Products with matrices of cosines and sines for many small DFTs of real lines, on the tensor cores of a GPU.
//
// A DFT of x_0 … x_{q−1} is, for k = 0 … q/2,
//
//     e_j = x_j + x_{q−j},  o_j = x_j − x_{q−j}                         j = 0 … q/2, x_q = x_0
//     A_k = Σ_j cos(2π jk/q) e_j,   B_k = Σ_j sin(2π jk/q) o_j
//     y_k = A_k − i B_k,   y_{q−k} = A_k + i B_k
//
// with half of the cosine where j is its own partner. So two real matrices of (q/2 + 1)² serve all DFTs of a step:
// of real lines q/2 multiplications an element, of which tensor cores for double precision do 128 a cycle.
//
// A real DFT of a complex line, two real ones side by side, is a unit, and so is a complex DFT of it, whose real
// and imaginary parts are products of their own. A warp takes 8 units, of which the first line's numbers are the
// upper 8 and those of the second the lower 8 rows of the first factor (16 × 4), and 8 values of k for each tile of
// the matrices (4 × 8): thread 4 g + t has elements t, t + 4 … of unit g going in, and of every tile A_k and B_k of
// k = t and t + 4 coming out, so that nothing is exchanged. All numbers of a unit are read before the first is
// written, so it is done in place. Units of which a warp does not hold all results are shared by two or four warps
// of a block.
//
// Units of neighbouring lines meet in neighbouring threads such that the threads of a warp use different banks,
// lines being two elements more than a multiple of them apart. Host and device share this file; the host is all
// threads of a warp, one after the other.
#pragma once

#include "line_fft.hpp"
#include "matrix_shape.hpp"
#include "tensor_tile.hpp"

namespace poisson3d::lines {

/// The same number of two lines.
template <class V>
using OfTwo = Complex<V>;

/// Complex lines of a block at most: so a thread has units of one line only.
inline constexpr int most_real_lines = 8;

namespace real_steps {

/// A piece of work of a warp's: a real DFT (index n₂) or a complex one (k₁) of a complex line.
template <class T>
struct Unit {
    Complex<T>* at;  ///< the line
    int line, index;
    bool there;
};

/// All units of a step: `count` of each of 2^shift lines, of which a warp takes 8.
template <class T>
struct Units {
    Complex<T>* lines;
    int pitch, shift, count;

    [[nodiscard]] POISSON3D_HD int tasks() const { return ((count << shift) + 7) / 8; }
    /// The one of a lane in task 0. Neighbours are two lines apart, as far as there are so many: so they use
    /// different banks.
    [[nodiscard]] POISSON3D_HD Unit<T> first(int lane) const {
        const int number = lane / 4 & ((1 << shift) - 1);
        const int line = shift == 0 ? 0 : (number << 1 | number >> (shift - 1)) & ((1 << shift) - 1);
        return {kept_in_shared(lines + line * pitch), line, lane / 4 >> shift, true};
    }
    /// The first of the task stands for those that are not there: nobody else writes what is read of it.
    [[nodiscard]] POISSON3D_HD Unit<T> of_task(Unit<T> unit, int task) const {
        const int first = 8 * task >> shift;
        unit.index += first;
        unit.there = unit.index < count;
        unit.index = unit.there ? unit.index : first;
        return unit;
    }
};

template <class T>
POISSON3D_HD OfTwo<double> wide(Complex<T> z) {
    return {static_cast<double>(z.re), static_cast<double>(z.im)};
}

/// What a thread has of the sums of a unit's real or imaginary parts: of cosines and sines for some k.
template <class T>
struct Sums {
    OfTwo<T> even, odd;
};

/// What a thread has of the results, and of the factors of one instruction each.
template <int tiles, int parts>
struct Held {
    double even[parts][tiles][4], odd[parts][tiles][4];
};
template <int tiles, int parts>
struct Factors {
    double even[parts][2], odd[parts][2];
    Complex<double> of[tiles];
};

template <int tiles, int parts>
POISSON3D_HD void set_zero(Held<tiles, parts>& sums) {
    POISSON3D_UNROLL
    for (int i = 0; i < parts; ++i) POISSON3D_UNROLL
    for (int tile = 0; tile < tiles; ++tile) POISSON3D_UNROLL
    for (int c = 0; c < 4; ++c) sums.even[i][tile][c] = sums.odd[i][tile][c] = 0;
}

/// A step of units by matrices of q. read(unit, t) returns what sets e_j and o_j by (after, whether these may be
/// the last, even, odd), j = t + after; of complex units those of real parts and then of imaginary ones.
/// write(unit, begin) returns what takes the sums Σ_j cos(2π jk/q) e_j and Σ_j sin(2π jk/q) o_j, k = begin + after,
/// by (after, sums …), for a thread's k in turn. j and k beyond q/2 are for nothing.
template <bool is_complex, int tiles, class T, class Read, class Write>
class Step {
public:
    static constexpr int parts = is_complex ? 2 : 1;
    using Held = real_steps::Held<tiles, parts>;

    const Units<T>& units;
    const Complex<double>* table;
    const MatrixShape shape;
    int q;
    const Read& read;
    const Write& write;

    /// All units, a warp for each.
    template <bool in_place>
    POISSON3D_HD void by_warps() const {
        Unit<T> first[WarpLanes::here];
        WarpLanes::each([&](int lane, int here) { first[here] = units.first(lane); });
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
                POISSON3D_UNROLL
                for (int deep = 0; deep < 2 * tiles; ++deep)
                    if (deep + 1 < 2 * tiles || shape.depth == 2 * tiles)
                        multiply(sums, of, deep, 0, deep + 2 >= 2 * tiles);
            } else {  // what is read early would not fit registers
                POISSON3D_ROLLED
                for (int deep = 0; deep < shape.depth; ++deep) multiply(sums, of, deep, 0, true);
            }
            if constexpr (in_place) WarpLanes::wait();
            WarpLanes::each([&](int lane, int here) {
                auto put = write(of[here], lane % 4);
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
                    of[slot][here] = units.of_task(units.first(lane), there ? begin + team : tasks);
                    set_zero(sums[slot][here]);
                });
                const int depth = there ? shape.depth : 0;
                POISSON3D_ROLLED
                for (int deep = 0; deep < depth; ++deep) multiply(sums[slot], of[slot], deep, part, true);
            });
            if (barrier != nullptr) (*barrier)();
            teams.each([&](int, int part, int slot) {
                WarpLanes::each([&](int lane, int here) {
                    const int begin_of_part = 8 * part * tiles;
                    auto put = write(of[slot][here], begin_of_part + lane % 4);
                    POISSON3D_UNROLL
                    for (int i = 0; i < 2 * tiles; ++i)
                        if (2 * (begin_of_part + 4 * i) <= q) give(sums[slot][here], i, put);
                });
            });
        }
    }

private:
    POISSON3D_HD void multiply(Held (&sums)[WarpLanes::here], const Unit<T> (&of)[WarpLanes::here], int deep,
                               int part, bool last) const {
        Factors<tiles, parts> factors[WarpLanes::here];
        WarpLanes::each([&](int lane, int here) {
            const Complex<double>* const entry = table + 32 * (deep * tiles * shape.warps + part * tiles) + lane;
            POISSON3D_UNROLL
            for (int tile = 0; tile < tiles; ++tile) factors[here].of[tile] = load_table(entry + 32 * tile);
            OfTwo<double> even[parts], odd[parts];
            const int t = lane % 4;
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
                [&](int here) { return factors[here].of[tile].re; });
            multiply_tile(
                [&](int here) -> auto& { return sums[here].odd[p][tile]; },
                [&](int here) -> auto& { return factors[here].odd[p]; },
                [&](int here) { return factors[here].of[tile].im; });
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
POISSON3D_HD void run(const Units<T>& units, int q, const Complex<double>* table, const Barrier& barrier,
                      const Read& read, const Write& write) {
    constexpr int most = is_complex ? most_complex_tiles : most_real_tiles;
    const MatrixShape shape(q, most);
    const auto with = [&]<int tiles>() {
        const Step<is_complex, tiles, T, Read, Write> step{units, table, shape, q, read, write};
        if (tiles <= most / 2 || shape.warps == 1)
            step.template by_warps<in_place>();
        else
            step.by_teams(in_place ? &barrier : nullptr);
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
