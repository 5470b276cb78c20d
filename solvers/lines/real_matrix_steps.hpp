// Real lines of N = a·b points, a odd, by two products with matrices there and two back, on the tensor cores of a
// GPU (matrix_units.hpp says how).
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
#include "matrix_halves.hpp"
#include "real_matrices.hpp"

namespace poisson3d::lines {

/// Each step ends without a barrier.
template <class T>
class RealMatrixSteps : public MatrixSteps<RealMatrices, T> {
    using Base = MatrixSteps<RealMatrices, T>;
    using Base::line_, Base::matrices_, Base::twiddles_, Base::rows, Base::put_halves;

public:
    using Base::Base;
    using typename Base::Sums, typename Base::Unit;

    /// Elements, times `scale`, to U.
    template <class Barrier>
    POISSON3D_HD void samples_to_halves(const Barrier& barrier, T scale) const {
        const int a = line_.first, stride = line_.stride;
        real_steps::run<false, true>(
            columns(), a, line_.of_first, matrices_.first, barrier,
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
            [&](const Unit& unit, int begin) { return put_halves(unit, a, stride, begin, scale); });
    }

    /// U to modes. place(unit, slot, element) is where a slot goes whose mode has that element in shared memory: it
    /// has put(whether it is there, mode) and move(slots, elements).
    template <bool in_place, class Barrier, class PlaceOf>
    POISSON3D_HD void halves_to_modes(const Barrier& barrier, const PlaceOf& place) const {
        const int a = line_.first, b = line_.second, stride = line_.stride;
        real_steps::run<true, in_place>(
            rows(), b, line_.of_second, matrices_.second, barrier,
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
                const int row = unit.index, other = row == 0 ? 0 : a - row, end = b - begin;
                const auto at = [&](int half, int column) {
                    return place(unit, static_cast<unsigned>(half * b + column), half * stride + column);
                };
                auto low = at(row, begin), high = at(row, end);
                auto low_partner = at(other, begin), high_partner = at(other, end);
                const Complex<T>* const up = twiddles_ + line_.turns + (row & 1) * b + begin;
                const Complex<T>* const down = up + (b - 2 * begin);
                return [=, real = row == 0, there = unit.there](int after, const Sums& re, const Sums& im) mutable {
                    const int k = begin + after;
                    const bool here = there && 2 * k <= b, both = there && k > 0 && 2 * k < b;
                    const Turned one = turned(load(up + after), re.even + im.odd, im.even - re.odd);
                    const Turned two = turned(load(down - after), re.even - im.odd, im.even + re.odd);
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
            rows(), b, line_.of_second, matrices_.second, barrier,
            [&](const Unit& unit, int t) {
                const int row = unit.index;
                const bool real = row == 0;
                const Complex<T>* const at = unit.at + row * stride + t;
                const int to_partner = real ? 0 : (a - 2 * row) * stride;
                const int mirror = b - 2 * t, first_mirror = t == 0 ? 0 : mirror;
                const Complex<T>* const up = twiddles_ + line_.turns + (row & 1) * b + t;
                return [=, this](int after, bool, OfTwo<double>(&even)[2], OfTwo<double>(&odd)[2]) {
                    const int to_high = after == 0 ? first_mirror : mirror - 2 * after;
                    const Complex<T>*const low = at + after, *const high = low + to_high;
                    const OfTwo<T> mode = load(low), mirrored = load(high), partner = load(low + to_partner);
                    const bool itself = to_high == 0;
                    const int ratio = !itself ? 1 : after + t == 0 ? line_.at_zero : line_.at_half;
                    const T sign = ratio == 0 ? T(0) : ratio < 0 ? T(-1) : T(1);
                    const Half one = turned_back(load(up + after), mode, real ? sign * mirrored : partner);
                    const Half two = turned_back(load(up + after + to_high), mirrored, load(high + to_partner));
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
                const int next = line_.twiddle_stride();
                const Complex<T>* const up = twiddles_ + line_.by_second + row + begin * next;
                const Complex<T>* const down = up + (b - 2 * begin) * next;
                return [=, there = unit.there](int after, const Sums& re, const Sums& im) {
                    const int n = begin + after;
                    const bool here = there && 2 * n <= b, both = there && n > 0 && 2 * n < b;
                    const auto put = [row](Complex<T>* to, Complex<T>* to_partner, Complex<T> w, OfTwo<T> u_re,
                                           OfTwo<T> u_im) {
                        store(to, w.re * u_re + w.im * u_im);
                        if (row > 0) store(to_partner, w.re * u_im - w.im * u_re);
                    };
                    if (here)
                        put(low + after, low_partner + after, load(up + after * next), re.even - im.odd,
                            im.even + re.odd);
                    if (both)
                        put(high - after, high_partner - after, load(down - after * next), re.even + im.odd,
                            im.even - re.odd);
                };
            });
    }

    /// U to elements. put(unit) returns what takes (n, where it stands in shared memory, whether it is there,
    /// element).
    template <bool in_place, class Barrier, class Put>
    POISSON3D_HD void halves_to_samples(const Barrier& barrier, const Put& put) const {
        const int a = line_.first, b = line_.second, stride = line_.stride;
        real_steps::run<false, in_place>(
            columns(), a, line_.of_first, matrices_.first, barrier,
            [&](const Unit& unit, int t) { return real_steps::read_halves(unit, a, stride, t); },
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
    [[nodiscard]] POISSON3D_HD real_steps::Units<T> columns() const { return this->units(line_.second); }
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
};

}  // namespace poisson3d::lines
