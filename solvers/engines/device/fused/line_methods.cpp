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

/// How lines with FFTs are done, and what that takes.
struct Transform {
    LineMethod method;
    double copies;
};

/// An element of an even or odd sequence. FFTs of 128 elements leave most of the first-level cache to tables; of
/// shorter ones threads are too many.
double symmetric_chirp_copies(const Convolution& found) {
    if (!found.known()) return 2.8;
    return found.length > 160 ? 1.4 : found.length > 128 ? 1.22 : found.length > 96 ? 1.1 : 1.25;
}

/// A chirp, what it takes times the elements that it is done for.
Transform chirp_transform(const Axis& axis) {
    const AxisKind kind = axis_kind(axis);
    const auto unknowns = static_cast<double>(kind.unknowns);
    if (symmetric_chirp<Compact>(kind)) {
        const Convolution found = symmetric_convolution(symmetric_line(kind).half, chirped_radix<Compact>);
        const auto elements = static_cast<double>(line_elements<Compact>(axis, LineMethod::chirp));
        return {LineMethod::chirp, symmetric_chirp_copies(found) * elements / unknowns};
    }
    const LineFfts ffts = line_ffts<Compact>(axis);
    const Index length = chirp_convolution(ffts.length).length;
    return {LineMethod::chirp, (length <= 1024 ? 1.7 : 2.1) * static_cast<double>(ffts.count * length) / unknowns};
}

/// Prime factors above 7.
int large_primes(Index length) {
    int found = 0;
    for (Index p = 2; length > 1; ++p)
        for (; length % p == 0; length /= p) found += p > 7 ? 1 : 0;
    return found;
}

/// Steps of radices up to 16 and of primes, of which those from 17 on are convolved, between two steps or more, or
/// beside one outer step alone. Of type I elements may be twice the unknowns.
Transform step_transform(const Axis& axis) {
    const LineFfts ffts = line_ffts<Compact>(axis);
    const double prime = largest_prime(axis);
    const double step = prime > 13  ? static_cast<double>(ffts.length) <= 8 * prime ? 2.3 : 3.4
                        : prime > 7 ? 1.7 + 0.4 * large_primes(ffts.length)
                                    : 1.6 + 0.01 * prime;
    return {LineMethod::radix_steps,
            step * static_cast<double>(ffts.count * ffts.length) / static_cast<double>(axis_kind(axis).unknowns)};
}

const Transform& faster(const Transform& one, const Transform& other) {
    return other.copies < one.copies ? other : one;
}

/// Steps where there are any; of lines with large primes also a chirp whose kernels know its numbers.
Transform step_or_chirp(const Axis& axis) {
    if (!has_tables(axis, LineMethod::radix_steps)) return chirp_transform(axis);
    const Transform steps = step_transform(axis);
    const bool chirped = largest_prime(axis) > 13 && has_tables(axis, LineMethod::chirp) &&
                         symmetric_chirp<Compact>(axis_kind(axis));
    return chirped ? faster(steps, chirp_transform(axis)) : steps;
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
    const bool few_lines = ffts.count > 1 && ffts.count * ffts.length > 1024;  // in a block, as they double
    return copies * (few_lines ? 1.2 : 1.0) * (sizeof(T) == 4 ? 1.5 : 1.0);
}

template <class T>
Transform fastest_transform(const Axis& axis) {
    constexpr double fast_prime = 7;  // lines without larger ones have kernels that know them
    const Transform found = step_or_chirp(axis);
    if (largest_prime(axis) <= fast_prime) return found;
    return faster(found, {LineMethod::matrix_steps, matrix_step_copies<T>(axis)});
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
    if (!has_fast_transform(axis)) return LineMethod::matrix;
    return has_tables(axis, LineMethod::radix_steps) ? LineMethod::radix_steps : LineMethod::chirp;
}

template LineMethod line_method<float>(const Problem&, int, int);
template LineMethod line_method<double>(const Problem&, int, int);

}  // namespace poisson3d::fused
