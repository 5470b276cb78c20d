// The orbit tables of the cufft engine, executed on the host with plain sums for FFTs: for every kind of axis and
// length, back and forth is the identity, and with the eigenvalues between it is the difference operator.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "orbit_tables.hpp"
#include "problems.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"

namespace poisson3d::cufft {
namespace {

using test::kinds;

template <class T>
using Line = std::vector<Complex<T>>;

/// What stands where nothing is written: shows in every result it reaches.
template <class T>
constexpr T poison = T(1e30);

template <int size, class T>
void apply_orbit(const OrbitTable<T>& table, bool post, Index o, Complex<T>* z) {
    const auto coefficient = [&](Index i) { return table.coefficients[i * table.orbits + o]; };
    if constexpr (size == 2) {
        apply(PairMap<T>{coefficient(0), coefficient(1), coefficient(2), coefficient(3)}, z[0], z[1]);
    } else {
        Complex<T> alpha[size / 2 - 1];
        for (int i = 0; i < size / 2 - 1; ++i) alpha[i] = coefficient(i);
        post ? type_one_post<size>(table.sine, alpha, z) : type_one_pre<size>(table.sine, alpha, z);
    }
}

/// `out` gets what the orbits write; every element of it must be written at most once.
template <class T>
void run(const OrbitTable<T>& table, bool post, const Line<T>& in, Line<T>& out) {
    std::set<Index> written;
    for (Index o = 0; o < table.orbits; ++o) {
        Complex<T> z[16];
        for (int e = 0; e < table.size; ++e) {
            const Index from = table.in[e * table.orbits + o];
            z[e] = from < 0 ? Complex<T>{0, 0} : in[from];
        }
        switch (table.size) {
            case 2: apply_orbit<2>(table, post, o, z); break;
            case 4: apply_orbit<4>(table, post, o, z); break;
            case 8: apply_orbit<8>(table, post, o, z); break;
            default: apply_orbit<16>(table, post, o, z);
        }
        for (int e = 0; e < table.size; ++e) {
            const Index to = table.out[e * table.orbits + o];
            if (to < 0) continue;
            EXPECT_TRUE(written.insert(to).second) << "written twice: " << to;
            out[to] = z[e];
        }
    }
}

/// The mirror and the FFTs of a line, in long double.
template <class T>
void transform(const AxisTables<T>& axis, Line<T>& line) {
    const Mirror& mirror = axis.mirror;
    for (Index j = 1; j < mirror.half; ++j) {
        const Complex<T> z = line[mirror.row + j];
        line[mirror.row + 2 * mirror.half - j] = mirror.sine ? Complex<T>{-z.re, -z.im} : z;
    }
    if (mirror.half > 0 && mirror.sine) line[mirror.row] = line[mirror.row + mirror.half] = {0, 0};
    for (const FftBlock& block : axis.ffts)
        for (Index b = 0; b < block.count; ++b) {
            const Index n = block.length;
            Complex<T>* const z = line.data() + block.offset + b * (axis.rows / block.count);
            const std::vector<Complex<T>> in(z, z + n);
            for (Index k = 0; k < n; ++k) {
                Complex<long double> sum{0, 0};
                for (Index j = 0; j < n; ++j) {
                    const long double angle =
                        2 * std::numbers::pi_v<long double> * static_cast<long double>(j * k % n) / n;
                    const long double c = std::cos(angle);
                    const long double s = -std::sin(angle);
                    sum.re += c * in[j].re - s * in[j].im;
                    sum.im += c * in[j].im + s * in[j].re;
                }
                z[k] = {static_cast<T>(sum.re), static_cast<T>(sum.im)};
            }
        }
}

template <class T>
Line<T> forward(const AxisTables<T>& axis, const Line<T>& samples) {
    Line<T> positions(axis.rows, {poison<T>, poison<T>});
    Line<T> slots(axis.kind.unknowns, {poison<T>, poison<T>});
    run(axis.forward_pre, false, samples, positions);
    transform(axis, positions);
    run(axis.forward_post, true, positions, slots);
    return slots;
}

template <class T>
Line<T> backward(const AxisTables<T>& axis, const Line<T>& slots) {
    Line<T> positions(axis.rows, {poison<T>, poison<T>});
    Line<T> samples(axis.kind.unknowns, {poison<T>, poison<T>});
    run(axis.backward_pre, false, slots, positions);
    transform(axis, positions);
    run(axis.backward_post, true, positions, samples);
    return samples;
}

template <class T>
double error(const Line<T>& found, const Line<T>& wanted) {
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        difference += std::pow(double(found[i].re) - double(wanted[i].re), 2) +
                      std::pow(double(found[i].im) - double(wanted[i].im), 2);
        norm += std::pow(double(wanted[i].re), 2) + std::pow(double(wanted[i].im), 2);
    }
    return norm == 0 ? std::sqrt(difference) : std::sqrt(difference / norm);
}

/// The three-point difference with the ghost rules, on the unknowns of an axis with spacing 1.
template <class T>
Line<T> difference(const Axis& axis, const AxisKind& kind, const Line<T>& u) {
    const Index n = kind.unknowns;
    const bool cell = axis.centering == Centering::cell;
    const auto at = [&](Index j) -> Complex<T> {
        if (axis.periodic()) return u[(j + n) % n];
        if (j >= 0 && j < n) return u[j];
        const bool dirichlet = (j < 0 ? axis.lower : axis.upper) == Boundary::dirichlet;
        if (dirichlet) return cell ? T(-1) * u[j < 0 ? 0 : n - 1] : Complex<T>{0, 0};
        if (cell) return u[j < 0 ? 0 : n - 1];
        if (n == 1) return Complex<T>{0, 0};  // the mirrored node is a Dirichlet one
        return u[j < 0 ? 1 : n - 2];
    };
    Line<T> result(n);
    for (Index j = 0; j < n; ++j) result[j] = at(j - 1) + at(j + 1) - T(2) * u[j];
    return result;
}

class OrbitTables : public testing::TestWithParam<int> {
protected:
    template <class T>
    void check(Index points, Listing listing) const {
        const Axis axis = test::make_axis(GetParam(), points, 1.0);
        const AxisTables<T> tables = make_axis_tables<T>(axis, Discretization::second_order, listing);
        const Index n = tables.kind.unknowns;
        Line<T> x(n);
        for (Index j = 0; j < n; ++j)
            x[j] = {static_cast<T>(test::uniform(j, 1)), static_cast<T>(test::uniform(j, 2))};
        Line<T> modes = forward(tables, x);
        Line<T> wanted = x;
        for (Complex<T>& z : wanted) z = T(tables.kind.round_trip) * z;
        const double allowed = 2 * tolerance::transform<T>(std::max<Index>(points, 8));
        EXPECT_LE(error(backward(tables, modes), wanted), allowed) << points << " points";
        for (Index s = 0; s < n; ++s) modes[s] = tables.eigenvalues[s] * modes[s];
        wanted = difference(axis, tables.kind, x);
        for (Complex<T>& z : wanted) z = T(tables.kind.round_trip) * z;
        // What is small is the difference of large: allow for the operator's norm.
        EXPECT_LE(error(backward(tables, modes), wanted), 4 * allowed) << points << " points";
        ASSERT_EQ(tables.forward_post.orbits, tables.backward_pre.orbits);
        for (std::size_t i = 0; i < tables.forward_post.out.size(); ++i) {
            if (tables.forward_post.out[i] < 0) continue;
            ASSERT_EQ(tables.forward_post.out[i], tables.backward_pre.in[i]) << "slots of the middle sweep";
        }
    }
};

TEST_P(OrbitTables, AreTheTransformsOfTheAxis) {
    for (const Listing listing : {Listing::by_sample, Listing::by_position})
        for (const Index n :
             {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 23, 24,
              25, 31, 32, 33, 34, 35, 40, 41, 48, 49, 50, 57, 63, 64, 65, 66, 67, 80, 81, 97, 98}) {
            if (n < fewest_points(test::make_axis(GetParam(), n, 1.0))) continue;
            check<double>(n, listing);
            check<float>(n, listing);
        }
}

TEST_P(OrbitTables, TheConstantIsSlotZero) {
    for (const Index n : {3, 8, 9, 17, 20, 33}) {
        const Axis axis = test::make_axis(GetParam(), n, 1.0);
        const auto tables = make_axis_tables<double>(axis, Discretization::spectral, Listing::by_sample);
        if (!tables.kind.constant_mode) continue;
        const Line<double> ones(tables.kind.unknowns, {1.0, 0.0});
        const Line<double> modes = forward(tables, ones);
        EXPECT_NEAR(modes[0].re, static_cast<double>(tables.kind.round_trip), 1e-12 * static_cast<double>(n));
        for (std::size_t s = 1; s < modes.size(); ++s)
            EXPECT_NEAR(modes[s].re, 0.0, 1e-13 * static_cast<double>(n));
        EXPECT_EQ(tables.eigenvalues[0], 0.0);
    }
}

INSTANTIATE_TEST_SUITE_P(All, OrbitTables, testing::Range(0, 10),
                         [](const auto& parameter) { return std::string(kinds[parameter.param].name); });

}  // namespace
}  // namespace poisson3d::cufft
