#include "line_methods.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "chain.hpp"
#include "convolution_radices.hpp"
#include "launch_pass.hpp"
#include "line_modes.hpp"
#include "matrix_plan.hpp"
#include "middle_axis.hpp"
#include "symmetric_chirp.hpp"
#include "symmetric_chirp_tables.hpp"

namespace poisson3d::fused {

using namespace lines;

namespace {

LineMethod transform_method(const Axis& axis) {
    return has_tables(axis, LineMethod::radix_steps) ? LineMethod::radix_steps : LineMethod::chirp;
}

/// What a step takes times the elements that it is done for, which of type I may be twice the unknowns.
double transform_copies(const Axis& axis) {
    const LineFfts ffts = line_ffts<Compact>(axis);
    const auto per_unknown = static_cast<double>(ffts.count) / static_cast<double>(axis_kind(axis).unknowns);
    if (transform_method(axis) == LineMethod::chirp) {
        if (const AxisKind kind = axis_kind(axis); symmetric_chirp<Compact>(kind)) {
            // The fewer elements, the more of the tables of kernels that know them is in the first-level cache.
            const Convolution found = symmetric_convolution(symmetric_line(kind).half, chirped_radix<Compact>);
            const double step = !found.known() ? 2.8 : found.length <= 128 ? 1.2 : 1.5;
            return step * static_cast<double>(line_elements<Compact>(axis, LineMethod::chirp)) /
                   static_cast<double>(kind.unknowns);
        }
        const Index length = chirp_convolution(ffts.length).length;
        return (length <= 1024 ? 1.7 : 2.1) * static_cast<double>(length) * per_unknown;
    }
    // A prime from 17 on is convolved between two steps or more, or beside one outer step alone.
    const double prime = largest_prime(axis);
    const double step = prime > 13  ? static_cast<double>(ffts.length) <= 8 * prime ? 2.6 : 3.0
                        : prime > 7 ? 1.6 + 0.05 * prime
                                    : 1.6 + 0.01 * prime;
    return step * static_cast<double>(ffts.length) * per_unknown;
}

/// Sums of more than 64 products lose more than the laws of accuracy allow (298 cells, by radix 149, 1.3 % more).
constexpr int most_accurate_radix = 127;

/// By matrix steps: what loads and stores take, and cycles. Single precision is multiplied in double, too, and its
/// copies take half as long. Infinite: there are none that are accurate enough, or the device has nothing to do
/// them with.
template <class T>
double matrix_step_copies(const Axis& axis) {
    const LineFfts ffts = line_ffts<Compact>(axis);
    if (!has_tables(axis, LineMethod::matrix_steps) || !multiplies_doubles_fast())
        return std::numeric_limits<double>::infinity();
    const std::vector<int> radices = matrix_radices(ffts.length);
    if (*std::max_element(radices.begin(), radices.end()) > most_accurate_radix)
        return std::numeric_limits<double>::infinity();
    const auto per_unknown =
        static_cast<double>(ffts.count * ffts.length) / static_cast<double>(axis_kind(axis).unknowns);
    const double copies = 0.4 + (0.5 + 0.75 * matrix_cycles(radices)) * per_unknown;
    return sizeof(T) == 4 ? 1.5 * copies : copies;
}

/// How lines with FFTs are done, and what that takes.
struct Transform {
    LineMethod method;
    double copies;
};
template <class T>
Transform fastest_transform(const Axis& axis) {
    constexpr double fast_prime = 7;  // lines without larger ones have kernels that know them
    const double copies = transform_copies(axis);
    const double by_matrices =
        largest_prime(axis) > fast_prime ? matrix_step_copies<T>(axis) : std::numeric_limits<double>::infinity();
    if (by_matrices >= copies) return {transform_method(axis), copies};
    return {LineMethod::matrix_steps, by_matrices};
}

/// Single precision takes as long, since it is multiplied in double; its copies take half as long.
template <class T>
double product_copies(const Axis& axis) {
    const double work = has_even_modes(axis) ? 0.0045 : 0.009;
    return (1.8 + work * static_cast<double>(axis_kind(axis).unknowns)) * (sizeof(T) == 4 ? 2.0 : 1.0);
}

}  // namespace

double pass_copies(const Axis& axis) {
    return std::min(fastest_transform<double>(axis).copies, product_copies<double>(axis));
}

template <class T>
LineMethod line_method(const Problem& problem, int a, int eliminated) {
    const Axis& axis = problem.grid.axes[a];
    if (a == eliminated) return LineMethod::none;
    if (!has_fast_transform(axis)) return LineMethod::matrix;
    const Transform transform = fastest_transform<T>(axis);
    return eliminated >= 0 && product_copies<T>(axis) < transform.copies ? LineMethod::matrix : transform.method;
}

LineMethod padded_line_method(const Axis& axis) {
    return has_fast_transform(axis) ? transform_method(axis) : LineMethod::matrix;
}

template LineMethod line_method<float>(const Problem&, int, int);
template LineMethod line_method<double>(const Problem&, int, int);

}  // namespace poisson3d::fused
