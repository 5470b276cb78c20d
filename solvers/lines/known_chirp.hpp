// Even and odd lines by a chirp (symmetric_chirp.hpp) whose FFTs have two steps, of radices r and s, known when
// code is compiled: places are constants, indices follow from the first and the last position of a side, and what
// tables hold are α, twiddles and the filter. Sides half way between samples, and those that are not, have the same
// code. A view of a plan like that of known_line.hpp.
//
// Where r and s have no divisor in common the two steps need no twiddles (Good, J. R. Statist. Soc. B 20, 1958):
// with d = aj mod r and e = bj mod s of position j, w^{jn} of length rs is the product of w^{dk} of length r and
// w^{el} of length s, for n = a s k + b r l. Elements stand at (d, e) then, and the filter follows.
//
// The lines of a block take all of shared memory that three blocks of a multiprocessor can have, so there is no
// room for padding. Rows of 16 elements: element e of row d lies at 16 d + (e xor last bits of d). Threads at
// neighbouring e and at neighbouring d then use different banks; those at neighbouring positions do, too, or with
// a = 2 in half of the cases, where r is odd. Rows of 13 and 15 need nothing: element e of row d lies at s d + e,
// and neighbouring positions s + 2 apart, since b = 2. Host and device share this file.
#pragma once

#include "known_convolution.hpp"
#include "symmetric_chirp.hpp"

namespace poisson3d::lines {

/// The length of FFTs that kernels know, else 0.
template <class T>
int known_chirp_length(const LineFft<T, Compact>& fft) {
    return fft.steps == 2 ? known_chirp_length(fft.step[0].radix, fft.step[1].radix) : 0;
}

/// `threads`: of a block on a device.
template <int length_, int threads_ = 0>
struct KnownChirp {
    static constexpr ChirpRadices radices = known_chirp_radices(length_);
    static_assert(radices.first > 0);
    using Word = Compact::Word;
    static constexpr bool few_twiddles = true;
    static constexpr int length = length_, threads = threads_, first = radices.first, last = radices.last;
    static constexpr int radix = chirped_radix<Compact>, ffts = radix / 2 + 1, apart = length;
    static constexpr bool even_or_odd = true;
    /// Lines are a quarter or half of the banks apart, for threads of which four go along lines and others across.
    static constexpr int pitch = (ffts * length + 15) / 16 * 16 + 4;
    static constexpr bool coprime = radices.coprime();
    /// Of threads: four blocks share a multiprocessor then, and shared memory has room for them.
    static constexpr bool few_registers = length == 96 || length == 128;
    /// Of a position, and of e in row d.
    template <class T>
    static constexpr POISSON3D_HD int offset(int position) {
        const auto j = static_cast<unsigned>(position);
        const unsigned d = coprime ? radices.a() * j % first : j / last;
        const unsigned e = coprime ? radices.b() * j % last : j % last;
        return last * static_cast<int>(d) + in_row<T>(static_cast<int>(d), static_cast<int>(e));
    }
    template <class T>
    static constexpr POISSON3D_HD int in_row(int d, int e) {
        if (last != 16) return e;
        constexpr int swapped = (coprime ? 4 : 8) * (sizeof(T) == 8 ? 1 : 2) - 1;
        return (e & ~swapped) + ((e ^ d) & swapped);
    }
};

/// Classes, by as many threads of a device: one less where the middle of a line is none.
template <int threads_>
struct KnownClassItems : WorkItems {
    static POISSON3D_HD int threads() { return KnownItems<1, threads_>::threads(); }
};

template <class T, int size, int threads>
struct Symmetric<T, KnownChirp<size, threads>> {
    KnownClassItems<threads> items;
    static constexpr int row = KnownChirp<size>::length / 2 + 1;
    bool sine = false;
    int half_way = 0;  ///< see the general one
    const Complex<T>* twiddles = nullptr;

