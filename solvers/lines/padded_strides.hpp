// Strides of the digits of positions in shared memory, padded so that threads next to each other meet in few banks.
//
// Position Σ d_s q_s of an FFT (line_fft.hpp) lies at Σ d_s Q_s. Memory has as many banks as fill 128 bytes with
// elements, and so many threads access it in one turn unless two of them want the same bank. They hold
//
//     butterflies j of a step of radix r_s, in order: positions j mod q_s + ⌊j/q_s⌋ r_s q_s;
//     butterflies of the step next to modes, in order: digits d_0, d_1, … counted from the front;
//     of outer steps in passes over columns neighbouring pairs of these butterflies in several lines, which fill the
//     even banks: the two places of a pair should be an odd number apart.
//
// Strides are chosen from the last digit up, each with as much padding above r_{s+1} Q_{s+1} as makes turns fewest
// for each of the blocks that then share a multiprocessor.
#pragma once

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
        for (int s = digits - 1; s >= 0; --s) {
            stride_[s] = length_;
            if (radix_[s] > 1 && length_ > 1) choose(s);
            length_ = radix_[s] * stride_[s];
        }
    }
    [[nodiscard]] constexpr int operator[](int s) const { return stride_[s]; }
    [[nodiscard]] constexpr int padded_length() const { return length_; }

private:
    constexpr void choose(int s) {
        int above = 1;
        for (int i = 0; i < s; ++i) above *= radix_[i];
        int best = length_, best_blocks = 1;
        std::int64_t least = -1;
        for (int padding = 0; padding < banks_; ++padding) {
            stride_[s] = length_ + padding;
            const int blocks = blocks_of(ffts_ * above * radix_[s] * stride_[s]);
            const std::int64_t taken = turns(s, above == 1);
            if (least < 0 || taken * best_blocks < least * blocks)
                least = taken, best_blocks = blocks, best = stride_[s];
        }
        stride_[s] = best;
    }
    /// Blocks that share a multiprocessor and leave a part of its memory to the first-level cache: of four lines of
    /// so many doubles, or eight of floats. Registers allow five.
    [[nodiscard]] constexpr int blocks_of(int length) const {
        const int pitch = (length - 2 + banks_ - 1) / banks_ * banks_ + 2;
        const int blocks = (196 << 10) / (64 * pitch + 1024);
        return blocks < 1 ? 1 : blocks > 5 ? 5 : blocks;
    }

    /// Taken by all butterflies of FFTs of the digits from s on, times half of the banks. Unless these are all,
    /// outer steps are what they are at best.
    [[nodiscard]] constexpr std::int64_t turns(int s, bool all_digits) const {
        int n = 1;
        for (int i = s; i < digits_; ++i) n *= radix_[i];
        std::int64_t all = 0;
        for (int i = all_digits ? 0 : s, q = n; i < digits_ - 1; ++i) {
            const int r = radix_[i];
            if (i > 0 && r == 1) continue;
            q /= r;
            const auto place = [&](int j) { return offset(j / q * q * r + j % q); };
            if (i > 0)
                all += std::int64_t{banks_} * r * turns_in_order(n / r, place);
            else
                all += outer_turns(r, n / r, place);
        }
        if (!all_digits) return all + std::int64_t{2} * n;
        const int r = radix_[digits_ - 1];
        return all + outer_turns(r, n / r, [&](int c) { return mode_offset(s, c); });
    }
    template <class Place>
    [[nodiscard]] constexpr std::int64_t outer_turns(int r, int butterflies, const Place& place) const {
        int apart = 0;
        for (int j = 0; j < butterflies; j += 2)
            apart += j + 1 < butterflies && (place(j) - place(j + 1)) % 2 == 0 ? 2 : 1;
        return std::int64_t{r} * (banks_ / 2 * turns_in_order(butterflies, place) + apart);
    }
    template <class Place>
    [[nodiscard]] constexpr int turns_in_order(int butterflies, const Place& place) const {
        int all = 0;
        for (int first = 0; first < butterflies; first += banks_) {
            int in_bank[16] = {}, most = 0;
            for (int j = first; j < butterflies && j < first + banks_; ++j) {
                const int number = ++in_bank[place(j) % banks_];
                if (number > most) most = number;
            }
            all += most;
        }
        return all;
    }
    [[nodiscard]] constexpr int offset(int position) const {
        int at = 0;
        for (int s = digits_ - 1; position > 0; --s) {
            at += position % radix_[s] * stride_[s];
            position /= radix_[s];
        }
        return at;
    }
    [[nodiscard]] constexpr int mode_offset(int s, int c) const {
        int at = 0;
        for (; c > 0; ++s) {
            at += c % radix_[s] * stride_[s];
            c /= radix_[s];
        }
        return at;
    }

    int radix_[max_digits] = {}, stride_[max_digits] = {};
    int digits_, ffts_, banks_, length_ = 1;
};

}  // namespace poisson3d::lines
