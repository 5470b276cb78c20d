// The inner steps of FFTs of lines that lie in shared memory, in place, by mixed radices known at run time.
//
// Decimation in frequency (Gentleman and Sande 1966): a step of radix r takes elements that are q = n/r apart,
// transforms them, multiplies by e^{−2πi jk/n} and puts them back where they were; r FFTs of q remain. Natural
// order goes in, and modes end with their digits reversed. Decimation in time is the transpose, from reversed
// digits to natural order. The first and the last step are done in registers while lines are loaded and stored
// (butterfly_pairs.hpp); this file has the steps between.
//
// Elements lie at padded offsets: position Σ d_s q_s of an FFT at Σ d_s Q_s, with strides Q_s of the digits that
// let the threads of a warp use different banks of shared memory (padded_strides.hpp), or odd ones. All FFTs of a
// line have one length; a step has a table of where every butterfly of the line begins.
//
// Host and device share this file. Every thread of a block does its part of a step; all wait for each other after
// it.
#pragma once

#include <cstdint>

#include "butterfly.hpp"
#include "memory_access.hpp"

namespace poisson3d::lines {

/// How tables are written: compact, for kernels, whose memory many lines share; plain, for loops of the host. A
/// word is two indices, the second in its upper half; the highest bit of either may be a sign. Lines with plain
/// tables are as long as they like on a device, too, where they stand in global memory (launch_phase.hpp).
struct Compact {
    using Word = std::uint32_t;
    using Items = WorkItems;  ///< of outer steps
    static constexpr bool few_twiddles = true;
};
struct Plain {
    using Word = std::uint64_t;
    using Items = SharedItems;
    static constexpr bool few_twiddles = false;
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

struct ButterflyPlace {
    int offset, j;
};

/// One radix step of all FFTs of a line.
struct RadixStep {
    int radix = 2;
    WorkItems butterflies;
    int stride = 0;          ///< from element to element, with padding
    int first = 0;           ///< number of the first butterfly's word: padded offset of element 0, and j
    int twiddles = 0;        ///< butterfly j: factor i at twiddles + i · twiddle_stride + j
    int twiddle_stride = 1;  ///< n/r of this step; 1: all factors are 1
    // Of a prime step (prime_step.hpp): its convolution's steps are part, … part + parts − 1 of the FFT's parts,
    // its filters p − 1 numbers each, from filter on; that of decimation in time is the second.
    int part = 0, parts = 0;
    int filter = 0;  ///< of a matrix step: where its matrices begin

