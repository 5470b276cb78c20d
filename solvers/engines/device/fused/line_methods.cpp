#include "line_methods.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "chain.hpp"
#include "convolution_radices.hpp"
#include "fused_shape.hpp"
#include "launch_pass.hpp"
#include "line_modes.hpp"
#include "matrix_plan.hpp"
#include "middle_axis.hpp"
#include "outer_radices.hpp"
#include "real_matrix_plan.hpp"
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

/// How many of these are shorter.
template <int... known>
std::size_t place_among(std::integer_sequence<int, known...>, Index length) {
    return (std::size_t{0} + ... + (known < length ? 1 : 0));
}

/// An element of an even or odd sequence, by the length of its FFTs in the order of KnownChirpLengths: medians of
/// the lengths that have these. Copies of single precision take half as long.
template <class T>
double symmetric_chirp_copies(const Convolution& found) {
    constexpr double copies[][15] = {
        {1.20, 1.20, 1.13, 1.16, 1.19, 1.30, 1.41, 1.27, 1.32, 1.39, 1.26, 1.27, 1.28, 1.22, 1.25},
        {1.41, 1.30, 1.34, 1.21, 1.21, 1.32, 1.42, 1.30, 1.48, 1.45, 1.32, 1.33, 1.43, 1.38, 1.44}};
    static_assert(std::size(copies[0]) == KnownChirpLengths::size());
    if (!found.known()) return sizeof(T) == 4 ? 3.8 : 3.6;
    return copies[sizeof(T) == 4 ? 1 : 0][place_among(KnownChirpLengths{}, found.length)];
}

/// The same of a periodic line, an element of its FFTs, in the order of KnownPeriodicLengths.
template <class T>
double periodic_chirp_copies(int length) {
    constexpr double copies[][13] = {
        {1.37, 1.33, 1.34, 1.24, 1.32, 1.30, 1.28, 1.41, 1.31, 1.41, 1.36, 1.39, 1.36},
        {1.52, 1.47, 1.51, 1.46, 1.45, 1.39, 1.49, 1.62, 1.40, 1.63, 1.69, 1.54, 1.65}};
    static_assert(std::size(copies[0]) == KnownPeriodicLengths::size());
    return copies[sizeof(T) == 4 ? 1 : 0][place_among(KnownPeriodicLengths{}, length)];
}

/// Whether kernels know the chirps of such lines.
bool has_known_chirp(const AxisKind& kind) {
    return symmetric_chirp<Compact>(kind) ||
           (kind.forward == poisson3d::Transform::dft && known_periodic_length(kind.unknowns) > 0);
}

/// A chirp, what it takes times the elements that it is done for.
template <class T>
Transform chirp_transform(const Axis& axis) {
    const AxisKind kind = axis_kind(axis);
    const auto unknowns = static_cast<double>(kind.unknowns);
    if (symmetric_chirp<Compact>(kind)) {
        const Convolution found = symmetric_convolution(symmetric_line(kind).half, chirped_radix<Compact>);
        const auto elements = static_cast<double>(line_elements<Compact>(axis, LineMethod::chirp));
        return {LineMethod::chirp, symmetric_chirp_copies<T>(found) * elements / unknowns};
    }
    const LineFfts ffts = line_ffts<Compact>(axis);
    const Index length = chirp_convolution(ffts.length, true).length;
    if (has_known_chirp(kind))
        return {LineMethod::chirp, periodic_chirp_copies<T>(known_periodic_length(kind.unknowns)) *
                                       static_cast<double>(length) / unknowns};
    const double single = sizeof(T) == 4 ? 1.05 : 1.0;
    return {LineMethod::chirp,
            single * (length <= 1024 ? 1.9 : 2.15) * static_cast<double>(ffts.count * length) / unknowns};
}

/// Prime factors above `least`.
int large_primes(Index length, Index least) {
    int found = 0;
    for (Index p = 2; length > 1; ++p)
        for (; length % p == 0; length /= p) found += p > least ? 1 : 0;
    return found;
}

/// Without prime factors above 7.
Index smooth_part(Index length) {
    Index part = 1;
    for (const Index p : {2, 3, 5, 7})
        for (; length % p == 0; length /= p) part *= p;
    return part;
}

/// Whether outer steps do all that there is beside a prime.
bool only_outer_steps(Index beside, bool first) {
    const auto is_outer = [](Index r) { return std::ranges::find(outer_radices, r) != std::end(outer_radices); };
    return std::ranges::any_of(outer_radices, [&](int samples) {
        return (first || samples == 1) && beside % samples == 0 && is_outer(beside / samples);
    });
}

/// Whether primes are convolved by two steps, one of a radix from 6 to 10, the other from `least` to `most`.
bool by_two_steps(Index prime, Index least, Index most) {
    for (Index r = least; r <= most; ++r)
        if ((prime - 1) % r == 0 && (prime - 1) / r >= 6 && (prime - 1) / r <= 10) return true;
    return false;
}

/// What a prime takes beside others. Registers hold 17, 19 and 23, others are convolved: by two steps, 157 by those
/// of 12 and 13, which have many instructions, or by more.
double beside_other_primes(Index prime, bool first) {
    if (prime <= 23) return first ? -0.7 : -0.4;
    if (by_two_steps(prime, 6, 10) || (first && by_two_steps(prime, 13, 13))) return -0.3;
    if (!first && (prime - 1) % 11 == 0) return 0.15;
    return prime == 157 ? 0.4 : prime > 600 ? 0.2 : 0.0;
}

