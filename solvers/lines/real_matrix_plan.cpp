#include "real_matrix_plan.hpp"

#include <algorithm>
#include <cmath>

#include "matrix_plan.hpp"
#include "real_matrix_steps.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

namespace {

/// Sums of more than 64 products lose more than the laws of accuracy allow (298 cells, by radix 149, 1.3 % more).
constexpr Index largest_radix = 127;

bool type_two(const AxisKind& kind) {
    return kind.forward == Transform::dct2 || kind.forward == Transform::dst2;
}
bool type_four(const AxisKind& kind) {
    return kind.forward == Transform::dct4 || kind.forward == Transform::dst4;
}
bool is_sine(const AxisKind& kind) {
    return kind.forward == Transform::dst2 || kind.forward == Transform::dst4;
}

ElementOrder order_of(const AxisKind& kind) {
    const auto n = static_cast<int>(kind.unknowns);
    ElementOrder order;
    order.length = n;
    order.shift = kind.forward == Transform::dft ? 0 : type_two(kind) ? 1 : 2;
    order.alternate = kind.forward == Transform::dst2;
    if (type_four(kind)) {
        // Places from N to 3N, where the line is continued with the other sign.
        const auto first_from = [&](int place) { return (place - order.start + 3) / 4; };
        order.start = (n - 1) / 2;
        order.reversed = is_sine(kind);
        order.negative = first_from(n);
        order.negatives = first_from(3 * n) - order.negative;
    }
    return order;
}

/// c_k = part(k₁) · rest(k₁ mod 2, k₂), in turns of e^{−2πi/per}.
class Turns {
public:
    Turns(const AxisKind& kind, Index a, Index b)
        : kind_(kind),
          a_(a),
          n_(a * b),
          per_(kind.forward == Transform::dft ? 1
               : type_two(kind)               ? 4 * n_
                                              : 8) {}

    [[nodiscard]] Index per() const { return per_; }
    [[nodiscard]] Index part(Index row) const {
        if (kind_.forward == Transform::dft) return 0;
        return type_two(kind_) ? row : odd_turns(row);
    }
    [[nodiscard]] Index rest(Index row, Index column) const {
        if (kind_.forward == Transform::dft) return 0;
        if (type_two(kind_)) return a_ * column;
        // e^{−iπu/4}, or −i e^{iπu/4}, with u = k, or k + N where k = row + a · column is even.
        const Index u = a_ * column + ((row + column) % 2 == 0 ? n_ : 0);
        return odd_turns(u) + (is_sine(kind_) ? 2 : 0);
    }

private:
    [[nodiscard]] Index odd_turns(Index u) const { return (is_sine(kind_) ? 8 - u % 8 : u % 8) % 8; }
    AxisKind kind_;
    Index a_, n_, per_;
};

/// The mode that slot row · b + column holds.
Index mode_of_slot(const AxisKind& kind, Index a, Index b, Index slot) {
    const Index n = a * b, row = slot / b, column = slot % b;
    Index k = row + a * column;
    if (2 * row > a) k = n - (a - row) - a * column;  // N minus that of its partner
    if (kind.forward == Transform::dft) return k;
    if (type_two(kind)) return is_sine(kind) ? n - 1 - k : k;
    return (k % 2 == 0 ? k + n - 1 : k - 1) / 2;
}

constexpr int even(int number) {
    return (number + 1) / 2 * 2;
}

/// Threads read up to so many twiddles beside theirs and do not use them.
constexpr int beside = 64;

/// Cosines and sines of a DFT of q; half of the cosine where an element is its own partner.
void add_dft(std::vector<Complex<double>>& table, int q, const MatrixShape& shape, int sign) {
    const RootsOfUnity roots(q);
    const int half = q / 2 + 1;
    add_matrices(table, shape, half, half, [&](Index j, Index k) {
        const Complex<double> root = roots.rounded<double>(j * k);
        const bool alone = j == 0 || 2 * j == q;
        return Complex<double>{alone ? root.re / 2 : root.re, alone ? 0.0 : -sign * root.im};
    });
}

}  // namespace