    /// Where butterfly number i begins, and its j.
    template <class Word>
    [[nodiscard]] POISSON3D_HD ButterflyPlace place(const Word* words, int i) const;
};

template <class Word>
POISSON3D_HD ButterflyPlace RadixStep::place(const Word* words, int i) const {
    const Word word = load_table(in_this_turn(words) + first + i);
    return {lower_half(word), upper_half(word)};
}

inline constexpr int max_steps = 8;
inline constexpr int max_parts = 8;  ///< of all prime steps of a line

/// Whether a radix is a prime that registers do not hold.
constexpr POISSON3D_HD bool prime_step_radix(int radix) {
    return radix > 23 && radix % 2 == 1;
}

template <class T, class Format = Compact>
struct LineFft {
    RadixStep step[max_steps];
    int steps = 0;
    RadixStep part[max_parts];
    const typename Format::Word* words = nullptr;
    const Complex<T>* twiddles = nullptr;
    const Complex<double>* matrices = nullptr;  ///< of matrix steps (matrix_units.hpp)
};

/// Where the tables of an FFT are. By value: through a reference they would be read again after every store.
template <class T, class Format>
struct StepTables {
    const typename Format::Word* words;
    const Complex<T>* twiddles;
};

/// `count` numbers of a table, `stride` apart, for a butterfly. Those that are `kept` a thread holds in registers
/// while it goes through its lines; others are read where they are needed.
template <int count, bool kept, class T>
class TableEntries {
public:
    POISSON3D_HD TableEntries(const Complex<T>* at, int stride, bool there = true) : at_(at), stride_(stride) {
        POISSON3D_UNROLL
        for (int i = 0; kept && i < count; ++i)  // set in any case: else they would be alive all around a loop
            entry_[i] = there ? load_table(at + i * stride) : Complex<T>{};
    }
    POISSON3D_HD Complex<T> operator[](int i) const {
        if constexpr (kept)
            return in_this_turn(entry_[i]);
        else
            return load_table(in_this_turn(at_) + i * stride_);
    }

private:
    const Complex<T>* at_;
    int stride_;
    Complex<T> entry_[kept ? count : 1];
};

/// Whether registers hold so many numbers of tables besides a butterfly of radix r. On the host, where tables are
/// plain, a butterfly has one pack of lines, and reads each number once.
template <class T, class Format>
constexpr bool registers_hold(int r, int numbers) {
    return Format::few_twiddles && (r + numbers) * 2 * sizeof(T) <= 320;
}

/// What a radix step may do besides: here nothing.
struct NothingBeside {
    static constexpr bool half_read = false;     ///< the upper half of elements are zeros, and not read
    static constexpr bool half_written = false;  ///< only the lower half is written
    static constexpr bool twiddles = true;       ///< there may be some
    /// Numbers of tables for a butterfly.
    struct Factors {};
    POISSON3D_HD Factors factors(int /*butterfly*/, int /*j*/) const { return {}; }
    template <class Z, class F>
    POISSON3D_HD void before(Z& /*elements*/, const F& /*factors*/) const {}
    /// `at`: element 0 in memory.
    template <class V, class Z, class F>
    POISSON3D_HD void after(Complex<V>* /*at*/, Z& /*elements*/, const F& /*factors*/) const {}
};

/// Numbers of tables are read once for all lines on which a thread does the same butterfly, and before `wait`.
template <int r, bool in_time, class Step, class T, class Format, class V, class Beside, class Wait>
POISSON3D_HD void radix_step(const Step& step, StepTables<T, Format> tables, Complex<V>* lines, int pitch,
                             int count, const Beside& beside, const Wait& wait) {
    constexpr int roots = twiddles_of(r, Format::few_twiddles);
    using Roots = TableEntries<roots, registers_hold<T, Format>(r, roots), T>;
    struct Prepared {
        int offset;
        Roots twiddles;
        typename Beside::Factors factors;
    };
    const auto prepare = [&](int butterfly) -> Prepared {
        const ButterflyPlace place = step.place(tables.words, butterfly);
        return {place.offset,
                Roots(tables.twiddles + step.twiddles + place.j, step.twiddle_stride,
                      Beside::twiddles && step.twiddle_stride > 1),
                beside.factors(butterfly, place.j)};
    };
    prepared_along_lines(step.butterflies, count, prepare, wait, [&](const Prepared& known, int line) {
        Complex<V>* const at = lines + line * pitch + known.offset;
        Complex<V> z[r];
        POISSON3D_UNROLL
        for (int k = 0; k < (Beside::half_read ? r / 2 : r); ++k) z[k] = load(at + k * step.stride);
        beside.before(z, known.factors);
        const auto apply_twiddles = [&] {
            if (!Beside::twiddles || step.twiddle_stride == 1) return;
            Twiddles<r, Format::few_twiddles, T> twiddles;
            twiddles.read([&](int i) { return known.twiddles[i]; });
            twiddles.apply(z);
        };
        if constexpr (in_time) apply_twiddles();
        dft<Beside::half_read>(z);
        if constexpr (!in_time) apply_twiddles();
        beside.after(at, z, known.factors);
        POISSON3D_UNROLL
        for (int k = 0; k < (Beside::half_written ? r / 2 : r); ++k) store(at + k * step.stride, z[k]);
    });
}

/// Which inner radices code has: of those that registers hold the common ones; the seldom ones too, which take many
/// registers, or one of two steps away; large primes too; or those and prime steps.
enum class Inner : std::uint8_t { common, seldom, all, all_and_primes };
constexpr POISSON3D_HD bool has_inner_radix(Inner which, int radix) {
    const bool prime = radix == 17 || radix == 19 || radix == 23;
    const bool common = (radix >= 2 && radix <= 8) || (radix >= 10 && radix <= 13) || radix == 16;
    const bool seldom = radix == 9 || radix == 15 || radix == 20;
    return common || (which >= Inner::seldom && seldom) || (which >= Inner::all && prime);
}

/// Calls body.template operator()<r>() for the inner radices that registers hold; else `other`.
template <Inner which, class Body, class Other>
POISSON3D_HD void with_inner_radix(int radix, const Body& body, const Other& other) {
    const auto with = [&]<int r>() {
        if constexpr (has_inner_radix(which, r)) body.template operator()<r>();
    };
    switch (radix) {
        case 2: return with.template operator()<2>();
        case 3: return with.template operator()<3>();
        case 4: return with.template operator()<4>();
        case 5: return with.template operator()<5>();
        case 6: return with.template operator()<6>();
        case 7: return with.template operator()<7>();
        case 8: return with.template operator()<8>();
        case 9: return with.template operator()<9>();
        case 10: return with.template operator()<10>();
        case 11: return with.template operator()<11>();
        case 12: return with.template operator()<12>();
        case 13: return with.template operator()<13>();
        case 15: return with.template operator()<15>();
        case 16: return with.template operator()<16>();
        case 17: return with.template operator()<17>();
        case 19: return with.template operator()<19>();
        case 20: return with.template operator()<20>();
        case 23: return with.template operator()<23>();
        default: other();
    }
}

/// Step `s` in the order of its walk (in time: the last one first) on `count` lines, `pitch` apart. Callers with
/// Inner::all_and_primes include prime_step.hpp, for prime radices from 29 on.
template <bool in_time, Inner which, class T, class Format, class V, class Barrier = NoWait>
POISSON3D_HD void inner_step(const LineFft<T, Format>& fft, int s, Complex<V>* lines, int pitch, int count,
                             const Barrier& barrier = {}) {
    const RadixStep& step = fft.step[in_time ? fft.steps - 1 - s : s];
    with_inner_radix<which>(
        step.radix,
        [&]<int r>() {
            radix_step<r, in_time>(step, StepTables<T, Format>{fft.words, fft.twiddles}, lines, pitch, count,
                                   NothingBeside{}, NoWait{});
        },
        [&] {
            if constexpr (which == Inner::all_and_primes)
                prime_step(fft, step, in_time, lines, pitch, count, barrier);
        });
}

}  // namespace poisson3d::lines
