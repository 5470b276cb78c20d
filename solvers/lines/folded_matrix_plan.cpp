#include "folded_matrix_plan.hpp"

#include <algorithm>

#include "folded_matrix_steps.hpp"
#include "matrix_plan.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

namespace {

/// Both matrices are sums of at most 64 products (see real_matrix_plan.cpp).
constexpr Index most_rows = 127, most_columns = 63;

/// What distinguishes types I to IV.
struct Folding {
    bool odd;  ///< sines
    Index twice_alpha, twice_beta;
    Index half;  ///< N

    explicit Folding(const AxisKind& kind) {
        const Transform forward = kind.forward;
        const auto is = [&](Transform cosine, Transform sine) { return forward == cosine || forward == sine; };
        odd = forward == Transform::dst1 || forward == Transform::dst2 || forward == Transform::dst3 ||
              forward == Transform::dst4;
        twice_alpha = is(Transform::dct2, Transform::dst2) || is(Transform::dct4, Transform::dst4) ? 1 : 0;
        twice_beta = is(Transform::dct3, Transform::dst3) || is(Transform::dct4, Transform::dst4) ? 1 : 0;
        half = type_one(kind) ? half_period(kind) : kind.unknowns;
    }
    [[nodiscard]] Index columns(Index h) const { return twice_alpha == 0 ? h + 1 : h; }
    [[nodiscard]] Index harmonics(Index h) const { return twice_beta == 0 ? h + 1 : h; }
    [[nodiscard]] Index stride(Index h) const { return std::max(columns(h), harmonics(h)) | 1; }
};

FoldedMatrices line_of(const AxisKind& kind, int a, int h) {
    const Folding fold(kind);
    FoldedMatrices line;
    line.first = a;
    line.second = 2 * h;
    line.halves = (a + 1) / 2;
    line.columns = static_cast<int>(fold.columns(h));
    line.harmonics = static_cast<int>(fold.harmonics(h));
    line.stride = static_cast<int>(fold.stride(h));
    line.odd = fold.odd;
    line.twice_alpha = static_cast<int>(fold.twice_alpha);
    line.elements = WorkItems(static_cast<int>(kind.unknowns));
    line.seconds = WorkItems(line.second);
    if (fold.twice_alpha == 0) line.edge = 0, line.other_edge = h;
    if (fold.twice_beta == 0) line.self = 0, line.other_self = h;
    line.samples = {
        fold.odd && fold.twice_alpha == 0 ? 1 : 0, 0, 0, line.columns - 1, line.second - line.twice_alpha, a - 1};
    // Modes of sines that vanish, and zeros of the continued line at its ends.
    const bool first_is_none = fold.twice_beta == 0 && fold.odd;
    const bool last_is_none = fold.twice_beta == 0 && fold.odd != (fold.twice_alpha == 1);
    const int before = first_is_none ? 1 : 0, first_modes = line.harmonics - before - (last_is_none ? 1 : 0);
    line.modes = {before,
                  first_modes,
                  line.second - first_modes - before,
                  line.harmonics - 1,
                  line.second - static_cast<int>(fold.twice_beta),
                  a,
                  first_is_none ? 0 : -1,
                  last_is_none ? h : -1};
    if (fold.twice_alpha == 0) {
        if (fold.odd) line.samples.hole = 0;
        if (fold.odd == (fold.twice_beta == 0)) line.samples.other_hole = (a - 1) / 2 * line.stride + h;
    }
    // Threads read up to 64 behind their own and do not use them.
    line.twiddles = (line.columns * line.twiddle_stride() + 65) / 2 * 2;
    line.of_first = {a, most_real_tiles};
    line.of_second = {line.radix(), most_real_tiles};
    return line;
}

/// The mode of number i.
Index mode_of(const Folding& fold, const FoldedMatrices& line, Index i) {
    const int first_modes = line.modes.from, before = line.modes.before;
    const Index row = i < first_modes ? 0 : 1 + (i - first_modes) / line.second;
    const Index l = i < first_modes ? i + before : (i - first_modes) % line.second;
    const Index twice = 2 * row + line.first * (2 * l + fold.twice_beta);  // 2 (k + β)
    const Index folded = std::min(twice, 4 * fold.half - twice);
    return (folded - fold.twice_beta) / 2 - before;
}

}  // namespace