bool ends_as_real_dft(const AxisKind& kind) {
    return kind.forward == Transform::dft || type_two(kind) || (type_four(kind) && kind.unknowns % 2 == 1);
}

MatrixWork real_matrix_work(const std::vector<int>& radices) {
    const int a = radices[0], b = radices[1];
    return {a * b,
            a * (b | 1),
            {MatrixWork::Step{b, a / 2 + 1, false}, MatrixWork::Step{(a + 1) / 2, b / 2 + 1, true}},
            even(std::max(beside, b * ((a + 1) / 2 | 1)) + 2 * b + beside)};
}

std::vector<int> real_matrix_radices(Index length) {
    return fastest_radices(length, largest_radix, largest_radix, real_matrix_work);
}

template <class T, class Format>
void make_real_matrices(AxisTables<T, Format>& tables) {
    const AxisKind& kind = tables.kind;
    const Index n = kind.unknowns;
    const std::vector<int> radices = real_matrix_radices(n);
    const Index a = radices[0], b = radices[1];
    FftPlan<T, Format>& plan = tables.plan;
    plan.length = n;
    plan.radices.inner = radices;
    RealMatrices& line = tables.real;
    line.first = radices[0];
    line.second = radices[1];
    line.halves = (line.first + 1) / 2;
    line.stride = line.second | 1;
    line.of_first = {line.first, most_real_tiles};
    line.of_second = {line.second, most_complex_tiles};
    line.elements = WorkItems(static_cast<int>(n));
    line.seconds = WorkItems(line.second);
    line.samples = order_of(kind);
    // Complex conjugates of all tables make C_{N−k} = −2 Im out of 2 Im.
    const int sign = type_two(kind) || (type_four(kind) && n % 4 == 1) ? -1 : 1;
    add_dft(plan.matrices, line.first, line.of_first, sign);
    line.second_matrices = static_cast<int>(plan.matrices.size());
    add_dft(plan.matrices, line.second, line.of_second, sign);

    const Turns turns(kind, a, b);
    const RootsOfUnity roots(n * turns.per());
    const auto put = [&](Index part, long double scale) {
        const Complex<long double> root = roots(part);
        plan.twiddles.push_back({static_cast<T>(scale * root.re), static_cast<T>(sign * scale * root.im)});
    };
    line.by_second = std::max(0, beside - line.second * line.twiddle_stride());
    plan.twiddles.resize(static_cast<std::size_t>(line.by_second));
    for (Index second = 0; second < b; ++second)
        for (Index half = 0; half < line.twiddle_stride(); ++half)
            put(turns.per() * (half * second) + n * turns.part(half), 2);
    line.turns = static_cast<int>(plan.twiddles.size());
    for (const Index half : {0, 1})
        for (Index second = 0; second < b; ++second) put(n * turns.rest(half, second), 1);
    line.twiddles = real_matrix_work(radices).twiddles;
    plan.twiddles.resize(static_cast<std::size_t>(line.twiddles));
    // Im c over Re c is 0 or ±1 where a mode is its own partner.
    const auto quarter = [&](Index column) {
        const Complex<long double> root = roots(n * turns.rest(0, column));
        return sign * (std::abs(root.im) < 0.5L ? 0 : (root.im > 0) == (root.re > 0) ? 1 : -1);
    };
    line.at_zero = quarter(0);
    line.at_half = b % 2 == 0 ? quarter(b / 2) : 0;

    plan.padded_length = static_cast<int>(a) * line.stride;
    plan.pitch = pitch_between_banks<T>(plan.padded_length);
    tables.form = Kind::type2;
    tables.outer = Outer::matrix_steps;
    tables.gain = kind.forward == Transform::dft ? T(2) : T(1);
    for (Index slot = 0; slot < n; ++slot)
        tables.mode_of[static_cast<std::size_t>(slot)] = mode_of_slot(kind, a, b, slot);
}

template void make_real_matrices(AxisTables<float, Compact>&);
template void make_real_matrices(AxisTables<double, Compact>&);
template void make_real_matrices(AxisTables<float, Plain>&);
template void make_real_matrices(AxisTables<double, Plain>&);

}  // namespace poisson3d::lines
