// Strides of the digits of positions in shared memory, padded so that threads next to each other meet in few banks.
//
// Position Σ d_s q_s of an FFT (line_fft.hpp) lies at Σ d_s Q_s. Memory has as many banks as fill 128 bytes with
// elements, and so many threads access it in one turn unless two of them want the same bank. They hold
//
//     butterflies j of a step of radix r_s, in order: positions j mod q_s + ⌊j/q_s⌋ r_s q_s;
//     butterflies of the step next to modes, in order: digits d_0, d_1, … counted from the front;
//     of outer steps in passes over columns neighbouring pairs of these butterflies in several lines, which fill
//     the even banks: the two places of a pair should be an odd number apart.
//
// Strides are chosen from the last digit up, each r_{s+1} Q_{s+1} with as much padding as makes turns fewest for
// each of the lines that then share a multiprocessor. What is best below is not always best above, so the best
// three choices go on: compared with all strides that there could be, lines that kernels know take at most 2 % more
// turns for each line in double and 12 % in single precision; with one choice alone 12 and 38 %.
#pragma once

#include <initializer_list>

#include "line_fft.hpp"

namespace poisson3d::lines {

/// Banks of elements of type Complex<T>.
template <class T>
inline constexpr int element_banks = 128 / static_cast<int>(2 * sizeof(T));

inline constexpr int max_digits = max_steps + 2;

class PaddedStrides {
public:
    /// Of digits of these radices, r[0] that of samples, the last that of modes; 1: there is no such step. `ffts`:
    /// of a line.
    constexpr PaddedStrides(const int* radices, int digits, int ffts, int banks)
        : digits_(digits), ffts_(ffts), banks_(banks) {
        for (int s = 0; s < digits; ++s) radix_[s] = radices[s];
        Best best;
        best.count = 1;
        for (int s = digits - 1, n = 1; s >= 0; --s) {
            n *= radix_[s];
            int above = 1;
            for (int i = 0; i < s; ++i) above *= radix_[i];
            Best next;
            next.most = above > 1 ? 3 : 1;
            for (int i = 0; i < best.count; ++i) {
                const bool choose = radix_[s] > 1 && best.strides[i].length > 1;
                for (int padding = 0; padding < (choose ? banks : 1); ++padding) {
                    Strides strides = best.strides[i];
                    strides.of[s] = strides.length + padding;
                    strides.length = radix_[s] * strides.of[s];
                    if (choose) {
                        strides.together = lines_together(ffts * above * strides.length);
                        strides.turns = all_turns(s, above == 1, n, [&](int zero, bool /*modes*/) {
                            const int threads = n / radix_[zero];
                            return Turns{(threads + banks - 1) / banks, (threads + 1) / 2};
                        });
                        if (next.place_of(strides) == next.most) continue;  // even if no threads meet
                        strides.turns = all_turns(s, above == 1, n, [&](int zero, bool modes) {
                            return turns_of(strides, s, zero, modes);
                        });
                    }
                    next.add(strides);
                }
            }
            best = next;
        }
        strides_ = best.strides[0];
    }
    [[nodiscard]] constexpr int operator[](int s) const { return strides_.of[s]; }
    [[nodiscard]] constexpr int padded_length() const { return strides_.length; }

private:
    /// Of the digits from one on; turns of all butterflies of FFTs of these, times half of the banks.
    struct Strides {
        int of[max_digits] = {}, length = 1, together = 1;
        std::int64_t turns = 0;
        [[nodiscard]] constexpr bool better_than(const Strides& other) const {
            return (turns + turns / 64) * other.together < other.turns * together;
        }
    };
    /// The best first; one that came later, with more padding, only if it is better by a 64th.
    struct Best {
        Strides strides[3];
        int count = 0, most = 3;
        [[nodiscard]] constexpr int place_of(const Strides& more) const {
            int i = count;
            while (i > 0 && more.better_than(strides[i - 1])) --i;
            return i;
        }
        constexpr void add(const Strides& more) {
            const int place = place_of(more);
            if (place == most) return;
            if (count < most) ++count;
            for (int i = count - 1; i > place; --i) strides[i] = strides[i - 1];
            strides[place] = more;
        }
    };
    /// Of threads at places in order, and of neighbouring pairs of them across lines.
    struct Turns {
        int in_order = 0, across = 0;
    };

    /// Of FFTs of n, the digits from s on. Unless these are all, outer steps are what they are at best.
    template <class Count>
    [[nodiscard]] constexpr std::int64_t all_turns(int s, bool all_digits, int n,
                                                   const Count& turns_of_step) const {
        std::int64_t all = 0;
        for (int i = s > 1 ? s : 1; i < digits_ - 1; ++i)
            if (radix_[i] > 1) all += std::int64_t{banks_} * radix_[i] * turns_of_step(i, false).in_order;
        if (!all_digits) return all + std::int64_t{2} * n;
        for (const int i : {0, digits_ - 1}) {
            const Turns turns = turns_of_step(i, i > 0);
            all += std::int64_t{radix_[i]} * (banks_ / 2 * turns.in_order + turns.across);
        }
        return all;
    }
    /// Lines of so many elements that a multiprocessor has at a time: in blocks of four lines of doubles or eight
    /// of floats, or of fewer where these take more than 90 KiB (fused_shape.hpp), which leave a part of its memory
    /// to the first-level cache. Registers allow five blocks, or two of such long lines.
    [[nodiscard]] constexpr int lines_together(int length) const {
        const int line = 128 / banks_ * ((length - 2 + banks_ - 1) / banks_ * banks_ + 2);
        int lines = banks_ / 2, most = 5;
        for (; lines > 2 && lines * line > 90 << 10; lines /= 2) most = 2;
        const int blocks = (196 << 10) / (lines * line + 1024);
        return lines * (blocks < 1 ? 1 : blocks > most ? most : blocks);
    }
    /// At the elements of digits from s on whose digit number `zero` is 0, in the order of positions or of modes.
    [[nodiscard]] constexpr Turns turns_of(const Strides& strides, int s, int zero, bool modes) const {
        int radix[max_digits] = {}, stride[max_digits] = {}, digit[max_digits] = {}, digits = 0, number = 1;
        for (int i = modes ? s : digits_ - 1; i >= s && i < digits_; i += modes ? 1 : -1) {
            if (i == zero || radix_[i] == 1) continue;
            radix[digits] = radix_[i], stride[digits++] = strides.of[i];
            number *= radix_[i];
        }
        Turns turns;
        int before = 0, most = 0, in_bank[16] = {};
        for (int j = 0, place = 0; j < number; ++j) {
            if (j % banks_ == 0) {
                turns.in_order += most, most = 0;
                for (int bank = 0; bank < banks_; ++bank) in_bank[bank] = 0;
            }
            const int threads = ++in_bank[place % banks_];
            if (threads > most) most = threads;
            if (j % 2 == 0)
                before = place, ++turns.across;
            else if ((place - before) % 2 == 0)
                ++turns.across;
            for (int i = 0; i < digits; ++i) {
                if (++digit[i] < radix[i]) {
                    place += stride[i];
                    break;
                }
                digit[i] = 0, place -= (radix[i] - 1) * stride[i];
            }
        }
        turns.in_order += most;
        return turns;
    }

    int radix_[max_digits] = {}, digits_, ffts_, banks_;
    Strides strides_;
};

}  // namespace poisson3d::lines
