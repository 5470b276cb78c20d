#include "poisson3d/residual.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "axis_kind.hpp"
#include "boundary_terms.hpp"
#include "chain.hpp"
#include "spectrum.hpp"
#include "stencil.hpp"

namespace poisson3d {

namespace {

/// What stands for 4/h² at each stored point.
std::vector<double> norms_along(const Axis& axis) {
    std::vector<double> norms(static_cast<std::size_t>(axis.points));
    if (has_fast_transform(axis))
        std::ranges::fill(norms, 4.0 / (axis.step() * axis.step()));
    else
        std::ranges::copy(row_norms(make_chain(axis)), norms.begin() + axis_kind(axis).first);
    return norms;
}

/// Numbers that agree in their first seven bits share a bin; the least of them stands for all.
constexpr int bin_shift = 46;
Index bin_of(double norm) {
    return std::bit_cast<Index>(norm) >> bin_shift;
}
double least_of_bin(Index bin) {
    return std::bit_cast<double>(bin << bin_shift);
}

}  // namespace

double operator_norm(const Problem& problem) {
    if (problem.discretization == Discretization::spectral) return largest_eigenvalue(problem);
    double norm = std::abs(problem.helmholtz);
    for (const Axis& axis : problem.grid.axes) norm += std::ranges::max(norms_along(axis));
    return norm;
}

namespace {

/// A number whose exponent may leave the range of double: fraction · 2^exponent.
struct Wide {
    double fraction;
    int exponent;
};

Wide wide(double x, int exponent = 0) {
    int own = 0;
    const double fraction = std::frexp(x, &own);
    return {fraction, std::isfinite(x) ? own + exponent : 0};
}

/// a/b; 0/0 is a perfect solve of a zero problem, anything else over 0 is not.
double ratio(const Wide& a, const Wide& b) {
    return a.fraction == 0.0 ? 0.0 : std::ldexp(a.fraction / b.fraction, a.exponent - b.exponent);
}

/// a·b + c
Wide product_and_sum(const Wide& a, const Wide& b, const Wide& c) {
    const Wide product{a.fraction * b.fraction, a.exponent + b.exponent};
    if (c.fraction == 0.0) return product;
    if (product.fraction == 0.0) return c;
    const int exponent = std::max(product.exponent, c.exponent);
    return {
        std::ldexp(product.fraction, product.exponent - exponent) + std::ldexp(c.fraction, c.exponent - exponent),
        exponent};
}

/// Of the units in which a residual is measured: A, or nearly so. Residuals are then of the size of u or below,
/// though those of u = 10^300 with A = 10^24 are not numbers.
int unit_of(const Problem& problem) {
    return std::clamp(std::ilogb(operator_norm(problem)), -1000, 1000);
}

/// Largest magnitude; NaN anywhere makes the result NaN and keeps it, which std::max alone would lose.
void raise(double& largest, double value) {
    const double magnitude = std::abs(value);
    if (!(magnitude <= largest) && !std::isnan(largest)) largest = magnitude;
}

}  // namespace

template <class T>
ResidualMeter<T>::ResidualMeter(const Problem& problem, FieldView<const T> solution, double scale, double mean,
                                const BoundaryData<double>& boundary)
    : problem_(problem),
      boundary_(boundary),
      solution_(solution),
      scale_(scale),
      mean_(mean),
      unit_(unit_of(problem)) {
    if (first_uneven_axis(problem.grid) < 0) return;
    double least = std::abs(problem.helmholtz);
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        norms_[a] = norms_along(axis);
        const auto first = norms_[a].begin() + axis_kind(axis).first;
        least += *std::min_element(first, first + axis_kind(axis).unknowns);
    }
    first_bin_ = bin_of(least);
    max_of_norm_.resize(static_cast<std::size_t>(bin_of(operator_norm(problem)) - first_bin_) + 1);
}

template <class T>
ResidualMeter<T>::ResidualMeter(const Problem& problem, FieldView<const double> operator_field, double solution_max,
                                double scale, double mean)
    : problem_(problem), operator_field_(operator_field), scale_(scale), mean_(mean), max_solution_(solution_max) {}