MatrixWork folded_matrix_work(const AxisKind& kind, const std::vector<int>& radices) {
    const FoldedMatrices line = line_of(kind, radices[0], radices[1]);
    return {line.elements.count,
            line.first * line.stride,
            {MatrixWork::Step{line.columns, line.halves, false},
             MatrixWork::Step{line.halves, std::max(line.columns, line.harmonics), false}},
            line.twiddles};
}

std::vector<int> folded_matrix_radices(const AxisKind& kind) {
    return fastest_radices(Folding(kind).half, most_rows, most_columns,
                           [&](const std::vector<int>& radices) { return folded_matrix_work(kind, radices); });
}

template <class T, class Format>
void make_folded_matrices(AxisTables<T, Format>& tables) {
    const AxisKind& kind = tables.kind;
    const Folding fold(kind);
    const std::vector<int> radices = folded_matrix_radices(kind);
    FftPlan<T, Format>& plan = tables.plan;
    plan.length = kind.unknowns;
    plan.radices.inner = radices;
    FoldedMatrices& line = tables.folded;
    line = line_of(kind, radices[0], radices[1]);
    const Index a = line.first, b = line.second;
    const int sign = fold.odd ? -1 : 1;  // tables are complex conjugates
    const auto next = [&] { return static_cast<int>(plan.matrices.size()); };

    const RootsOfUnity rows(a), columns(4 * b);
    const auto add = [&](const MatrixShape& shape, int half, const auto& number) {
        add_matrices(plan.matrices, shape, half, half, number);
    };
    using Number = Complex<long double>;
    // (−1)^{2βν} e^{2πiνκ/a}
    const auto of_rows = [&](Index nu, Index kappa) -> Number {
        const Number root = rows(nu * kappa);
        const long double alternating = fold.twice_beta * nu % 2 == 0 ? 1 : -1;
        return {alternating * root.re, -sign * alternating * root.im};
    };
    const auto half_of = [](bool is, Number z) { return is ? Number{z.re / 2, z.im / 2} : z; };
    add(line.of_first, line.halves, [&](Index nu, Index kappa) { return half_of(nu == 0, of_rows(nu, kappa)); });
    line.back = next();
    add(line.of_first, line.halves, [&](Index kappa, Index nu) { return half_of(kappa == 0, of_rows(nu, kappa)); });
    const int most = std::max(line.columns, line.harmonics);
    const auto of_columns = [&](Index j, Index l) -> Number {
        if (j >= line.columns || l >= line.harmonics) return {0, 0};
        const Number root = columns((2 * j + fold.twice_alpha) * (2 * l + fold.twice_beta));
        return fold.odd ? Number{-root.im, root.re} : Number{root.re, -root.im};
    };
    line.second_matrices = next();
    add(line.of_second, most,
        [&](Index j, Index l) { return half_of(j == line.edge || j == line.other_edge, of_columns(j, l)); });
    line.second_back = next();
    add(line.of_second, most,
        [&](Index l, Index j) { return half_of(l == line.self || l == line.other_self, of_columns(j, l)); });

    const RootsOfUnity roots(2 * a * b);
    const auto put = [&](Index column, Index half) {
        const Number root = roots((2 * column + fold.twice_alpha) * half);
        plan.twiddles.push_back({static_cast<T>(2 * root.re), static_cast<T>(2 * sign * root.im)});
    };
    for (Index column = 0; column < line.columns; ++column)
        for (Index half = 0; half < line.twiddle_stride(); ++half) put(column, half);
    plan.twiddles.resize(static_cast<std::size_t>(line.twiddles));

    plan.padded_length = line.first * line.stride;
    plan.pitch = pitch_between_banks<T>(plan.padded_length);
    tables.form = Kind::type1;
    tables.outer = Outer::matrix_steps;
    for (Index i = 0; i < kind.unknowns; ++i) tables.mode_of[static_cast<std::size_t>(i)] = mode_of(fold, line, i);
}

template void make_folded_matrices(AxisTables<float, Compact>&);
template void make_folded_matrices(AxisTables<double, Compact>&);
template void make_folded_matrices(AxisTables<float, Plain>&);
template void make_folded_matrices(AxisTables<double, Plain>&);

}  // namespace poisson3d::lines
