// Lines of types I, III and IV by two products with matrices there and two back, on the tensor cores of a GPU
// (matrix_units.hpp says how).
//
// A line is one half of a sequence x of period M = 2N = a·b, a odd, that is continued evenly about its lower end,
// or oddly (s = 1, −1), with samples at n + α and modes
//
//     C_k = Σ_n x_n e^{−2πi(n+α)(k+β)/M},   n = 0 … M − 1            2 Σ' x_n cos, or −2i Σ' x_n sin, of the line
//
//     DCT-I, DST-I α = β = 0;   DCT-II, DST-II α = ½, β = 0;   DCT-III, DST-III α = 0, β = ½;   DCT-IV, DST-IV α =
//     β = ½
//
// With n = ν b + j and k + β = κ + a (l + β) the phase is νκ/a + ν(l + β) + (j + α)κ/M + (j + α)(l + β)/b turns, so
//
//     U_κ(j) = e^{−2πi(j+α)κ/M} Σ_ν (−1)^{2βν} x_{νb+j} e^{−2πiνκ/a}       κ = 0 … (a − 1)/2, a real DFT for each j
//     C_k    = Σ_j U_κ(j) e^{−2πi(j+α)(l+β)/b}
//
// and U of column b − 2α − j is ± its conjugate, such that only columns j ≤ b/2 are there and C_k, or i C_k, is the
// sum of 2 cos(θ) Re U and 2 sin(θ) Im U, or 2 sin(θ) Re U and −2 cos(θ) Im U, θ = 2π(j + α)(l + β)/b: a product of
// real numbers. The same two sums, subtracted, are ± the mode of b − 2β − l. Where α = 0 columns 0 and b/2 are
// their own partners, count half, and hold each sample once.
//
// For odd lines all tables hold complex conjugates, and those of θ sines in the place of cosines. So even and odd
// lines are one. Re U_κ(j) stands where x had ν = κ, Im U where it had ν = a − κ (a sample that is folded there has
// sign s), and modes likewise: every step is done in place. The way back is the sum over all k, done the same way.
// A complex element is the same number of two neighbouring lines. Host and device share this file.
#pragma once

#include "folded_matrices.hpp"
#include "matrix_halves.hpp"

namespace poisson3d::lines {

/// Each step ends without a barrier.
template <class T>
class FoldedMatrixSteps : public MatrixSteps<FoldedMatrices, T> {
    using Base = MatrixSteps<FoldedMatrices, T>;
    using Base::line_, Base::matrices_, Base::twiddles_, Base::rows, Base::put_halves;

public:
    using Base::Base;
    using typename Base::Sums, typename Base::Unit;

    /// Samples, times `scale`, to U.
    template <class Barrier>
    POISSON3D_HD void samples_to_halves(const Barrier& barrier, T scale) const {
        const int a = line_.first, stride = line_.stride;
        real_steps::run<false, true>(
            columns(), a, line_.of_first, matrices_.first, barrier,
            [&](const Unit& unit, int t) {
                const Complex<T>* const low = unit.at + unit.index + t * stride;
                const bool at_edge = unit.index == line_.edge, at_other = unit.index == line_.other_edge;
                const int step = at_edge || at_other ? stride : -stride;
                const Complex<T>* const back = at_edge    ? low
                                               : at_other ? low - stride
                                                          : unit.at + unit.index + (a - t) * stride;
                const Complex<T>* const high = t == 0 ? low : back;
                const double sign = partner_sign(), first_sign = t == 0 ? 1.0 : sign;
                return [=](int after, bool last, OfTwo<double>(&even)[1], OfTwo<double>(&odd)[1]) {
                    // Edges have no rows behind the middle one.
                    const int row = last && 2 * (t + after) > a ? 0 : after;
                    const auto x = real_steps::wide(load(low + row * stride));
                    const auto y = real_steps::wide(load(row == 0 ? high : back + row * step));
                    const OfTwo<double> partner = (row == 0 ? first_sign : sign) * y;
                    even[0] = x + partner, odd[0] = x - partner;
                };
            },
            [&](const Unit& unit, int begin) { return put_halves(unit, a, stride, begin, scale); });
    }

