#include "matrix_plan.hpp"

#include <cmath>

#include "matrix_step.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

namespace {

/// From element to element of the first step, so that neighbours use different banks.
Index first_stride(const std::vector<int>& radices) {
    return radices.size() == 2 ? radices[1] | 1 : 1;
}

}  // namespace

void add_matrices(std::vector<Complex<double>>& table, int q, int most, int sign) {
    const MatrixShape shape(q, most);
    const RootsOfUnity roots(q);
    const std::size_t first = table.size();
    table.resize(first + static_cast<std::size_t>(shape.size()), Complex<double>{0, 0});
    for (int j = 0; j <= q / 2; ++j)
        for (int k = 0; k <= q / 2; ++k) {
            const Complex<double> root = roots.rounded<double>(Index{j} * k);
            const bool alone = j == 0 || 2 * j == q;
            table[first + static_cast<std::size_t>(matrix_entry(shape, j, k))] = {alone ? root.re / 2 : root.re,
                                                                                  alone ? 0.0 : -sign * root.im};
        }
}

double matrix_cycles(const std::vector<int>& radices) {
    double cycles = 0;
    for (const int q : radices) {
        const MatrixShape shape(q);
        // Of 8 butterflies: instructions of tensor cores, 4 cycles each; factors and tables from shared memory and
        // first-level cache by 128 bytes; results and twiddles of four k by as many; and where all of it begins.
        const double instructions = 2.0 * shape.depth * shape.tiles * shape.warps;
        const double factors = 8.0 * shape.depth * shape.warps;
        const double tables = 2.0 * instructions / matrix_groups(shape.tiles);
        const double results = 14.0 * shape.depth;
        cycles += (4 * instructions + factors + tables + results + 16.0 * shape.warps) / (8.0 * q);
    }
    return cycles;
}

std::vector<int> matrix_radices(Index length) {
    std::vector<int> best;
    double least = 0;
    const auto consider = [&](std::vector<int> radices) {
        const double cycles = matrix_cycles(radices);
        if (best.empty() || cycles < least) best = std::move(radices), least = cycles;
    };
    if (length >= 2 && length <= largest_matrix_radix) consider({static_cast<int>(length)});
    for (Index q = 2; q <= largest_matrix_radix; ++q)
        if (length % q == 0 && length / q >= 2 && length / q <= largest_matrix_radix)
            consider({static_cast<int>(q), static_cast<int>(length / q)});
    return best;
}

Index matrix_padded_length(const std::vector<int>& radices) {
    return radices.front() * first_stride(radices);
}

template <class T, class Format>
FftPlan<T, Format> make_matrix_plan(Index length, int count) {
    const std::vector<int> radices = matrix_radices(length);
    const bool two = radices.size() == 2;
    const Index first = radices.front(), second = two ? radices.back() : 1;
    const Index stride = first_stride(radices);
    FftPlan<T, Format> plan;
    plan.length = length;
    plan.count = count;
    plan.radices.inner = radices;
    plan.padded_length = static_cast<int>(matrix_padded_length(radices));
    for (Index position = 0; position < length; ++position) {
        plan.natural.push_back(static_cast<int>(position / second * stride + position % second));
        plan.reversed.push_back(static_cast<int>(position % first * stride + position / first));
    }
    const RootsOfUnity roots(length);
    // Threads read so many beside those that there are (matrix_step.hpp).
    constexpr std::size_t beside = 64;
    if (two) plan.twiddles.resize(beside);
    for (int s = 0; s < static_cast<int>(radices.size()); ++s) {
        RadixStep& step = plan.fft.step[plan.fft.steps++];
        const int q = radices[static_cast<std::size_t>(s)];
        const Index butterflies = length / q;  // of an FFT
        step.radix = q;
        step.butterflies = WorkItems(static_cast<int>(count * butterflies));
        step.stride = static_cast<int>(s == 0 ? stride : 1);
        step.first = static_cast<int>(plan.words.size());
        for (int f = 0; f < count; ++f)
            for (Index j = 0; j < butterflies; ++j)
                plan.words.push_back(word_of<Format>(f * plan.padded_length + (s == 0 ? j : j * stride), j));
        step.twiddles = static_cast<int>(plan.twiddles.size());
        for (Index j = 0; two && j < butterflies; ++j)
            for (Index k = 0; k < q; ++k) plan.twiddles.push_back(roots.rounded<T>(j * k));
        step.filter = static_cast<int>(plan.matrices.size());
        add_matrices(plan.matrices, q, 4, 1);
    }
    if (two) plan.twiddles.resize(plan.twiddles.size() + beside);
    constexpr int banks = 128 / static_cast<int>(2 * sizeof(T));
    plan.pitch = (count * plan.padded_length - 2 + banks - 1) / banks * banks + 2;
    return plan;
}

template FftPlan<float, Compact> make_matrix_plan(Index, int);
template FftPlan<double, Compact> make_matrix_plan(Index, int);
template FftPlan<float, Plain> make_matrix_plan(Index, int);
template FftPlan<double, Plain> make_matrix_plan(Index, int);

}  // namespace poisson3d::lines
