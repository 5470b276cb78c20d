// Periodic lines by a chirp (chirp.hpp) whose FFTs have three steps, of radices 16, r and s, known when code is
// compiled: places are constants, indices follow from the class of a sample or mode, and what tables hold are w,
// twiddles and the filter. A view of a plan like that of known_chirp.hpp, whose inner steps it shares.
//
// Class c has the elements c + mL, m < 16, L = rs: those of the first step's butterfly, in slots m of places that
// no other class has. Samples and modes are m < 8, the rest is zeros, or not wanted. FFT k of length L begins k
// times `apart` behind the first, apart = s + 8i, so that neighbouring butterflies use different banks, also where
// one is the last of an FFT. Rows of eight elements have element e of row d at e xor d, others have odd lengths.
//
// Modes C_k and S_k of the project's order, at k and n − k, are X_k + X_{n−k} and −i (X_k − X_{n−k}), twice as
// large as they should be; the way back begins with C_k ∓ i S_k. So there is one more step through shared memory
// between the modes' side and the field. Host and device share this file.
#pragma once

#include "known_convolution.hpp"

namespace poisson3d::lines {

/// `threads`: of a block on a device.
template <int length_, int threads_ = 0>
struct KnownPeriodicChirp {
    static constexpr ChirpRadices radices = known_periodic_radices(length_);
    static_assert(radices.first > 0);
    using Word = Compact::Word;
    static constexpr bool few_twiddles = true, even_or_odd = false, few_registers = false;
    static constexpr bool coprime = radices.coprime();
    static constexpr int length = length_, threads = threads_, first = radices.first, last = radices.last;
    static constexpr int radix = periodic_chirp_radix, ffts = radix, wanted = radix / 2;
    static constexpr int apart = length + (last - length % 8 + 8) % 8;
    /// Lines are a quarter or half of the banks apart, as those of known_chirp.hpp.
    static constexpr int pitch = (ffts * apart + 15) / 16 * 16 + 4;
    /// Of position c < L of an FFT, and of e in row d.
    template <class T>
    static constexpr POISSON3D_HD int offset(int c) {
        const auto j = static_cast<unsigned>(c);
        const unsigned d = coprime ? radices.a() * j % first : j / last;
        const unsigned e = coprime ? radices.b() * j % last : j % last;
        return last * static_cast<int>(d) + in_row<T>(static_cast<int>(d), static_cast<int>(e));
    }
    template <class T>
    static constexpr POISSON3D_HD int in_row(int d, int e) {
        return last == 8 ? e ^ (d & 7) : e;
    }
    /// Of element j < 8L.
    template <class T>
    static constexpr POISSON3D_HD int element(int j) {
        const int m = static_cast<int>(static_cast<unsigned>(j) / length);
        return m * apart + offset<T>(j - m * length);
    }
};

template <class T, int size, int threads>
struct LineFft<T, KnownPeriodicChirp<size, threads>> {
    const Complex<T>* first_twiddles = nullptr;  ///< of the step of radix 16
    const Complex<T>* twiddles = nullptr;

    POISSON3D_HD void read(int c, Complex<T> (&roots)[4]) const {
        POISSON3D_UNROLL
        for (int i = 0; i < 4; ++i) roots[i] = load_table(first_twiddles + i * size + c);
    }
};

/// The FFTs' elements of class c from its samples, or what stands for modes. w of those that do not exist is 0.
template <int r, class T, int size, int threads, class V>
POISSON3D_HD void chirped_first(const LineFft<T, KnownPeriodicChirp<size, threads>>& fft, const Chirp<T>& chirp,
                                int c, Complex<V>* line, Complex<V> (&z)[r]) {
    using Line = KnownPeriodicChirp<size>;
    POISSON3D_UNROLL
    for (int m = 0; m < Line::wanted; ++m) z[m] = product(load_table(chirp.chirp + m * size + c), z[m]);
    Complex<T> roots[4];
    fft.read(c, roots);
    dft<true>(z);
    apply_powers(roots, z);
    Complex<V>* const at = line + Line::template offset<T>(c);
    POISSON3D_UNROLL
    for (int k = 0; k < r; ++k) store(at + k * Line::apart, z[k]);
}

/// Its results from the FFTs' elements.
template <int r, class T, int size, int threads, class V>
POISSON3D_HD void chirped_last(const LineFft<T, KnownPeriodicChirp<size, threads>>& fft, const Chirp<T>& chirp,
                               int c, const Complex<V>* line, Complex<V> (&z)[r]) {
    using Line = KnownPeriodicChirp<size>;
    const Complex<V>* const at = line + Line::template offset<T>(c);
    Complex<T> roots[4], w[Line::wanted];
    fft.read(c, roots);
    POISSON3D_UNROLL
    for (int m = 0; m < Line::wanted; ++m) w[m] = load_table(chirp.chirp + m * size + c);
    POISSON3D_UNROLL
    for (int k = 0; k < r; ++k) z[k] = load(at + k * Line::apart);
    apply_powers(roots, z);
    dft(z);
    POISSON3D_UNROLL
    for (int m = 0; m < Line::wanted; ++m) z[m] = product(w[m], exchanged(z[m]));
}

/// X_k and X_{n−k} to C and S of both real lines, and what stands for X on the way back.
template <class V>
POISSON3D_HD void modes_of_pair(Complex<V>& first, Complex<V>& second) {
    const Complex<V> sum = first + second;
    second = times_minus_i(first - second);
    first = sum;
}
template <class V>
POISSON3D_HD void pair_of_modes(Complex<V>& first, Complex<V>& second) {
    const Complex<V> odd = times_minus_i(second);
    second = first - odd;
    first = first + odd;
}

}  // namespace poisson3d::lines
