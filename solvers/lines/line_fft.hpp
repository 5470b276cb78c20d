// The inner steps of FFTs of lines that lie in shared memory, in place, by mixed radices known at run time.
//
// Decimation in frequency (Gentleman and Sande 1966): a step of radix r takes elements that are q = n/r apart,
// transforms them, multiplies by e^{−2πi jk/n} and puts them back where they were; r FFTs of q remain. Natural
// order goes in, and modes end with their digits reversed. Decimation in time is the transpose, from reversed
// digits to natural order. The first and the last step are done in registers while lines are loaded and stored
// (butterfly_pairs.hpp); this file has the steps between.
//
// Elements lie at padded offsets: position Σ d_s q_s of an FFT at Σ d_s Q_s, where the strides Q_s of the digits
// are odd, so that the threads of a warp use different banks of shared memory. All FFTs of a line have one length;
// a step has a table of where every butterfly of the line begins.
//
// Host and device share this file. Every thread of a block does its part of a step; all wait for each other after
// it.
#pragma once

#include <cstdint>

#include "butterfly.hpp"
#include "memory_access.hpp"

namespace poisson3d::lines {

/// How tables are written: compact, for kernels, whose memory many lines share; plain, for loops of the host. A
/// word is two indices, the second in its upper half; the highest bit of either may be a sign.
struct Compact {
    using Word = std::uint32_t;
    static constexpr bool few_twiddles = true;
    static constexpr int largest_prime = 13;
};
struct Plain {
    using Word = std::uint64_t;
    static constexpr bool few_twiddles = false;
    static constexpr int largest_prime = 31;  ///< beyond 13: by prime_step
};
template <class Word>
inline constexpr int half_bits = 4 * static_cast<int>(sizeof(Word));
template <class Word>
constexpr POISSON3D_HD int lower_half(Word word) {
    return static_cast<int>(word & ((Word(1) << half_bits<Word>)-1));
}
template <class Word>
constexpr POISSON3D_HD int upper_half(Word word) {
    return static_cast<int>(word >> half_bits<Word>);
}

template <class Format>
constexpr typename Format::Word word_of(std::int64_t lower, std::int64_t upper) {
    using Word = typename Format::Word;
    return static_cast<Word>(static_cast<Word>(lower) | static_cast<Word>(upper) << half_bits<Word>);
}

/// `count` pieces of work on every line of a block, say its butterflies.
struct WorkItems {
    int count = 0;
    std::uint32_t inverse = 0;  ///< 2^24/count rounded up: exact for blocks of less than 256 · count threads

    WorkItems() = default;
    explicit WorkItems(int number) : count(number), inverse(number > 0 ? ((1U << 24) + number - 1) / number : 0) {}
};

/// The threads of a block; on the host there is one. The number is read where it is needed: kept, it would take a
/// register.
struct BlockThreads {
#ifdef __CUDA_ARCH__
    static __device__ __forceinline__ int index() {
        int number;
        asm volatile("mov.u32 %0, %%tid.x;" : "=r"(number));
        return number;
    }
    static __device__ __forceinline__ int count() {
        return static_cast<int>(blockDim.x);
    }
#else
    static int index() {
        return 0;
    }
    static int count() {
        return 1;
    }
#endif
};

/// body(item, line) with neighbouring threads at neighbouring items.
template <class Body>
POISSON3D_HD void along_lines(const WorkItems& items, int lines, const Body& body) {
    const int thread = BlockThreads::index();
    const bool many = items.count >= BlockThreads::count();
    const int along = many ? BlockThreads::count() : items.count;
    const int y = many ? 0 : static_cast<int>(thread * items.inverse >> 24);
    const int across = many ? 1 : static_cast<int>(BlockThreads::count() * items.inverse >> 24);
    if (y >= across) return;
    POISSON3D_ROLLED
    for (int item = thread - y * along; item < items.count; item += along) POISSON3D_ROLLED
    for (int line = y; line < lines; line += across) body(item, line);
}

/// body(item, line) with neighbouring threads at neighbouring lines, of which there are 2^shift.
template <class Body>
POISSON3D_HD void across_lines(const WorkItems& items, int shift, const Body& body) {
    const int units = items.count << shift;
    POISSON3D_ROLLED
    for (int unit = BlockThreads::index(); unit < units; unit += BlockThreads::count())
        body(unit >> shift, unit & ((1 << shift) - 1));
}

/// One radix step of all FFTs of a line.
struct RadixStep {
    int radix = 2;
    WorkItems butterflies;
    int stride = 0;          ///< from element to element, with padding
    int first = 0;           ///< number of the first butterfly's word: padded offset of element 0, and j
    int twiddles = 0;        ///< butterfly j: factor i at twiddles + i · twiddle_stride + j
    int twiddle_stride = 1;  ///< n/r of this step; 1: all factors are 1
    int prime_roots = 0;     ///< of a prime_step: e^{−2πi k/r}, k = 1 … (r−1)/2
};

inline constexpr int max_steps = 8;

template <class T, class Format = Compact>
struct LineFft {
    RadixStep step[max_steps];
    int steps = 0;
    const typename Format::Word* words = nullptr;
    const Complex<T>* twiddles = nullptr;
};

/// Where the tables of an FFT are. By value: through a reference they would be read again after every store.
template <class T, class Format>
struct StepTables {
    const typename Format::Word* words;
    const Complex<T>* twiddles;
};

/// `before` and `after` get the elements of a butterfly, its number and j, to change them.
template <int r, bool in_time, class T, class Format, class V, class Before, class After>
POISSON3D_HD void radix_step(const RadixStep& step, StepTables<T, Format> tables, Complex<V>* lines, int pitch,
                             int count, const Before& before, const After& after) {
    along_lines(step.butterflies, count, [&](int butterfly, int line) {
        const auto word = load_table(tables.words + step.first + butterfly);
        Complex<V>* const at = lines + line * pitch + lower_half(word);
        Complex<V> z[r];
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) z[k] = load(at + k * step.stride);
        before(z, butterfly, upper_half(word));
        const auto apply_twiddles = [&] {
            if (step.twiddle_stride == 1) return;
            Twiddles<r, Format::few_twiddles, T> twiddles;
            twiddles.read([&](int i) {
                return load_table(tables.twiddles + step.twiddles + i * step.twiddle_stride + upper_half(word));
            });
            twiddles.apply(z);
        };
        if constexpr (in_time) apply_twiddles();
        dft(z);
        if constexpr (!in_time) apply_twiddles();
        after(z, butterfly, upper_half(word));
        POISSON3D_UNROLL
        for (int k = 0; k < r; ++k) store(at + k * step.stride, z[k]);
    });
}