/// An element by steps of which one is of a prime above 13; the rest is outer steps, or a step more. For short
/// lines threads are too many; of long ones few share a multiprocessor. Even and odd sequences (type I) have large
/// outer steps.
double prime_step_copies(const LineFfts& ffts, Index prime) {
    const Index elements = ffts.count * ffts.length;
    const double alone = !ffts.first       ? (elements > 1024 ? 2.65 : 2.5)
                         : elements < 280  ? 3.85
                         : elements < 420  ? 3.4
                         : elements <= 896 ? 3.0
                                           : 3.2;
    if (!ffts.first && prime <= 23 && smooth_part(ffts.length) == 1) return prime == 23 ? 2.25 : 2.1;
    const double second = only_outer_steps(ffts.length / prime, ffts.first) ? 0 : 0.4;
    return alone + second + beside_other_primes(prime, ffts.first) + 0.4 * (large_primes(ffts.length, 13) - 1);
}

/// An element by steps of radices up to 16 alone.
double radix_step_copies(const LineFfts& ffts, Index prime) {
    const int large = large_primes(ffts.length, 7);
    if (large == 0) return 1.6 + 0.01 * static_cast<double>(prime);
    // Of even lines between mixed ends, in two FFTs: too little for outer steps on both sides.
    if (ffts.count == 2 && ffts.first && smooth_part(ffts.length) <= 14) return 2.0 + 0.5 * large;
    if (ffts.first) return 1.55 + 0.35 * large;
    return smooth_part(ffts.length) == 2 ? 2.8 : 1.5 + 0.25 * large;  // there is no outer step of radix 2
}

/// Odd lines between a Neumann and a Dirichlet wall read and write samples four apart.
double far_samples(const AxisKind& kind) {
    using poisson3d::Transform;
    const bool type_four = kind.forward == Transform::dct4 || kind.forward == Transform::dst4;
    return type_four && kind.unknowns % 2 != 0 ? 1.07 : 1.0;
}

/// Steps of radices up to 16 and of primes. Of type I elements may be twice the unknowns.
template <class T>
Transform step_transform(const Axis& axis) {
    const LineFfts ffts = line_ffts<Compact>(axis);
    const auto prime = static_cast<Index>(largest_prime(axis));
    const bool slow_prime = prime > 23 || (prime > 7 && prime <= 13 && ffts.length % 8 != 0);
    const double single = sizeof(T) == 4 && slow_prime ? (prime > 23 ? 1.07 : 1.2) : 1.0;
    const double step = single * (prime > 13 ? prime_step_copies(ffts, prime) : radix_step_copies(ffts, prime));
    return {LineMethod::radix_steps, far_samples(axis_kind(axis)) * step *
                                         static_cast<double>(ffts.count * ffts.length) /
                                         static_cast<double>(axis_kind(axis).unknowns)};
}

const Transform& faster(const Transform& one, const Transform& other) {
    return other.copies < one.copies ? other : one;
}

/// Steps where there are any; of lines with large primes also a chirp whose kernels know its numbers.
template <class T>
Transform step_or_chirp(const Axis& axis) {
    if (!has_tables(axis, LineMethod::radix_steps)) return chirp_transform<T>(axis);
    const Transform steps = step_transform<T>(axis);
    const bool chirped =
        largest_prime(axis) > 13 && has_tables(axis, LineMethod::chirp) && has_known_chirp(axis_kind(axis));
    return chirped ? faster(steps, chirp_transform<T>(axis)) : steps;
}

/// By matrix steps: what loads and stores take, and steps. Single precision is multiplied in double, too, and its
/// copies take half as long. Infinite: there are none that fit, or the device has nothing to do them with.
template <class T>
double matrix_step_copies(const Axis& axis) {
    if (!lines_fit<T>(axis, LineMethod::matrix_steps) || !multiplies_doubles_fast())
        return std::numeric_limits<double>::infinity();
    const AxisKind kind = axis_kind(axis);
    const std::vector<int> radices = matrix_radices(kind);
    const MatrixWork work = matrix_work(kind, radices);
    if (sizeof(T) == 4)
        return (kind.unknowns % 8 == 0 ? 1.8 : 1.55) + (std::ranges::max(radices) > 63 ? 0.45 : 0) +
               0.92 * fastest_block(work, 8).copies;
    return (axis.lower == axis.upper && axis.lower != Boundary::periodic ? 1.22 : 1.32) +
           fastest_block(work, 4).copies;
}

template <class T>
Transform fastest_transform(const Axis& axis) {
    constexpr double fast_prime = 7;  // lines without larger ones have kernels that know them
    const Transform found = step_or_chirp<T>(axis);
    if (largest_prime(axis) <= fast_prime) return found;
    return faster(found, {LineMethod::matrix_steps, matrix_step_copies<T>(axis)});
}

/// Single precision takes as long, since it is multiplied in double; its copies take half as long.
template <class T>
double product_copies(const Axis& axis) {
    const double work = has_even_modes(axis) ? 0.0045 : 0.009;
    return ((axis.lower == Boundary::periodic ? 2.4 : 1.8) + work * static_cast<double>(axis_kind(axis).unknowns)) *
           (sizeof(T) == 4 ? 2.0 : 1.0);
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
