// The arithmetic of mixed precision at one point, and what its sweeps are told: host and device code share this
// file.
//
// One solve with n refinements, bytes per point of the field (read + written; neighbours come from caches):
//
//     measure      max|f̃| and the mean of f̃                        8
//     residual     single := s (f̃ − mean)                          8 + 4
//     solve        in single, in place                              S
//     centre       the mean of single, where it is known to be 0   (4)
//     correct      u := start + single/s                            4 + 8
//     n times:
//     residual     single := s (f̃ − mean − L u)                   16 + 4
//     solve        in single, in place                              S
//     centre                                                       (4)
//     correct      u := u + single/s                               12 + 8
//
// That is 32 + 40 n bytes, 2 + 2½ n copies of the field in double, beside n + 1 solves in single. Correcting cannot
// be fused with the next residual without a second field: it would overwrite neighbours that are still needed.
//
// The factor s is a power of two, the same for all steps of a solve: it takes max|f̃| to about the square root of
// A = Σ 4/h² + |λ|, so that residuals and corrections, which are between 1/A and 1/|least eigenvalue| times as
// large, lie around 1 in the range of float, whatever the units of f and of length are. Later residuals are smaller
// by up to 2⁻⁵³ and leave 2⁻⁷⁰ of that range below them.
//
// Without Dirichlet faces the constant is a mode of its own, and it never goes through single precision: the mean
// of u is known from that of f̃, so every correction has mean zero, and is made to. Else rounding in float would
// leave 2⁻²⁴ of it beside the gauge of a singular problem, and any multiple of it beside a small λ.
#pragma once

#include <cmath>

#include "boundary_terms.hpp"
#include "neighbours.hpp"

namespace poisson3d {

struct Problem;
struct UnevenStepArrays;

/// Plain data. All fields have the extents of the grid; strides of f and u as FieldView, `single` is dense.
struct Refinement {
    SevenPoint op;
    BoundaryTerms<double> terms;
    Extents points{};
    const double* f = nullptr;
    double* u = nullptr;
    float* single = nullptr;
    Index f_x = 0, f_y = 0, u_x = 0, u_y = 0;
    double scale = 1.0;
    /// Of the first and the last unknown of an axis in the mean; 1 between. UnevenSteps has its own.
    double weight[3][2] = {};
    double total = 1.0;     ///< sum of all weights
    int exponent = 0;       ///< max|f̃| becomes 2^exponent or up to twice that
    int shrunk = 0;         ///< f̃ is measured times 2^−shrunk
    bool closed = false;    ///< no Dirichlet face: the constant is a mode, with eigenvalue −λ
    bool singular = false;  ///< closed and λ = 0: the mean of f̃ is removed
    bool centred = false;   ///< corrections have mean zero: closed, unless a gauge point says otherwise
};

/// All that does not change from solve to solve. Valid as long as `steps`, which are those of problem.grid.
Refinement make_refinement(const Problem& problem, const UnevenStepArrays& steps);

/// What the transforms solve. A λ that is below the rounding of float for all modes but the constant, which does
/// not go through them, is left out; so is the gauge, then.
Problem problem_in_single(const Problem& problem);

inline constexpr int max_refinements = 8;
/// How many refinements a problem needs, by a model of what a step leaves; more than `max_refinements`: too many.
///
/// A solve in float leaves q = 2⁻²² or less of every mode, and rounds by as much of the largest ones: noise, 1/√N
/// of which is in each mode. The residual multiplies noise by A, the next solve divides it by an eigenvalue, Λ the
/// least in the worst case. Where λ < 0, eigenvalues are differences, and float has g = (Σ|Λ_axis| + |λ|) / |Λ|
/// fewer digits of the least. So a refinement takes
///
///     noise    to    q (noise + least)
///     least    to    ρ noise + g q least         ρ = 4 · 2⁻²⁴ A / (|Λ| √N)
///
/// Both begin with a q, and should end below the error of a solve in double, which the least has g times, too. The
/// 4 is from needles of 4 x 4 x n points (docs/accuracy.md), for which FFTs on a device round more: 32 there. For
/// anything like a cube ρ is below q.
int refinements_needed(const Problem& problem, bool on_device);

/// Of some rows.
struct Partial {
    double largest = 0.0;  ///< |f̃|
    double sum = 0.0;      ///< weighted, of f̃ or of a correction
};

/// What sweeps find out for those after them; stays where the fields are.
struct Scalars {
    double mean = 0.0;     ///< of f̃; 0 unless closed
    double start = 0.0;    ///< the constant that u begins with: −mean/λ if closed and not singular
    double factor = 1.0;   ///< s
    double inverse = 1.0;  ///< 1/s, exactly
    double excess = 0.0;   ///< the mean that `single` has and must lose
};

/// Sums over the field are sums over parts, which are whole rows and depend on the field only: the same bits from
/// any number of threads.
inline constexpr Index max_parts = 1024;

struct Rows {
    Index first, end;  ///< i · points[1] + j
};
POISSON3D_HD Index parts(const Extents& points) {
    const Index rows = points[0] * points[1];
    return rows < max_parts ? rows : max_parts;
}
POISSON3D_HD Rows rows_of_part(const Extents& points, Index part) {
    const Index rows = points[0] * points[1];
    const Index count = parts(points);
    return {rows * part / count, rows * (part + 1) / count};
}

/// f̃ at an unknown, f the value there.
POISSON3D_HD double right_hand_side(const Refinement& r, double f, Index i, Index j, Index k) {
    return r.terms.any ? r.scale * f + r.terms(i, j, k) : r.scale * f;
}

POISSON3D_HD double weight_along(const Refinement& r, int axis, Index j) {
    if (r.op.uneven.any) return r.op.uneven.weight[axis][j];
    double weight = 1.0;
    if (j == r.op.axis[axis].first) weight *= r.weight[axis][0];
    if (j == r.op.axis[axis].last) weight *= r.weight[axis][1];
    return weight;
}

/// What is left of f̃ at an unknown where L u is `operated`; `first`: u is the constant `start` and not there yet.
POISSON3D_HD float residual_of(const Refinement& r, const Scalars& s, bool first, double rhs, double operated) {
    const double constant = first || r.singular ? s.mean : 0.0;
    return static_cast<float>(s.factor * (rhs - constant - operated));
}

/// u with a correction c, the first or a later one.
POISSON3D_HD double corrected(const Scalars& s, bool first, double u, float c) {
    return (first ? s.start : u) + s.inverse * (static_cast<double>(c) - s.excess);
}

/// What the sum over all parts tells.
POISSON3D_HD Scalars measured(const Refinement& r, const Partial& all) {
    Scalars s;
    const double largest = std::ldexp(all.largest, r.shrunk);
    if (r.closed) s.mean = std::ldexp(all.sum / r.total, r.shrunk);
    if (r.closed && !r.singular) s.start = -s.mean / r.op.helmholtz;
    if (!(largest > 0.0) || !std::isfinite(largest)) return s;  // 0 needs no factor, nothing helps the rest
    constexpr int most = 1022;                                  // so that both powers are ordinary numbers
    int power = r.exponent - std::ilogb(largest);
    power = power > most ? most : power < -most ? -most : power;
    s.factor = std::ldexp(1.0, power);
    s.inverse = std::ldexp(1.0, -power);
    return s;
}

}  // namespace poisson3d
