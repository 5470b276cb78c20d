// Real lines of N = a·b points, a odd, by two products with matrices there and two back, on the tensor cores of a
// GPU (matrix_step.hpp says how).
//
// With n = n₁ b + n₂, k = k₁ + a k₂ and w = e^{−2πi/N} the DFT of a real line x is
//
//     U_{k₁}(n₂) = w^{k₁ n₂} Σ_{n₁} e^{−2πi n₁ k₁/a} x_n           k₁ = 0 … (a − 1)/2, one real DFT for each n₂
//     V_k        = Σ_{n₂} e^{−2πi n₂ k₂/b} U_{k₁}(n₂)              one complex DFT for each k₁
//
// and V_{N−k} its conjugate: all k are there once but for k₁ = 0, whose V are the DFT of real numbers. Modes are
//
//     C_k = 2 Re(c_k V_k),   C_{N−k} = ± 2 Im(c_k V_k)
//
//     DFT        c_k = 1, C_{N−k} with +                             (half of this, but for `gain`)
//     DCT-II     c_k = e^{−iπk/2N}, −; DST-II the same, modes reversed
//     DCT-IV     c_k = e^{−iπu/4}, u the odd one of k and k + N, − where N mod 4 = 1, else +; DST-IV: times (−1)^m
//                with the mode m = (u − 1)/2                          N odd
//
// Where C_{N−k} has −, all tables hold complex conjugates, so that it is 2 Im too. Of c_k the part that follows
// from k₁ goes into the twiddles, the rest is a number for each k₂ and k₁ mod 2. The way back is transposed, number
// for number. A real line never meets another one: a complex element is the same number of two neighbouring lines.
// Re U_{k₁}(n₂) stands where x had n₁ = k₁, Im U where it had n₁ = a − k₁, and modes where U stood: slot k₁ b + k₂
// is C_k, slot (a − k₁) b + k₂ is C_{N−k}. So every step is done in place. Host and device share this file.
#pragma once

#include "butterfly.hpp"
#include "matrix_step.hpp"
#include "real_matrices.hpp"

namespace poisson3d::lines {

/// The same number of two lines.
template <class V>
using OfTwo = Complex<V>;

/// Tiles of results that a warp has at most, of real DFTs and of complex ones.
inline constexpr int most_real_tiles = 4, most_complex_tiles = 2;

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

/// A step of units by matrices of q. read(unit, t) returns what sets e_j and o_j by (after, whether these may be
/// the last, even, odd), j = t + after; of complex units those of real parts and then of imaginary ones.
/// write(unit, begin) returns what takes the sums Σ_j cos(2π jk/q) e_j and Σ_j sin(2π jk/q) o_j, k = begin + after,
/// by (after, sums …), for a thread's k in turn. j and k beyond q/2 are for nothing.
template <bool is_complex, int tiles, class T, class Read, class Write>
class Step {
public:
    static constexpr int parts = is_complex ? 2 : 1;
    using Held = matrix_steps::Sums<tiles, parts>;

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
        matrix_steps::Factors<tiles, parts> factors[WarpLanes::here];
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

/// The steps of the lines of a block, 2^shift of them, `pitch` apart. Each ends without a barrier.
template <class T>
class RealMatrixSteps {
public:
    using Unit = real_steps::Unit<T>;
    using Sums = real_steps::Sums<T>;

    POISSON3D_HD RealMatrixSteps(const RealMatrices& line, const LineFft<T, Compact>& fft, Complex<T>* lines,
                                 int pitch, int shift)
        : line_(line), fft_(fft), lines_(lines), pitch_(pitch), shift_(shift) {}

    /// Elements, times `scale`, to U.
    template <class Barrier>
    POISSON3D_HD void samples_to_halves(const Barrier& barrier, T scale) const {
        const int a = line_.first, stride = line_.stride;
        real_steps::run<false, true>(
            columns(), a, fft_.matrices, barrier,
            [&](const Unit& unit, int t) {
                const Complex<T>* const low = unit.at + unit.index + t * stride;
                const Complex<T>* const high = t == 0 ? low : unit.at + unit.index + (a - t) * stride;
                const Complex<T>* const back = high + (t == 0 ? a * stride : 0);
                const double sign = partner_sign(), first_sign = t == 0 ? 1.0 : sign;
                return [=, this, index = unit.index](int after, bool last, OfTwo<double>(&even)[1],
                                                     OfTwo<double>(&odd)[1]) {
                    auto x = real_steps::wide(load(low + after * stride));
                    const auto y = real_steps::wide(load(after == 0 ? high : back - after * stride));
                    if (last) x = middle_sign(t + after, index) * x;
                    const OfTwo<double> partner = (after == 0 ? first_sign : sign) * y;
                    even[0] = x + partner, odd[0] = x - partner;
                };
            },
            [&](const Unit& unit, int begin) {
                Complex<T>* low = unit.at + unit.index + begin * stride;
                Complex<T>* high = low + (a - 2 * begin) * stride;
                const Complex<T>* const twiddles =
                    fft_.twiddles + line_.by_second + unit.index * line_.halves + begin;
                return [=, there = unit.there](int after, const Sums& u) mutable {
                    const Complex<T> w = scale * load_table(twiddles + after);
                    const bool here = there && 2 * (begin + after) <= a;
                    if (here) store(low, w.re * u.even + w.im * u.odd);
                    if (here && begin + after > 0) store(high, w.im * u.even - w.re * u.odd);
                    low += 4 * stride, high -= 4 * stride;
                };
            });
    }

