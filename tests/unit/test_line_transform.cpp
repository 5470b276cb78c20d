// Every line transform, by the steps of its line plan, against its defining sum in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#define POISSON3D_ISA isa_test
#include "line_steps.hpp"
#include "planned_line.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

using isa_test::block_lines;
using isa_test::Element;

constexpr Transform all_transforms[] = {Transform::dft,  Transform::inverse_dft, Transform::dct1, Transform::dct2,
                                        Transform::dct3, Transform::dct4,        Transform::dst1, Transform::dst2,
                                        Transform::dst3, Transform::dst4};

/// cos or sin of π a/b with the argument reduced exactly.
long double cos_pi(Index a, Index b) {
    return std::cos(std::numbers::pi_v<long double> * static_cast<long double>(a % (2 * b)) / b);
}
long double sin_pi(Index a, Index b) {
    return std::sin(std::numbers::pi_v<long double> * static_cast<long double>(a % (2 * b)) / b);
}

/// The coefficient of sample j in mode k: FFTW's definitions, section "1d Real-even DFTs" and on of its manual.
long double coefficient(Transform transform, Index n, Index j, Index k) {
    switch (transform) {
        case Transform::dft: return 2 * k <= n ? cos_pi(2 * j * k, n) : -sin_pi(2 * j * (n - k), n);
        case Transform::inverse_dft: {
            if (j == 0) return 1;
            if (2 * j == n) return k % 2 == 0 ? 1 : -1;
            return 2 * j < n ? 2 * cos_pi(2 * j * k, n) : -2 * sin_pi(2 * (n - j) * k, n);
        }
        case Transform::dct1: return (j == 0 || j == n - 1 ? 1 : 2) * cos_pi(j * k, n - 1);
        case Transform::dct2: return 2 * cos_pi((2 * j + 1) * k, 2 * n);
        case Transform::dct3: return (j == 0 ? 1 : 2) * cos_pi(j * (2 * k + 1), 2 * n);
        case Transform::dct4: return 2 * cos_pi((2 * j + 1) * (2 * k + 1), 4 * n);
        case Transform::dst1: return 2 * sin_pi((j + 1) * (k + 1), n + 1);
        case Transform::dst2: return 2 * sin_pi((2 * j + 1) * (k + 1), 2 * n);
        case Transform::dst3: return (j == n - 1 ? 1 : 2) * sin_pi((j + 1) * (2 * k + 1), 2 * n);
        case Transform::dst4: return 2 * sin_pi((2 * j + 1) * (2 * k + 1), 4 * n);
    }
    return 0;
}

/// Runs `lines` contiguous lines through the steps, one block after the other.
template <class T>
std::vector<T> run_lines(Transform transform, Index n, Index lines, const std::vector<T>& in) {
    const host::PlannedLine<T> planned(transform, n, block_lines<T>, PlanEffort::estimate);
    const host::LineView<T>& plan = *planned.view();
    const HostBuffer memory(static_cast<std::size_t>(line_plan_rows(transform, n)) * sizeof(Element<T>));
    const HostBuffer sides(static_cast<std::size_t>(n) * sizeof(Element<T>));
    auto* const rows = static_cast<Element<T>*>(memory.data());
    auto* const outside = static_cast<Element<T>*>(sides.data());
    std::vector<T> out(in.size(), T(-77));
    for (Index line = 0; line < lines; line += block_lines<T>) {
        const int here = isa_test::lines_here<T>(lines, line);
        isa_test::gather(in.data() + line * n, n, Index{1}, here, n, outside,
                         [](isa_test::Pack<T> pack, int) { return pack; });
        for (Index j = 0; j < n; ++j) rows[plan.load[j].row] = plan.load[j].sign * outside[j];
        isa_test::transform(plan, rows);
        for (Index k = 0; k < n; ++k) outside[k] = plan.store[k].sign * rows[plan.store[k].row];
        isa_test::scatter(outside, out.data() + line * n, n, Index{1}, here, n,
                          [](isa_test::Pack<T> pack) { return pack; });
    }
    return out;
}

template <class T>
void compare_with_sums(Transform transform, Index n) {
    const Index lines = block_lines<T> + 3;  // a full block and a ragged one
    std::vector<T> in(n * lines);
    for (Index i = 0; i < n * lines; ++i) in[i] = static_cast<T>(test::uniform(i));
    const std::vector<T> out = run_lines(transform, n, lines, in);
    long double error = 0;
    long double norm = 0;
    for (Index k = 0; k < n; ++k) {
        std::vector<long double> sums(lines);
        for (Index j = 0; j < n; ++j) {
            const long double c = coefficient(transform, n, j, k);
            for (Index l = 0; l < lines; ++l) sums[l] += c * in[l * n + j];
        }
        for (Index l = 0; l < lines; ++l) {
            const long double difference = out[l * n + k] - sums[l];
            error += difference * difference;
            norm += sums[l] * sums[l];
        }
    }
    const auto relative = static_cast<double>(std::sqrt(error / norm));
    EXPECT_LE(relative, tolerance::transform<T>(n))
        << name(transform) << " of " << n << ": " << relative / tolerance::eps<T> << " eps";
}

class LineTransform : public testing::TestWithParam<Transform> {};

TEST_P(LineTransform, MatchesTheDefiningSumAtEverySmallLength) {
    for (Index n = GetParam() == Transform::dct1 ? 2 : 1; n <= 40; ++n) {
        compare_with_sums<double>(GetParam(), n);
        compare_with_sums<float>(GetParam(), n);
    }
}

TEST_P(LineTransform, MatchesTheDefiningSumAtLargerLengths) {
    for (const Index n : {63, 64, 65, 97, 127, 128, 129, 243, 255, 256, 257, 500, 509, 511, 512, 513, 1021, 1024}) {
        compare_with_sums<double>(GetParam(), n);
        compare_with_sums<float>(GetParam(), n);
    }
}

INSTANTIATE_TEST_SUITE_P(All, LineTransform, testing::ValuesIn(all_transforms), [](const auto& parameter) {
    std::string text = name(parameter.param);
    std::erase_if(text, [](char c) { return c == '-' || c == ' '; });
    return text;
});

}  // namespace
}  // namespace poisson3d