template <class T>
template <class F>
void ResidualMeter<T>::add_planes(Index first, FieldView<const F> rhs) {
    const double unit = std::ldexp(1.0, -unit_);
    const Stencil stencil(problem_, unit);
    const bool local = operator_field_.data == nullptr;
    const BoundaryTerms<double> terms = make_boundary_terms<double>(problem_.grid).with_data(boundary_);
    std::vector<double> row(rhs.extents[2]);
    std::vector<double> wanted_row(rhs.extents[2]);
    const Index begin = stencil.first(2);
    const Index end = begin + stencil.count(2);
    for (Index p = 0; p < rhs.extents[0]; ++p) {
        const Index i = first + p;
        if (!stencil.unknown(0, i)) continue;
        for (Index j = 0; j < rhs.extents[1]; ++j) {
            if (!stencil.unknown(1, j)) continue;
            if (local)
                stencil.row(solution_, i, j, row.data());
            else
                std::copy_n(&operator_field_(i, j, 0), row.size(), row.data());
            const F* const f = &rhs(p, j, 0);
            for (Index k = begin; k < end; ++k) wanted_row[k] = scale_ * static_cast<double>(f[k]);
            if (terms.any) for_each_term(terms, i, j, [&](Index k, double added) { wanted_row[k] += added; });
            double largest = 0.0;
            double largest_rhs = 0.0;
            double largest_rest = 0.0;
            for (Index k = begin; k < end; ++k) {
                const double wanted = wanted_row[k];
                row[k] = unit * (wanted - mean_) - row[k];
                largest = std::max(largest, std::abs(row[k]));
                largest_rhs = std::max(largest_rhs, std::abs(wanted));
                largest_rest = std::max(largest_rest, std::abs(wanted - mean_));
            }
            squares_.expect(largest);
            for (Index k = begin; k < end; ++k) squares_.add(row[k]);
            raise(max_residual_, largest);
            if (!max_of_norm_.empty()) {
                const double norm = std::abs(problem_.helmholtz) + norms_[0][i] + norms_[1][j];
                for (Index k = begin; k < end; ++k)
                    raise(max_of_norm_[static_cast<std::size_t>(bin_of(norm + norms_[2][k]) - first_bin_)], row[k]);
            }
            raise(max_rhs_, largest_rhs);
            raise(max_rest_, largest_rest);
            if (local) {
                const T* const u = &solution_(i, j, 0);
                double largest_solution = 0.0;
                for (Index k = begin; k < end; ++k)
                    largest_solution = std::max(largest_solution, std::abs(static_cast<double>(u[k])));
                raise(max_solution_, largest_solution);
            }
        }
    }
}

template <class T>
void ResidualMeter<T>::add(Index first, FieldView<const double> rhs) {
    add_planes(first, rhs);
}
template <class T>
void ResidualMeter<T>::add(Index first, FieldView<const float> rhs) {
    add_planes(first, rhs);
}

template <class T>
Residual ResidualMeter<T>::result() const {
    double unknowns = 1.0;
    for (const Axis& axis : problem_.grid.axes) unknowns *= static_cast<double>(axis_kind(axis).unknowns);
    Residual result;
    // A NaN or an infinity must not pass unseen.
    const double largest = squares_.finite() ? max_residual_ : squares_.root_mean(unknowns);
    const Wide max = wide(largest, unit_);
    const Wide rhs = wide(max_rhs_);
    result.max = std::ldexp(largest, unit_);
    result.l2 = squares_.root_mean(unknowns, unit_);
    result.max_rhs = max_rhs_;
    result.max_solution = max_solution_;
    result.max_rest = max_rest_;
    result.relative = ratio(max, rhs);
    const auto backward = [&](const Wide& residual, double norm) {
        return ratio(residual, product_and_sum(wide(norm), wide(max_solution_), rhs));
    };
    if (max_of_norm_.empty() || !squares_.finite()) {
        result.backward = backward(max, operator_norm(problem_));
        return result;
    }
    for (std::size_t bin = 0; bin < max_of_norm_.size(); ++bin)
        if (max_of_norm_[bin] != 0.0)
            raise(result.backward,
                  backward(wide(max_of_norm_[bin], unit_), least_of_bin(first_bin_ + static_cast<Index>(bin))));
    return result;
}

template class ResidualMeter<float>;
template class ResidualMeter<double>;

template <class T>
double weighted_mean(const Grid& grid, FieldView<const T> field) {
    std::array<std::vector<double>, 3> weights;
    double total = 1.0;
    for (int a = 0; a < 3; ++a) {
        weights[a] = mean_weights(grid.axes[a]);
        total *= std::accumulate(weights[a].begin(), weights[a].end(), 0.0);
    }
    const double unit = std::ldexp(1.0, -std::ilogb(total));  // the sum of large numbers may be none
    double sum = 0.0;
    for (Index i = 0; i < field.extents[0]; ++i)
        for (Index j = 0; j < field.extents[1]; ++j) {
            const double across = weights[0][i] * weights[1][j];
            if (across == 0.0) continue;  // what stands at Dirichlet nodes may be anything
            double row = 0.0;
            for (Index k = 0; k < field.extents[2]; ++k)
                if (const double along = weights[2][k]; along != 0.0)
                    row += unit * along * static_cast<double>(field(i, j, k));
            sum += across * row;
        }
    return sum / (unit * total);
}

template double weighted_mean(const Grid&, FieldView<const float>);
template double weighted_mean(const Grid&, FieldView<const double>);

}  // namespace poisson3d
