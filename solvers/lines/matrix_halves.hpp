// What the steps of lines by matrices have in common (real_matrix_steps.hpp, folded_matrix_steps.hpp): what they
// are told of a block, and the side of the step whose units are columns of a rows, real DFTs of a, where halves of
// the results stand: U_k with k = 0 … (a − 1)/2, real parts in rows k and imaginary ones in rows a − k. Host and
// device share this file.
#pragma once

#include "unit_steps.hpp"

namespace poisson3d::lines {

namespace real_steps {

/// What takes the sums A_k and B_k, k = begin + after, and stores U_k = scale · w_k (A_k − i B_k); `twiddles` are
/// those of the column from k = begin on.
template <class T>
POISSON3D_HD auto put_halves(const Unit<T>& unit, int a, int stride, int begin, const Complex<T>* twiddles,
                             T scale) {
    Complex<T>* low = unit.at + unit.index + begin * stride;
    Complex<T>* high = low + (a - 2 * begin) * stride;
    // The next twiddle is asked for before anything is stored.
    return [=, there = unit.there, next = load(twiddles)](int after, const Sums<T>& u) mutable {
        const Complex<T> w = scale * next;
        next = load(twiddles + (after + 4));
        const bool here = there && 2 * (begin + after) <= a;
        if (here) store(low, w.re * u.even + w.im * u.odd);
        if (here && begin + after > 0) store(high, w.im * u.even - w.re * u.odd);
        low += 4 * stride, high -= 4 * stride;
    };
}

/// What sets Re U_k and Im U_k, k = t + after.
template <class T>
POISSON3D_HD auto read_halves(const Unit<T>& unit, int a, int stride, int t) {
    const Complex<T>* const low = unit.at + unit.index + t * stride;
    const Complex<T>* const high = t == 0 ? low : unit.at + unit.index + (a - t) * stride;
    const Complex<T>* const back = high + (t == 0 ? a * stride : 0);
    return [=](int after, bool, OfTwo<double>(&even)[1], OfTwo<double>(&odd)[1]) {
        even[0] = wide(load(low + after * stride));
        odd[0] = wide(load(after == 0 ? high : back - after * stride));
    };
}

}  // namespace real_steps

/// What the steps of a block's lines have in common, 2^shift of them, `pitch` apart; Line_ is how kernels know
/// them.
template <class Line_, class T>
class MatrixSteps {
public:
    using Line = Line_;
    using Unit = real_steps::Unit<T>;
    using Sums = real_steps::Sums<T>;

    /// `matrices`: of both steps, in shared memory or not as their shapes say; `twiddles`: those of the line's FFT,
    /// in shared memory.
    POISSON3D_HD MatrixSteps(const Line& line, const StepMatrices& matrices, const Complex<T>* twiddles,
                             Complex<T>* lines, int pitch, int shift)
        : line_(line), matrices_(matrices), twiddles_(twiddles), lines_(lines), pitch_(pitch), shift_(shift) {}

protected:
    [[nodiscard]] POISSON3D_HD real_steps::Units<T> units(int count) const {
        return {lines_, pitch_, shift_, count};
    }
    [[nodiscard]] POISSON3D_HD real_steps::Units<T> rows() const { return units(line_.halves); }
    /// What stores U of a column.
    [[nodiscard]] POISSON3D_HD auto put_halves(const Unit& unit, int a, int stride, int begin, T scale) const {
        return real_steps::put_halves(unit, a, stride, begin,
                                      twiddles_ + line_.by_second + unit.index * line_.twiddle_stride() + begin,
                                      scale);
    }

    const Line& line_;
    StepMatrices matrices_;
    const Complex<T>* twiddles_;

private:
    Complex<T>* lines_;
    int pitch_, shift_;
};

}  // namespace poisson3d::lines
