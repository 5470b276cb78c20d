// Which radices the outer steps of FFTs have, and which of them are taken.
#pragma once

#include "line_fft.hpp"

namespace poisson3d::lines {

inline constexpr int outer_radices[] = {8, 7, 6, 5, 4, 3, 1};

/// What outer steps of radices `samples` and `modes`, with so many steps between, cost an FFT of `length`, where
/// `first`: there is one next to samples. Steps in shared memory cost most. A butterfly without a partner (their
/// number is odd) ends the runs of neighbours in the field where it is one of samples; large radices read more at
/// once.
constexpr std::int64_t outer_cost(std::int64_t length, int samples, std::int64_t between, int modes, bool first) {
    const int alone = (first && length / samples % 2 == 1 ? 101 : 0) + (length / modes % 2 == 1 ? 100 : 0);
    const int apart = samples < modes ? modes - samples : samples - modes;
    return 1000 * between + (length % 2 == 0 ? alone : 0) + 10 * (first ? apart : 0) + (16 - samples - modes);
}

/// What a symmetric step of radix r costs lines of half period N (symmetric.hpp), whose FFTs have so many steps
/// `between` it and the one of radix `modes`, `common`: of radices that all kernels have; negative: not to be
/// taken. It leaves as few elements and steps in shared memory as there can be. A step of 16 reads and writes
/// shorter runs of rows, which only a step less makes up for.
constexpr double symmetric_cost(int r, std::int64_t half, std::int64_t between, int modes, bool common) {
    if (r == 16 && (modes != 8 || !common)) return -1;
    const double sweeps = 2.0 + static_cast<double>(between) + (modes == 1 ? 1.0 : 0.0) + (r == 16 ? 0.8 : 0.0);
    return sweeps * static_cast<double>((r / 2 + 1) * (2 * half / r));
}

/// length = samples · first · second · modes. `steps`: between outer ones; −1: there are no such radices.
struct FewRadices {
    int samples = 1, inner[2] = {1, 1}, modes = 1;
    int steps = -1;
};

/// Whether a step of radix a comes before one of b, between outer ones: behind a step next to samples (`first`)
/// small radices do, but 2, since threads meet in fewer banks then (padded_strides.hpp): by count 5 % fewer turns
/// in double and 7 % in single precision, of 41 lengths up to 1024; else, where the order makes no difference by
/// count, powers of two come late.
constexpr bool comes_before(int a, int b, bool first) {
    if (first) return a == 2 ? false : b == 2 || a < b;
    const auto power = [](int r) { return (r & (r - 1)) == 0; };
    return power(a) == power(b) ? a > b : power(b);
}

/// With so many steps of radices that most kernels have, where that is possible with at most two.
constexpr FewRadices few_inner(int length, bool first) {
    const auto has = [](int r) { return has_inner_radix(Inner::seldom, r); };
    if (length == 1) return {1, {1, 1}, 1, 0};
    if (has(length)) return {1, {length, 1}, 1, 1};
    for (int large = 2; large <= 20; ++large) {  // the least that the larger one can be
        if (length % large != 0) continue;
        const int small = length / large;
        if (small > large || !has(large) || !has(small)) continue;
        if (comes_before(small, large, first)) return {1, {small, large}, 1, 2};
        return {1, {large, small}, 1, 2};
    }
    return {};
}

/// The radices that FFTs of a length have (fft_plan.hpp), where there are two outer steps and at most two between.
constexpr FewRadices few_radices(int length) {
    FewRadices best;
    std::int64_t best_cost = -1;
    for (const int s : outer_radices)
        for (const int m : outer_radices) {
            if (s == 1 || m == 1 || length % (s * m) != 0) continue;
            const FewRadices inner = few_inner(length / (s * m), true);
            if (inner.steps < 0) continue;
            const std::int64_t cost = outer_cost(length, s, inner.steps, m, true);
            if (best_cost >= 0 && cost >= best_cost) continue;
            best_cost = cost;
            best = {s, {inner.inner[0], inner.inner[1]}, m, inner.steps};
        }
    return best;
}

/// The same without an outer step next to samples.
constexpr FewRadices few_radices_behind(int length) {
    FewRadices best;
    std::int64_t best_cost = -1;
    for (const int m : outer_radices) {
        if (m == 1 || length % m != 0) continue;
        const FewRadices inner = few_inner(length / m, false);
        if (inner.steps < 0) continue;
        const std::int64_t cost = outer_cost(length, 1, inner.steps, m, false);
        if (best_cost >= 0 && cost >= best_cost) continue;
        best_cost = cost;
        best = {1, {inner.inner[0], inner.inner[1]}, m, inner.steps};
    }
    return best;
}

}  // namespace poisson3d::lines