    /// The first element of class −j, or −j − 1 of sides half way.
    [[nodiscard]] POISSON3D_HD int opposite(int j) const {
        constexpr int length = KnownChirp<size>::length;
        const int class_of = length - half_way - j;
        return class_of == length ? 0 : class_of;
    }
    /// t of FFTs 0 … 8 for class j; tables have more of them.
    POISSON3D_HD void read(int j, Complex<T> (&t)[9]) const {
        const auto entry = [&](int k) { return load_table(twiddles + k * row + j); };
        // t_k = c u^k, where c is i of odd lines, else 1.
        const auto over_c = [&](Complex<T> z) { return Complex<T>{sine ? z.im : z.re, sine ? -z.re : z.im}; };
        t[0] = {sine ? T(0) : T(1), sine ? T(1) : T(0)};
        t[1] = entry(1);
        t[2] = entry(2);
        t[4] = entry(4);
        t[8] = entry(8);
        const Complex<T> u = over_c(t[1]);
        t[3] = product(t[2], u);
        t[5] = product(t[4], u);
        t[6] = product(t[4], over_c(t[2]));
        t[7] = product(t[6], u);
    }
};

/// Members of class j: those below half of them have positions below 0, whatever j is. Positions half way count by
/// the whole one before them, away from 0.
template <class T, int size, int threads>
struct PairMap<T, KnownChirp<size, threads>> {
    static constexpr bool complete = false;
    const Complex<T>* alpha = nullptr;
    static constexpr int length = KnownChirp<size>::length, middle = KnownChirp<size>::radix / 4;
    int from = 0, last = 0;  ///< positions that there are; the first one has index 0
    int half_way = 0;

    [[nodiscard]] POISSON3D_HD int distance(int m, int j) const {
        return m < middle ? (middle - m) * length - half_way - j : j + (m - middle) * length;
    }
    /// Only those at the ends of a line may be missing: where kernels know it, it is longer than three FFTs.
    [[nodiscard]] POISSON3D_HD bool there(int m, int j) const {
        if (m == middle) return distance(m, j) >= from;
        return (m > 0 && m < 2 * middle - 1) || distance(m, j) <= last;
    }
    [[nodiscard]] POISSON3D_HD int index(int m, int j) const { return distance(m, j) - from; }
    [[nodiscard]] bool longer_than_three() const { return last >= 3 * length; }
};

template <class T, int size, int threads>
struct LineFft<T, KnownChirp<size, threads>> {
    const Complex<T>* twiddles = nullptr;
};

/// Elements of the FFTs from members 0 … 7 of class j.
template <int r, class T, int size, int threads, class V>
POISSON3D_HD void chirped_first(const Symmetric<T, KnownChirp<size, threads>>& side,
                                const PairMap<T, KnownChirp<size, threads>>& map, int j, Complex<V>* line,
                                Complex<V> (&z)[r]) {
    using Line = KnownChirp<size>;
    POISSON3D_UNROLL
    for (int m = 0; m < r / 2; ++m) z[m] = product(load_table(map.alpha + m * side.row + j), z[m]);
    Complex<T> t[9];
    side.read(j, t);
    dft<true>(z);
    Complex<V>* const at = line + Line::template offset<T>(j);
    Complex<V>* const opposite = line + Line::template offset<T>(side.opposite(j));
    POISSON3D_UNROLL
    for (int k = 0; k <= r / 2; ++k) store(at + k * Line::length, product(t[k], z[k]));
    if (at == opposite) return;
    POISSON3D_UNROLL
    for (int k = 0; k <= r / 2; ++k)
        store(opposite + k * Line::length, product(Complex<T>{t[k].re, -t[k].im}, z[(r - k) % r]));
}

/// The members from the elements.
template <int r, class T, int size, int threads, class V>
POISSON3D_HD void chirped_last(const Symmetric<T, KnownChirp<size, threads>>& side,
                               const PairMap<T, KnownChirp<size, threads>>& map, int j, const Complex<V>* line,
                               Complex<V> (&z)[r]) {
    using Line = KnownChirp<size>;
    const Complex<V>* const at = line + Line::template offset<T>(j);
    const Complex<V>* const opposite = line + Line::template offset<T>(side.opposite(j));
    Complex<T> t[9];
    side.read(j, t);
    POISSON3D_UNROLL
    for (int k = 0; k <= r / 2; ++k) {
        z[k] = product(t[k], load(at + k * Line::length));
        if (k > 0 && 2 * k < r)
            z[r - k] = product(Complex<T>{t[k].re, -t[k].im}, load(opposite + k * Line::length));
    }
    dft(z);
    POISSON3D_UNROLL
    for (int m = 0; m < r / 2; ++m) z[m] = product(load_table(map.alpha + m * side.row + j), z[m]);
}

template <class T, int size, int threads, class V, class Barrier>
POISSON3D_HD void symmetric_convolution(const LineFft<T, KnownChirp<size, threads>>& fft, const Chirp<T>& chirp,
                                        Complex<V>* lines, int pitch, int count, const Barrier& barrier) {
    known_convolution(fft, chirp, lines, pitch, count, barrier);
}

}  // namespace poisson3d::lines
