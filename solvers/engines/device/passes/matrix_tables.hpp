// The tables of lines by matrices that a block has in shared memory: twiddles, and matrices that are not large.
// Threads that read them there do not wait for the first-level cache, which is busy with elements of the field.
#pragma once

#include "matrix_units.hpp"

namespace poisson3d::device {

using namespace lines;

template <class Line, class T>
class MatrixTables {
public:
    /// `at`: where they stand in shared memory.
    POISSON3D_HD MatrixTables(const Line& line, const LineFft<T, Compact>& fft, Complex<T>* at)
        : line_(line), fft_(fft), at_(at) {}

    [[nodiscard]] POISSON3D_HD const Complex<T>* twiddles() const { return kept_in_shared(at_); }
    /// Of the way from samples to modes, or back: behind the twiddles, or where they are.
    [[nodiscard]] POISSON3D_HD StepMatrices matrices(bool back) const {
        const MatrixPlaces from = line_.matrices(back);
        const MatrixShape &first = line_.of_first, &second = line_.of_second;
        return {first.in_shared() ? behind() : fft_.matrices + from.first,
                second.in_shared() ? second_behind() : fft_.matrices + from.second};
    }

    /// They are there after wait_for_copies() and a barrier.
    POISSON3D_HD void copy_twiddles() const { copy(fft_.twiddles, at_, line_.twiddles); }
    POISSON3D_HD void copy_matrices(bool back) const {
        const MatrixPlaces from = line_.matrices(back);
        const MatrixShape &first = line_.of_first, &second = line_.of_second;
        if (first.in_shared()) copy(fft_.matrices + from.first, behind(), first.numbers);
        if (second.in_shared()) copy(fft_.matrices + from.second, second_behind(), second.numbers);
    }

private:
    [[nodiscard]] POISSON3D_HD Complex<double>* behind() const {
        return reinterpret_cast<Complex<double>*>(at_ + line_.twiddles);
    }
    [[nodiscard]] POISSON3D_HD Complex<double>* second_behind() const {
        return behind() + (line_.of_first.in_shared() ? line_.of_first.numbers : 0);
    }
    template <class Number>
    static POISSON3D_HD void copy(const Number* from, Number* to, int count) {
        POISSON3D_ROLLED
        for (int i = BlockThreads::index(); i < count; i += BlockThreads::count()) copy_table(from + i, to + i);
    }

    const Line& line_;
    const LineFft<T, Compact>& fft_;
    Complex<T>* at_;
};

}  // namespace poisson3d::device
