// The lines of every kind of axis, there and back as the host engine transforms them, against the defining sums in
// long double.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "kernels.hpp"
#include "passes.hpp"
#include "planned_axis.hpp"
#include "poisson3d/memory.hpp"
#include "problems.hpp"
#include "tolerance.hpp"

namespace poisson3d {
namespace {

using namespace test;

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

/// The lines of an axis: contiguous, samples by number, modes by slot.
template <class T>
class Lines {
public:
    explicit Lines(const Axis& axis)
        : axis_(axis, Discretization::spectral, team_),
          scratch_(host::line_scratch<T>(std::span(&axis, 1))),
          memory_(scratch_.bytes()) {}

    [[nodiscard]] const AxisKind& kind() const { return axis_.kind(); }
    [[nodiscard]] Index mode(Index slot) const { return axis_.mode_of()[slot]; }
    [[nodiscard]] double gain() const { return axis_.gain(); }

    std::vector<T> run(Direction direction, Index lines, const std::vector<T>& in) {
        std::vector<T> out(in.size(), T(-77));
        host::PassTask<T> task;
        task.direction = direction;
        task.line = &axis_.line();
        task.in = in.data(), task.out = out.data();
        task.slow = 1, task.lines = lines;
        task.in_line = task.out_line = kind().unknowns;
        T* const rows = static_cast<T*>(memory_.data());
        T* const work = reinterpret_cast<T*>(static_cast<std::byte*>(memory_.data()) + scratch_.rows);
        for (Index line = 0; line < lines; line += host::kernels<T>().lines)
            host::kernels<T>().block(task, 0, line, rows, work);
        return out;
    }

private:
    ThreadTeam team_{1};
    host::PlannedAxis<T> axis_;
    host::LineScratch scratch_;
    HostBuffer memory_;
};

/// `from` and `to`: the number of what stands at a place before and after; results are `gain` times too large.
template <class T, class From, class To>
void compare(Transform transform, Index n, const std::vector<T>& in, const std::vector<T>& out, double gain,
             const From& from, const To& to) {
    const Index lines = static_cast<Index>(in.size()) / n;
    long double error = 0;
    long double norm = 0;
    for (Index k = 0; k < n; ++k) {
        std::vector<long double> sums(lines);
        for (Index j = 0; j < n; ++j) {
            const long double c = coefficient(transform, n, from(j), to(k));
            for (Index l = 0; l < lines; ++l) sums[l] += c * in[l * n + j];
        }
        for (Index l = 0; l < lines; ++l) {
            const long double difference = out[l * n + k] / static_cast<long double>(gain) - sums[l];
            error += difference * difference;
            norm += sums[l] * sums[l];
        }
    }
    const auto relative = static_cast<double>(std::sqrt(error / norm));
    EXPECT_LE(relative, tolerance::transform<T>(n))
        << name(transform) << " of " << n << ": " << relative / tolerance::eps<T> << " eps";
}

template <class T>
void compare_with_sums(int kind, Index points) {
    Lines<T> axis(make_axis(kind, points, 0.5));
    const Index n = axis.kind().unknowns;
    const Index lines = host::kernels<T>().lines + 3;  // a full block and a ragged one
    std::vector<T> in(n * lines);
    for (Index i = 0; i < n * lines; ++i) in[i] = static_cast<T>(uniform(i));
    const auto sample = [](Index j) { return j; };
    const auto mode = [&](Index slot) { return axis.mode(slot); };
    compare(axis.kind().forward, n, in, axis.run(Direction::forward, lines, in), axis.gain(), sample, mode);
    compare(axis.kind().backward, n, in, axis.run(Direction::backward, lines, in), 1.0, mode, sample);
}

class LineTransform : public testing::TestWithParam<int> {};

TEST_P(LineTransform, MatchesTheDefiningSumAtEverySmallLength) {
    for (Index n = smallest_points({GetParam(), 0, 0})[0]; n <= 42; ++n) {
        compare_with_sums<double>(GetParam(), n);
        compare_with_sums<float>(GetParam(), n);
    }
}

TEST_P(LineTransform, MatchesTheDefiningSumAtLargerLengths) {
    for (const Index n : {64, 65, 97, 127, 128, 129, 243, 256, 257, 500, 509, 1021}) {
        compare_with_sums<double>(GetParam(), n);
        compare_with_sums<float>(GetParam(), n);
    }
}

INSTANTIATE_TEST_SUITE_P(All, LineTransform, testing::Range(0, 10),
                         [](const auto& kind) { return std::string(kinds[kind.param].name); });

}  // namespace
}  // namespace poisson3d