    /// U to modes. place(unit, row, column) is where slot row · b + column goes: it has put(whether it is there,
    /// mode) and move(slots, elements in shared memory).
    template <bool in_place, class Barrier, class PlaceOf>
    POISSON3D_HD void halves_to_modes(const Barrier& barrier, const PlaceOf& place) const {
        const int a = line_.first, b = line_.second, stride = line_.stride;
        real_steps::run<true, in_place>(
            rows(), b, fft_.matrices + line_.second_matrices, barrier,
            [&](const Unit& unit, int t) {
                const int row = unit.index;
                const Complex<T>* const re = unit.at + row * stride + t;
                const int to_im = row == 0 ? 0 : (a - 2 * row) * stride;
                const int mirror = b - 2 * t, first_mirror = t == 0 ? 0 : mirror;
                const double there = row == 0 ? 0 : 1;
                return [=](int after, bool, OfTwo<double>(&even)[2], OfTwo<double>(&odd)[2]) {
                    const Complex<T>* const low = re + after;
                    const Complex<T>* const high = after == 0 ? re + first_mirror : re + mirror - after;
                    auto x = real_steps::wide(load(low)), y = real_steps::wide(load(high));
                    even[0] = x + y, odd[0] = x - y;
                    x = real_steps::wide(load(low + to_im)), y = real_steps::wide(load(high + to_im));
                    even[1] = there * (x + y), odd[1] = there * (x - y);
                };
            },
            [&](const Unit& unit, int begin) {
                const int row = unit.index, other = row == 0 ? 0 : a - row;
                auto low = place(unit, row, begin), high = low;
                high.move(b - 2 * begin, b - 2 * begin);
                auto low_partner = low, high_partner = high;
                low_partner.move((other - row) * b, (other - row) * stride);
                high_partner.move((other - row) * b, (other - row) * stride);
                const Complex<T>* const up = fft_.twiddles + line_.turns + (row & 1) * b + begin;
                const Complex<T>* const down = up + (b - 2 * begin);
                return [=, real = row == 0, there = unit.there](int after, const Sums& re, const Sums& im) mutable {
                    const int k = begin + after;
                    const bool here = there && 2 * k <= b, both = there && k > 0 && 2 * k < b;
                    const Turned one = turned(load_table(up + after), re.even + im.odd, im.even - re.odd);
                    const Turned two = turned(load_table(down - after), re.even - im.odd, im.even + re.odd);
                    low.put(here, one.mode);
                    high.put(both, real ? one.partner : two.mode);
                    low_partner.put(here && !real, one.partner);
                    high_partner.put(both && !real, two.partner);
                    low.move(4, 4), low_partner.move(4, 4), high.move(-4, -4), high_partner.move(-4, -4);
                };
            });
    }

    /// Back: modes in their slots to U.
    template <class Barrier>
    POISSON3D_HD void modes_to_halves(const Barrier& barrier) const {
        const int a = line_.first, b = line_.second, stride = line_.stride;
        real_steps::run<true, true>(
            rows(), b, fft_.matrices + line_.second_matrices, barrier,
            [&](const Unit& unit, int t) {
                const int row = unit.index;
                const bool real = row == 0;
                const Complex<T>* const at = unit.at + row * stride + t;
                const int to_partner = real ? 0 : (a - 2 * row) * stride;
                const int mirror = b - 2 * t, first_mirror = t == 0 ? 0 : mirror;
                const Complex<T>* const up = fft_.twiddles + line_.turns + (row & 1) * b + t;
                return [=, this](int after, bool, OfTwo<double>(&even)[2], OfTwo<double>(&odd)[2]) {
                    const int to_high = after == 0 ? first_mirror : mirror - 2 * after;
                    const Complex<T>*const low = at + after, *const high = low + to_high;
                    const OfTwo<T> mode = load(low), mirrored = load(high), partner = load(low + to_partner);
                    const bool itself = to_high == 0;
                    const T sign = static_cast<T>(!itself ? 1 : after + t == 0 ? line_.at_zero : line_.at_half);
                    const Half one = turned_back(load_table(up + after), mode, real ? sign * mirrored : partner);
                    const Half two =
                        turned_back(load_table(up + after + to_high), mirrored, load(high + to_partner));
                    const OfTwo<double> re = real ? one.re : two.re, im = real ? -1.0 * one.im : two.im;
                    even[0] = one.re + re, odd[0] = one.re - re;
                    even[1] = one.im + im, odd[1] = one.im - im;
                };
            },
            [&](const Unit& unit, int begin) {
                const int row = unit.index;
                Complex<T>* const low = unit.at + row * stride + begin;
                Complex<T>* const low_partner = low + (row == 0 ? 0 : (a - 2 * row) * stride);
                Complex<T>* const high = low + (b - 2 * begin);
                Complex<T>* const high_partner = low_partner + (b - 2 * begin);
                const Complex<T>* const up = fft_.twiddles + line_.by_half + row * b + begin;
                const Complex<T>* const down = up + (b - 2 * begin);
                return [=, there = unit.there](int after, const Sums& re, const Sums& im) {
                    const int n = begin + after;
                    const bool here = there && 2 * n <= b, both = there && n > 0 && 2 * n < b;
                    const auto put = [](bool both_parts, bool is_there, Complex<T>* to, Complex<T>* to_partner,
                                        Complex<T> w, OfTwo<T> u_re, OfTwo<T> u_im) {
                        if (is_there) store(to, w.re * u_re + w.im * u_im);
                        if (is_there && both_parts) store(to_partner, w.re * u_im - w.im * u_re);
                    };
                    put(row > 0, here, low + after, low_partner + after, load_table(up + after), re.even - im.odd,
                        im.even + re.odd);
                    put(row > 0, both, high - after, high_partner - after, load_table(down - after),
                        re.even + im.odd, im.even - re.odd);
                };
            });
    }

