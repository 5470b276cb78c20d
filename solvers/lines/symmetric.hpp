// The samples' side of type I lines: the outermost step of an FFT whose input is even or odd.
//
// A type I line of half period N is the FFT of its even or odd extension x to 2N. A first step of any radix r (in
// frequency, M = 2N/r) on the residue class j of positions j + mM gives Â_k, k < r, and element j of FFT k (of
// length M) is w^{jk} Â_k, w = e^{−2πi/2N}. By symmetry the class −j has Â_{−k} instead, and mode 2N − n is mode n
// again. Hence
//
//     classes 0 … M/2 are transformed, ⌊r/2⌋ + 1 FFTs k = 0 … ⌊r/2⌋ follow, and class j writes
//     y_k(j) = t Â_k,   y_k(M − j) = conj(t) Â_{−k},   t = w^{jk}, times i if odd
//
// and y_k(n) holds mode nr + k, whose mirrored ones are not used where they stand twice. N samples become N + N/4
// elements for r = 8, N + N/r for odd r. The way back is the transpose of all that. It begins with weighted modes:
// a cosine line weighs modes 0 and N by ½, and adds to samples 0 and N twice.
//
// Host and device share this file. Source for the idea: Swarztrauber, "Symmetric FFTs", Math. Comp. 47 (1986).
#pragma once

#include "butterfly_pairs.hpp"

namespace poisson3d::lines {

/// A member of a class: the sample that is read, the one that is written, both no_element if there is none.
template <class Word>
struct MemberWordOf {
    Word bits;
    [[nodiscard]] POISSON3D_HD int from() const { return static_cast<int>(bits & no_element_in<Word>); }
    [[nodiscard]] POISSON3D_HD std::uint32_t sign() const {
        return static_cast<std::uint32_t>(bits >> (half_bits<Word> - 1) & 1);
    }
    [[nodiscard]] POISSON3D_HD int to() const {
        return static_cast<int>(bits >> half_bits<Word> & no_element_in<Word>);
    }
};
using MemberWord = MemberWordOf<Compact::Word>;

/// In device memory.
template <class T, class Format = Compact>
struct Symmetric {
    using Word = typename Format::Word;
    static constexpr int known_radix = 0;  ///< the radix, if it is known when code is compiled
    int radix = 0;                         ///< 0: not a type I line
    typename Format::Items items;          ///< classes of a line, M/2 + 1
    int row = 0;                           ///< of its tables: as many classes, or one more
    bool sine = false;
    int half_way = 0;               ///< 1: positions are half a sample behind whole ones (symmetric_chirp.hpp)
    int middle = 0;                 ///< the class M/2 that is its own mirror image, like class 0; 0: M is odd
    int stride = 0;                 ///< from FFT to FFT
    const Word* offsets = nullptr;  ///< of y_0(j) and y_0(M − j); equal if that is j
    const Word* words = nullptr;    ///< member m of class j at m · row + j: index, sign; index to write to
    const Complex<T>* twiddles = nullptr;  ///< t of FFT k at k · row + j

    [[nodiscard]] POISSON3D_HD ButterflyOffsets offsets_of(int j) const {
        const Word word = load_table(offsets + j);
        return {lower_half(word), upper_half(word)};
    }
    [[nodiscard]] POISSON3D_HD MemberWordOf<Word> member(int m, int j) const {
        return {load_table(words + m * row + j)};
    }
};

/// Calls body.template operator()<r>() with the radix of a symmetric step, which may be known when code is
/// compiled.
template <Outer outer, class T, class Format, class Body>
POISSON3D_HD void with_symmetric_radix_of(const Symmetric<T, Format>& side, const Body& body) {
    if constexpr (Symmetric<T, Format>::known_radix > 0)
        body.template operator()<Symmetric<T, Format>::known_radix>();
    else
        with_symmetric_radix<outer, Format>(side.radix, body);
}

/// z_m of class j to the elements of the FFTs. `half`: those of the upper half are zeros.
template <bool half = false, int r, class T, class Format, class V>
POISSON3D_HD void symmetric_first(const Symmetric<T, Format>& side, int j, Complex<V>* line, Complex<V> (&z)[r]) {
    dft<half>(z);
    const ButterflyOffsets offsets = side.offsets_of(j);
    Complex<V>* const at = line + offsets.a;
    Complex<V>* const opposite = line + offsets.b;
    POISSON3D_UNROLL
    for (int k = 0; k <= r / 2; ++k) {
        const Complex<T> t = load_table(side.twiddles + k * side.row + j);
        store(at + k * side.stride, product(t, z[k]));
        if (at != opposite) store(opposite + k * side.stride, product(Complex<T>{t.re, -t.im}, z[(r - k) % r]));
    }
}

/// Its transpose: z_m of class j from the elements of the FFTs.
template <int r, class T, class Format, class V>
POISSON3D_HD void symmetric_last(const Symmetric<T, Format>& side, int j, const Complex<V>* line,
                                 Complex<V> (&z)[r]) {
    const ButterflyOffsets offsets = side.offsets_of(j);
    const Complex<V>* const at = line + offsets.a;
    const Complex<V>* const opposite = line + offsets.b;
    const bool both = at != opposite;
    POISSON3D_UNROLL
    for (int k = 0; k <= r / 2; ++k) {
        const Complex<T> t = load_table(side.twiddles + k * side.row + j);
        const Complex<V> here = product(t, load(at + k * side.stride));
        Complex<V> there{};
        if (both) there = product(Complex<T>{t.re, -t.im}, load(opposite + k * side.stride));
        if (k == 0 || 2 * k == r) {
            z[k] = here + there;
        } else {
            z[k] = here;
            z[r - k] = there;
        }
    }
    dft(z);
    if (j != 0 && (side.middle == 0 || j != side.middle)) return;
    // The class is its own mirror image: a sample is the sum of members m and −m, or of m and r − 1 − m.
    Complex<V> sum[r];
    POISSON3D_UNROLL
    for (int m = 0; m < r; ++m) {
        const Complex<V> image = j == 0 ? z[(r - m) % r] : z[r - 1 - m];
        sum[m] = side.sine ? z[m] - image : z[m] + image;
    }
    POISSON3D_UNROLL
    for (int m = 0; m < r; ++m) z[m] = sum[m];
}

}  // namespace poisson3d::lines
