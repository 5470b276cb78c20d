// Lines whose numbers are known when code is compiled: what plans and tables say of a line with at most two steps
// between its outer ones, as constants, so that kernels compute neither counts nor strides, offsets nor indices. A
// view of a plan like the one that all lines have (butterfly_pairs.hpp, pair_map.hpp, line_fft.hpp): the same steps
// take either. Twiddles, α and some signs stay tables and numbers of the plan.
//
// Here is where elements stand, and the steps between; known_sides.hpp has the steps next to samples and modes, and
// known_plan.hpp compares such a view with a plan.
//
// Host and device share this file.
#pragma once

#include "butterfly_pairs.hpp"
#include "outer_radices.hpp"
#include "padded_strides.hpp"

namespace poisson3d::lines {

/// The ends of a line of cells: periodic, of the same kind, or a Neumann wall and a Dirichlet wall in either order.
enum class Ends : std::uint8_t { periodic, alike, mixed };

/// FFTs of a line.
constexpr int known_ffts(Ends ends, int rows) {
    return ends == Ends::mixed && rows % 2 == 0 ? 2 : 1;
}
/// Whether such lines can be known.
constexpr bool is_known(Ends ends, int rows) {
    return rows <= 4096 && few_radices(rows / known_ffts(ends, rows)).steps >= 0;
}

/// The padded strides of their FFTs.
template <class T>
constexpr PaddedStrides padded_strides(const FewRadices& few, int ffts) {
    const int radices[] = {few.samples, few.inner[0], few.inner[1], few.modes};
    return {radices, 4, ffts, element_banks<T>};
}

/// `threads`: of a block on a device, 0 where nobody asks.
template <Ends ends_, int rows_, class T, int threads_ = 0>
struct KnownLine {
    static_assert(is_known(ends_, rows_));
    static constexpr Ends ends = ends_;
    static constexpr int rows = rows_, threads = threads_;
    static constexpr int ffts = known_ffts(ends, rows);
    static constexpr Kind kind = ffts == 1 ? Kind::type2 : Kind::type4;
    static constexpr int length = rows / ffts;
    static constexpr FewRadices radices = few_radices(length);
    static constexpr int steps = radices.steps;  ///< between outer ones
    /// Butterflies of an outer step of one FFT, and butterfly pairs of a line.
    static constexpr int butterflies(Side side) {
        return length / (side == Side::samples ? radices.samples : radices.modes);
    }
    static constexpr int pairs(Side side) { return ffts == 2 ? butterflies(side) : (butterflies(side) + 1) / 2; }
    static constexpr int most_pairs = pairs(radices.samples < radices.modes ? Side::samples : Side::modes);
    // Positions have four digits, those of samples, of the steps between (of radix 1 if there are none), of modes;
    // those of modes stand side by side.
    static constexpr int first = radices.inner[0], second = radices.inner[1];
    static constexpr PaddedStrides strides = padded_strides<T>(radices, ffts);
    static constexpr int samples_stride = strides[0], first_stride = strides[1];
    static constexpr int second_stride = second == 1 ? 0 : strides[2];
    static constexpr int padded_length = strides.padded_length();
    static constexpr int pitch =
        (ffts * padded_length - 2 + element_banks<T> - 1) / element_banks<T> * element_banks<T> + 2;

    /// Of the first elements of the butterflies of outer steps: of position c, and of mode c, whose digits come in
    /// the opposite order.
    static constexpr POISSON3D_HD int sample_offset(int c) {
        constexpr int m = radices.modes;
        if constexpr (second == 1) return c + c / m * (first_stride - m);
        return in_second(c % (m * second)) + c / (m * second) * first_stride;
    }
    /// Of position p.
    static constexpr POISSON3D_HD int position_offset(int p) {
        constexpr int q = length / radices.samples;
        return sample_offset(p % q) + p / q * samples_stride;
    }
    static constexpr POISSON3D_HD int mode_offset(int c) {
        constexpr int s = radices.samples;
        if constexpr (second == 1) return c % s * samples_stride + c / s * first_stride;
        return c % s * samples_stride + c / s % first * first_stride + c / (s * first) * second_stride;
    }
    /// Of position j below second · modes.
    static constexpr POISSON3D_HD int in_second(int j) {
        constexpr int m = radices.modes;
        if constexpr (second == 1) return j;
        return j + j / m * (second_stride - m);
    }
};

/// One side of them, the Format of its tables.
template <class Line, Side side>
struct KnownSide {
    using Word = Compact::Word;
    static constexpr bool few_twiddles = true;
};

/// A step between, number s.
template <class Line, int s>
struct KnownStep {
    static constexpr int radix = Line::radices.inner[s];
    static constexpr int stride = s == 0 ? Line::first_stride : Line::second_stride;
    static constexpr int twiddle_stride = s == 0 ? Line::second * Line::radices.modes : Line::radices.modes;
    static constexpr int first = s * (Line::rows / Line::first);
    static constexpr int twiddles =
        s * twiddles_of(Line::first, Compact::few_twiddles) * (Line::second * Line::radices.modes);
    KnownItems<Line::rows / radix, Line::threads> butterflies;
    template <class Word>
    [[nodiscard]] static POISSON3D_HD ButterflyPlace place(const Word*, int i) {
        constexpr int q = twiddle_stride;
        const int j = i % q, above = i / q;
        if constexpr (s == 0) return {above * Line::samples_stride + Line::in_second(j), j};
        return {above / Line::first * Line::samples_stride + above % Line::first * Line::first_stride + j, j};
    }
};

template <class T, class Line, Side side>
struct LineFft<T, KnownSide<Line, side>> {
    static constexpr int steps = Line::steps;
    const Complex<T>* twiddles = nullptr;
};

template <bool in_time, Inner which, class T, class Line, Side side, class V, class Barrier = NoWait>
POISSON3D_HD void inner_step(const LineFft<T, KnownSide<Line, side>>& fft, int s, Complex<V>* lines, int pitch,
                             int count, const Barrier& = {}) {
    const auto step = [&]<int number>() {
        using Step = KnownStep<Line, number>;
        radix_step<Step::radix, in_time>(Step{}, StepTables<T, Compact>{nullptr, fft.twiddles}, lines, pitch, count,
                                         NothingBeside{}, NoWait{});
    };
    if constexpr (Line::steps == 1) {
        step.template operator()<0>();
    } else if constexpr (Line::steps == 2) {
        if ((s == 0) != in_time)
            step.template operator()<0>();
        else
            step.template operator()<1>();
    }
}

}  // namespace poisson3d::lines