    /// U to elements. put(unit) returns what takes (n, where it stands in shared memory, whether it is there,
    /// element).
    template <bool in_place, class Barrier, class Put>
    POISSON3D_HD void halves_to_samples(const Barrier& barrier, const Put& put) const {
        const int a = line_.first, b = line_.second, stride = line_.stride;
        real_steps::run<false, in_place>(
            columns(), a, fft_.matrices, barrier,
            [&](const Unit& unit, int t) {
                const Complex<T>* const low = unit.at + unit.index + t * stride;
                const Complex<T>* const high = t == 0 ? low : unit.at + unit.index + (a - t) * stride;
                const Complex<T>* const back = high + (t == 0 ? a * stride : 0);
                return [=](int after, bool, OfTwo<double>(&even)[1], OfTwo<double>(&odd)[1]) {
                    even[0] = real_steps::wide(load(low + after * stride));
                    odd[0] = real_steps::wide(load(after == 0 ? high : back - after * stride));
                };
            },
            [&](const Unit& unit, int begin) {
                Complex<T>* low = unit.at + unit.index + begin * stride;
                Complex<T>* high = low + (a - 2 * begin) * stride;
                int n = begin * b + unit.index, last = n + (a - 2 * begin) * b;
                const T sign = static_cast<T>(partner_sign());
                return [=, this, index = unit.index, there = unit.there, give = put(unit)](int after,
                                                                                           const Sums& x) mutable {
                    const int row = begin + after;
                    const bool here = there && 2 * row <= a;
                    give(n, low, here, static_cast<T>(middle_sign(row, index)) * (x.even - x.odd));
                    give(last, high, here && row > 0, sign * (x.even + x.odd));
                    low += 4 * stride, high -= 4 * stride, n += 4 * b, last -= 4 * b;
                };
            });
    }

private:
    struct Turned {
        OfTwo<T> mode, partner;
    };
    struct Half {
        OfTwo<double> re, im;
    };
    [[nodiscard]] POISSON3D_HD real_steps::Units<T> columns() const {
        return {lines_, pitch_, shift_, line_.second};
    }
    [[nodiscard]] POISSON3D_HD real_steps::Units<T> rows() const { return {lines_, pitch_, shift_, line_.halves}; }
    /// Of alternating samples those from N/2 on are negative: all with n₁ = a − j, and of n₁ = (a − 1)/2 a half.
    [[nodiscard]] POISSON3D_HD double partner_sign() const { return line_.samples.alternate ? -1.0 : 1.0; }
    [[nodiscard]] POISSON3D_HD double middle_sign(int row, int column) const {
        const bool in_second_half = 2 * row + 1 == line_.first && 2 * column >= line_.second;
        return line_.samples.alternate && in_second_half ? -1.0 : 1.0;
    }
    /// C_k and C_{N−k} of 2 V_k, and back.
    [[nodiscard]] static POISSON3D_HD Turned turned(Complex<T> c, OfTwo<T> re, OfTwo<T> im) {
        return {c.re * re - c.im * im, c.im * re + c.re * im};
    }
    [[nodiscard]] static POISSON3D_HD Half turned_back(Complex<T> c, OfTwo<T> mode, OfTwo<T> partner) {
        return {real_steps::wide(c.re * mode + c.im * partner), real_steps::wide(c.re * partner - c.im * mode)};
    }

    const RealMatrices& line_;
    const LineFft<T, Compact>& fft_;
    Complex<T>* lines_;
    int pitch_, shift_;
};

}  // namespace poisson3d::lines
