// The elements of the lines of a block by matrices, shared out to its threads.
#pragma once

#include "pass.hpp"

namespace poisson3d::device {

template <class Line, class T, class F>
class BlockElements {
public:
    POISSON3D_HD BlockElements(const PassTask<T, F>& task, const BlockPosition<T>& block, const Line& line)
        : task_(task),
          lines_(block.lines),
          line_(line),
          there_(task.lines - block.line < 2 * task.count ? static_cast<unsigned>(task.lines - block.line)
                                                          : 2 * static_cast<unsigned>(task.count)) {}

    /// Complex lines of the block that there are, and those that have both of their real lines.
    [[nodiscard]] POISSON3D_HD int lines() const { return static_cast<int>((there_ + 1) / 2); }
    [[nodiscard]] POISSON3D_HD int pairs() const { return static_cast<int>(there_ / 2); }

    /// body(index in the field, place in shared memory, line), every thread with one index after the other of all
    /// lines, rows of the field …
    template <bool samples, class Body>
    POISSON3D_HD void along_rows(const Body& body) const {
        const int there = lines();
        const ThreadShare share(line_.elements);
        if (share.idle()) return;
        POISSON3D_ROLLED
        for (int index = share.first; index < line_.elements.count; index += share.along) {
            Complex<T>* const at =
                kept_in_shared(lines_ + (samples ? line_.place_of_sample(index) : line_.place_of_mode(index)));
            by_fours(share.line, share.across, there,
                     [&](int line) { body(index, at + line * task_.pitch, line); });
        }
    }
    /// … or with one line, columns of it.
    template <bool samples, class Body>
    POISSON3D_HD void across_columns(const Body& body) const {
        const int thread = BlockThreads::index(), lines = 1 << task_.shift, there = this->lines();
        const int along = BlockThreads::count() < lines ? 1 : BlockThreads::count() >> task_.shift;
        POISSON3D_ROLLED
        for (int line = thread & (lines - 1); line < there; line += BlockThreads::count() < lines ? 1 : lines) {
            Complex<T>* const at = kept_in_shared(lines_ + line * task_.pitch);
            by_fours(thread >> task_.shift, along, line_.elements.count, [&](int n) {
                body(samples ? line_.visited_sample(n) : n,
                     at + (samples ? line_.visited_place(n) : line_.place_of_mode(n)), line);
            });
        }
    }

private:
    /// body(first), body(first + step) … below `end`, four at a time, so that none waits for the one before.
    template <class Body>
    static POISSON3D_HD void by_fours(int first, int step, int end, const Body& body) {
        POISSON3D_ROLLED
        for (; first + 3 * step < end; first += 4 * step) POISSON3D_UNROLL
        for (int i = 0; i < 4; ++i) body(first + i * step);
        POISSON3D_ROLLED
        for (; first < end; first += step) body(first);
    }

    const PassTask<T, F>& task_;
    Complex<T>* lines_;
    const Line& line_;
    const unsigned there_;  ///< real lines
};

}  // namespace poisson3d::device