    /// U to modes. place(unit, slot, element) is where the mode of a slot goes whose element in shared memory is
    /// that one: it has put(whether it is there, mode) and move(slots, elements).
    template <bool in_place, class Barrier, class PlaceOf>
    POISSON3D_HD void halves_to_modes(const Barrier& barrier, const PlaceOf& place) const {
        const int a = line_.first, stride = line_.stride;
        real_steps::run<false, in_place>(
            rows(), line_.radix(), line_.of_second, matrices_.second, barrier,
            [&](const Unit& unit, int t) {
                const int row = unit.index;
                const Complex<T>* const re = unit.at + row * stride + t;
                const int to_im = row == 0 ? 0 : (a - 2 * row) * stride, most = line_.columns - 1;
                const double there = row == 0 ? 0 : 1;
                return [=](int after, bool last, OfTwo<double>(&even)[1], OfTwo<double>(&odd)[1]) {
                    const Complex<T>* const at = re + (last && t + after > most ? -t : after);
                    even[0] = real_steps::wide(load(at));
                    odd[0] = there * real_steps::wide(load(at + to_im));
                };
            },
            [&](const Unit& unit, int begin) {
                const int row = unit.index;
                const bool alone = row == 0;
                const int first = slot(row, begin), at = row * stride + begin;
                auto low = place(unit, first, at);
                auto high =
                    place(unit, first + line_.modes.mirror - 2 * begin, at + (alone ? 0 : (a - 2 * row) * stride));
                const int none = alone ? line_.modes.hole : -1, other_none = alone ? line_.modes.other_hole : -1;
                return [=, this, there = unit.there](int after, const Sums& x) mutable {
                    const int l = begin + after;
                    const bool here = there && l < line_.harmonics;
                    low.put(here && l != none && l != other_none, x.even + x.odd);
                    high.put(here && !alone && l != line_.self && l != line_.other_self, x.even - x.odd);
                    low.move(4, 4), high.move(-4, 4);
                };
            });
    }

    /// Back: modes in their places to U.
    template <class Barrier>
    POISSON3D_HD void modes_to_halves(const Barrier& barrier) const {
        const int a = line_.first, stride = line_.stride;
        real_steps::run<false, true>(
            rows(), line_.radix(), line_.of_second, matrices_.second, barrier,
            [&](const Unit& unit, int t) {
                const int row = unit.index;
                const Complex<T>* const at = unit.at + row * stride + t;
                const int to_partner = row == 0 ? 0 : (a - 2 * row) * stride, most = line_.harmonics - 1;
                const double itself = row == 0 ? 1.0 : partner_sign();
                const double other_itself = row == 0 || line_.twice_alpha == 0 ? itself : -itself;
                return [=, this](int after, bool last, OfTwo<double>(&even)[1], OfTwo<double>(&odd)[1]) {
                    const int l = last && t + after > most ? 0 : t + after;
                    const bool first = l == line_.self, other = l == line_.other_self;
                    const Complex<T>* const low = at + (l - t);
                    const Complex<T>* const high = low + (first || other ? 0 : to_partner);
                    const auto x = real_steps::wide(load(low));
                    const auto y = (first ? itself : other ? other_itself : 1.0) * real_steps::wide(load(high));
                    even[0] = x + y, odd[0] = x - y;
                };
            },
            [&](const Unit& unit, int begin) {
                const int row = unit.index;
                Complex<T>* const low = unit.at + row * stride + begin;
                Complex<T>* const high = low + (row == 0 ? 0 : (a - 2 * row) * stride);
                const int next = line_.twiddle_stride();
                const Complex<T>* const twiddles = twiddles_ + line_.by_second + row + begin * next;
                return [=, this, there = unit.there](int after, const Sums& g) {
                    if (!there || begin + after >= line_.columns) return;
                    const Complex<T> w = load(twiddles + after * next);
                    store(low + after, w.re * g.even + w.im * g.odd);
                    if (row > 0) store(high + after, w.re * g.odd - w.im * g.even);
                };
            });
    }

    /// U to samples. put(unit) returns what takes (number of the sample, where it stands in shared memory, whether
    /// it is there, sample).
    template <bool in_place, class Barrier, class Put>
    POISSON3D_HD void halves_to_samples(const Barrier& barrier, const Put& put) const {
        const int a = line_.first, b = line_.second, stride = line_.stride;
        real_steps::run<false, in_place>(
            columns(), a, line_.of_first, matrices_.first, barrier,
            [&](const Unit& unit, int t) { return real_steps::read_halves(unit, a, stride, t); },
            [&](const Unit& unit, int begin) {
                Complex<T>* low = unit.at + unit.index + begin * stride;
                Complex<T>* high = low + (a - 2 * begin) * stride;
                int n = begin * b + unit.index - line_.samples.before;
                const int to_high = -2 * unit.index - line_.twice_alpha;
                const bool twice = unit.index != line_.edge && unit.index != line_.other_edge;
                const T sign = static_cast<T>(partner_sign());
                return [=, this, there = unit.there, give = put(unit)](int after, const Sums& x) mutable {
                    const int row = begin + after;
                    const bool here = there && 2 * row <= a;
                    const auto count = static_cast<unsigned>(line_.elements.count);
                    give(n, low, here && static_cast<unsigned>(n) < count, x.even - x.odd);
                    give(n + to_high, high, here && twice && row > 0, sign * (x.even + x.odd));
                    low += 4 * stride, high -= 4 * stride, n += 4 * b;
                };
            });
    }

private:
    [[nodiscard]] POISSON3D_HD real_steps::Units<T> columns() const { return this->units(line_.columns); }
    /// The number of mode (κ, l).
    [[nodiscard]] POISSON3D_HD int slot(int row, int l) const {
        return row == 0 ? l - line_.modes.before : line_.modes.from + (row - 1) * line_.second + l;
    }
    [[nodiscard]] POISSON3D_HD double partner_sign() const { return line_.odd ? -1.0 : 1.0; }
};

}  // namespace poisson3d::lines