/// The same for a prime radix from 17 on, whose elements registers do not hold: sums over all of them, like
/// dft_odd.
template <bool in_time, class T, class V>
inline void prime_step(const RadixStep& step, const LineFft<T, Plain>& fft, Complex<V>* lines, int pitch,
                       int count) {
    constexpr int most = Plain::largest_prime / 2;
    const int half = step.radix / 2;
    const Complex<T>* const prime_roots = fft.twiddles + step.prime_roots;
    along_lines(step.butterflies, count, [&](int butterfly, int line) {
        const Plain::Word word = fft.words[step.first + butterfly];
        Complex<V>* const at = lines + line * pitch + lower_half(word);
        const auto twiddle = [&](int k) {
            return step.twiddle_stride == 1
                       ? Complex<T>{1, 0}
                       : fft.twiddles[step.twiddles + (k - 1) * step.twiddle_stride + upper_half(word)];
        };
        const auto input = [&](int k) {
            const Complex<V> z = at[k * step.stride];
            return in_time ? product(twiddle(k), z) : z;
        };
        Complex<V> sum[most], difference[most];
        const Complex<V> first = at[0];
        Complex<V> all = first;
        for (int j = 0; j < half; ++j) {
            const Complex<V> a = input(j + 1);
            const Complex<V> b = input(step.radix - 1 - j);
            sum[j] = a + b;
            difference[j] = times_i(a - b);
            all = all + sum[j];
        }
        at[0] = all;
        for (int k = 1; k <= half; ++k) {
            Complex<V> even = first;
            Complex<V> odd{};
            for (int j = 1, power = k; j <= half; ++j, power += k) {
                if (power >= step.radix) power -= step.radix;
                const bool upper = power > half;
                const Complex<T> factor = prime_roots[(upper ? step.radix - power : power) - 1];
                even = even + factor.re * sum[j - 1];
                odd = odd + (upper ? -factor.im : factor.im) * difference[j - 1];
            }
            const Complex<V> low = even + odd;
            const Complex<V> high = even - odd;
            at[k * step.stride] = in_time ? low : product(twiddle(k), low);
            at[(step.radix - k) * step.stride] = in_time ? high : product(twiddle(step.radix - k), high);
        }
    });
}

/// Calls body.template operator()<r>() for the inner radices that registers hold; else `other`.
template <class Body, class Other>
POISSON3D_HD void with_inner_radix(int radix, const Body& body, const Other& other) {
    switch (radix) {
        case 2: return body.template operator()<2>();
        case 3: return body.template operator()<3>();
        case 4: return body.template operator()<4>();
        case 5: return body.template operator()<5>();
        case 6: return body.template operator()<6>();
        case 7: return body.template operator()<7>();
        case 8: return body.template operator()<8>();
        case 10: return body.template operator()<10>();
        case 11: return body.template operator()<11>();
        case 12: return body.template operator()<12>();
        case 13: return body.template operator()<13>();
        case 16: return body.template operator()<16>();
        default: other();
    }
}

/// Step `s` in the order of its walk (in time: the last one first) on `count` lines, `pitch` apart.
template <bool in_time, class T, class Format, class V>
POISSON3D_HD void inner_step(const LineFft<T, Format>& fft, int s, Complex<V>* lines, int pitch, int count) {
    const RadixStep& step = fft.step[in_time ? fft.steps - 1 - s : s];
    const auto nothing = [](auto&, int, int) {};
    with_inner_radix(
        step.radix,
        [&]<int r>() {
            radix_step<r, in_time>(step, StepTables<T, Format>{fft.words, fft.twiddles}, lines, pitch, count,
                                   nothing, nothing);
        },
        [&] {
            if constexpr (Format::largest_prime > 13) prime_step<in_time>(step, fft, lines, pitch, count);
        });
}

}  // namespace poisson3d::lines
