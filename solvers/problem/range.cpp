#include "range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "axis_kind.hpp"
#include "boundary_terms.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/residual.hpp"
#include "poisson3d/text.hpp"
#include "spectrum.hpp"

namespace poisson3d {

namespace {

template <class T>
constexpr double least = static_cast<double>(std::numeric_limits<T>::min());
template <class T>
constexpr double most = static_cast<double>(std::numeric_limits<T>::max());

template <class T>
constexpr const char* precision = sizeof(T) == 4 ? "single" : "double";

/// log2 R, rounded up.
int growth(const Problem& problem) {
    double round_trip = 1.0;
    for (const Axis& axis : problem.grid.axes)
        round_trip *= static_cast<double>(!has_fast_transform(axis) ? axis.points : axis_kind(axis).round_trip);
    return static_cast<int>(std::ceil(std::log2(round_trip)));
}

}  // namespace

template <class T>
void validate_range(const Problem& problem) {
    const double helmholtz = std::abs(problem.helmholtz);
    if (helmholtz != 0.0 && helmholtz < 4 * least<T>)
        throw Error(ErrorCode::data, "the Helmholtz constant " + format_number(problem.helmholtz) +
                                         " is too near 0 for " + precision<T> + " precision, whose least is " +
                                         format_number(4 * least<T>) + ": use " +
                                         (sizeof(T) == 4 ? "double precision, or " : "") + "0 if that is meant");
    bool good = largest_eigenvalue(problem) < most<T> / 4 && operator_norm(problem) < most<double> / 4;
    for (const Axis& axis : problem.grid.axes) {
        const double length = axis.uniform() ? axis.step() * static_cast<double>(axis.points) : axis.length();
        good = good && 1.0 / (length * length) > 4 * least<T>;
    }
    for (const auto& faces : make_boundary_terms<T>(problem.grid).factor)
        for (const T factor : faces) good = good && std::isfinite(factor);
    if (!good)
        throw Error(ErrorCode::data, std::string("the inverse squares of the spacings leave the range of ") +
                                         precision<T> + " precision: choose other units of length");
}

template <class T>
int halving(const Problem& problem) {
    int s = growth(problem) / 2;
    for (const auto& faces : make_boundary_terms<T>(problem.grid).factor)
        for (const T factor : faces)
            if (factor != T(0)) s = std::min(s, max_halvings<T>(static_cast<double>(factor)));
    return s;
}

template <class T>
Range range_of(const Problem& problem) {
    const int s = halving<T>(problem);
    // Between free faces go products of two tables and a charge, which must not vanish before u does.
    const int products = unbounded_axes(problem.grid) > 1 ? (sizeof(T) == 4 ? 34 : 64) : 0;
    return {std::ldexp(4 * least<T>, s + products), std::ldexp(most<T> / 32, s - growth(problem))};
}

template void validate_range<float>(const Problem&);
template void validate_range<double>(const Problem&);
template int halving<float>(const Problem&);
template int halving<double>(const Problem&);
template Range range_of<float>(const Problem&);
template Range range_of<double>(const Problem&);

}  // namespace poisson3d
