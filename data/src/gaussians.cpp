// Gaussians between any faces. A Gaussian of variance σ² spreads into one of variance σ² + 2t, so that
//
//     u = −∫_0^∞ e^{−λt} Π_i heat_i(x_i, x'_i; σ² + 2t) dt                                 (axis_heat.hpp)
//
// for f = Π_i heat_i(x_i, x'_i; σ²). With v = (σ² + 2t)^{−1/2}, dt = −v^{−3} dv, the integrand is smooth on [0,
// 1/σ]: Gauss–Legendre on panels [0, v₁], [v₁, 2v₁], … , v₁ times the diagonal of the box at most 6.
//
// Where λ = 0, the mode that is constant along all axes without free faces, of length or area ℓ, does not decay. It
// is taken out of the product and added in closed form, r the distance along the free axes:
//
//     two free axes   −u = −(E₁(r²/2σ²) + ln r²) / 4πℓ        one   −u = −(r erf(r/√2σ)/2 + σ e^{−r²/2σ²}/√(2π)) /
//     ℓ
//
// These are as u must be far away (Gauge). Source: Carslaw and Jaeger, Conduction of Heat in Solids (1959).
#include "gaussians.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

using std::numbers::pi;

struct Point {
    double x, weight;
};

/// 24 points on [a, b], zeros of the Legendre polynomial by Newton's method.
std::vector<Point> gauss_legendre(double a, double b) {
    constexpr int n = 24;
    std::vector<Point> points;
    for (int i = 0; i < n; ++i) {
        long double x = std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (n + 0.5L));
        long double slope = 1.0L;
        for (int step = 0; step < 8; ++step) {
            long double before = 1.0L;
            long double value = x;
            for (int k = 2; k <= n; ++k) {
                const long double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
                before = value;
                value = next;
            }
            slope = n * (x * value - before) / (x * x - 1.0L);
            x -= value / slope;
        }
        points.push_back({0.5 * (a + b) + 0.5 * (b - a) * static_cast<double>(x),
                          (b - a) * static_cast<double>(1.0L / ((1.0L - x * x) * slope * slope))});
    }
    return points;
}

/// E₁(x) + ln x, which is smooth: −γ + Σ (−1)^{k+1} x^k/(k · k!), for large x by the continued fraction of E₁.
double smooth_e1(double x) {
    if (x > 2.0) {
        double fraction = 0.0;
        for (int k = 60; k >= 1; --k) fraction = k / (1.0 + k / (x + fraction));
        return std::exp(-x) / (x + fraction) + std::log(x);
    }
    double term = 1.0;
    double sum = -std::numbers::egamma;
    for (int k = 1; k < 60; ++k) {
        term *= -x / k;
        sum -= term / k;
    }
    return sum;
}

std::array<AxisHeat, 3> heat_of(const Grid& grid) {
    const auto of = [](const Axis& axis) { return AxisHeat(axis.lower, axis.upper, axis.length()); };
    return {of(grid.axes[0]), of(grid.axes[1]), of(grid.axes[2])};
}

}  // namespace

std::vector<Bells> bells_of(const std::string& field, const Grid& grid) {
    std::array<double, 3> length{};
    for (std::size_t a = 0; a < 3; ++a) length[a] = grid.axes[a].length();
    const double least = std::ranges::min(length);
    const auto bells = [&](double sigma, double x, double y, double z, double height) {
        const double width = sigma * least;
        const double amount = height * std::pow(2.0 * pi * width * width, 1.5);
        return Bells{width, z * length[2], {{x * length[0], y * length[1], amount}}};
    };
    if (field == "gaussians")
        return {bells(0.055, 0.45, 0.55, 0.48, 1.0), bells(0.06, 0.56, 0.46, 0.54, -0.7),
                bells(0.05, 0.52, 0.57, 0.43, 0.5), bells(0.055, 0.44, 0.43, 0.56, -0.4)};
    constexpr int count = 96;  // 4 to a width: their sum is even along the ring to rounding
    Bells ring{0.05 * least, 0.5 * length[2], {}};
    const double radius = 0.15 * least;
    for (int m = 0; m < count; ++m) {
        const double angle = 2.0 * pi * m / count;
        ring.places.push_back(
            {0.5 * length[0] + radius * std::cos(angle), 0.5 * length[1] + radius * std::sin(angle), 1.0 / count});
    }
    return {ring};
}

BellField::BellField(const std::string& field, const Problem& problem)
    : problem_(problem), bells_(bells_of(field, problem.grid)), heat_(heat_of(problem.grid)) {
    bool constant = true;
    for (std::size_t a = 0; a < 3; ++a) {
        const Axis& axis = problem.grid.axes[a];
        if (axis.lower == Boundary::robin || axis.upper == Boundary::robin || !(axis.custom == Coefficients{}))
            throw Error(ErrorCode::usage, "the known field " + field +
                                              " has images behind walls, and none behind Robin faces or with "
                                              "coefficients as on axis " +
                                              problem.grid.labels[a] + "; random takes them");
        points_[a] = coordinates(axis);
        const double low = step_ends(axis).front();
        for (double& x : points_[a]) x -= low;
        unbounded_ += heat_[a].unbounded() ? 1 : 0;
        constant = constant && (heat_[a].unbounded() || !heat_[a].grounded());
    }
    if (problem.helmholtz < 0.0)
        throw Error(ErrorCode::usage, "the known field " + field +
                                          " decays in time: found the Helmholtz constant " +
                                          format_number(problem.helmholtz) + ", wanted 0 or more");
    open_ = constant && unbounded_ < 3 && problem.helmholtz == 0.0;
}

std::vector<double> BellField::table(std::size_t axis, Part part, double from, double s, Index first,
                                     Index count) const {
    const AxisHeat& heat = heat_[axis];
    if (part == Part::constant) return std::vector<double>(static_cast<std::size_t>(count), 1.0 / heat.length());
    std::vector<double> values;
    for (Index j = first; j < first + count; ++j) {
        const double x = points_[axis][static_cast<std::size_t>(j)];
        values.push_back(part == Part::rest ? heat.rest(x, from, s) : heat(x, from, s));
    }
    return values;
}

// Π B_i − Π 1/ℓ_i over the axes without free faces as a sum of products, in each of which one axis has no constant.
std::vector<BellField::Product> BellField::products(bool without_constant) const {
    if (!without_constant) return {{Part::all, Part::all, Part::all}};
    std::vector<Product> all;
    Product product{Part::all, Part::all, Part::all};
    for (std::size_t a = 0; a < 3; ++a) {
        if (heat_[a].unbounded()) continue;
        product[a] = Part::rest;
        all.push_back(product);
        product[a] = Part::constant;
    }
    return all;
}

std::vector<BellField::Node> BellField::nodes(double sigma) const {
    double diagonal = 0.0;
    double slowest = problem_.helmholtz;  // what decays least, as e^{−slowest t}
    double rest = std::numeric_limits<double>::infinity();
    for (const AxisHeat& heat : heat_) {
        diagonal += heat.length() * heat.length();
        if (heat.unbounded()) continue;
        rest = std::min(rest, heat.least_square());
        if (heat.grounded()) slowest += heat.least_square();
    }
    if (open_) slowest = rest;
    // A half-free axis is twice as long, seen with its image.
    const double most = 6.0 / (2.0 * std::sqrt(diagonal));
    const double top = 1.0 / sigma;
    double panel = top;
    while (panel > most || (slowest > 0.0 && panel * panel > slowest / 84.0)) panel *= 0.5;
    std::vector<Node> found;
    const auto add = [&](double a, double b) {
        for (const auto& [v, weight] : gauss_legendre(a, b)) {
            const double variance = 1.0 / (v * v) - sigma * sigma;
            found.push_back({variance, weight / (v * v * v) * std::exp(-0.5 * problem_.helmholtz * variance)});
        }
    };
    if (slowest == 0.0) add(0.0, panel);  // else nothing is left there
    for (; panel < 0.75 * top; panel *= 2.0) add(panel, 2.0 * panel);
    return found;
}

void BellField::add_products(const Bells& bells, const std::vector<Product>& parts, double s, double weight,
                             Index first, Field<double>& sum) const {
    const auto [planes, rows, length] = sum.extents();
    for (const Product& product : parts) {
        std::vector<double> across(static_cast<std::size_t>(planes * rows), 0.0);
        for (const Bells::Place& place : bells.places) {
            const std::vector<double> x = table(0, product[0], place.x, s, first, planes);
            const std::vector<double> y = table(1, product[1], place.y, s, 0, rows);
            auto to = across.begin();
            for (const double a : x)
                for (const double b : y) *to++ += weight * place.amount * a * b;
        }
        const std::vector<double> z = table(2, product[2], bells.z, s, 0, length);
        double* to = sum.data();
        for (const double p : across)
            for (const double c : z) *to++ += p * c;
    }
}

// −u of the constant mode, which stands along all axes that are not free.
void BellField::add_far_mode(const Bells& bells, Index first, Field<double>& sum) const {
    if (!open_ || unbounded_ == 0) return;
    const Extents extents = sum.extents();
    const double s = bells.sigma * bells.sigma;
    double across = 1.0;
    std::vector<std::size_t> along;
    for (std::size_t a = 0; a < 3; ++a)
        if (heat_[a].unbounded())
            along.push_back(a);
        else
            across *= heat_[a].length();
    const auto value = [&](double square) {
        const double x = 0.5 * square / s;
        if (unbounded_ == 2) return -(smooth_e1(x) + std::log(2.0 * s)) / (4.0 * pi * across);
        const double r = std::sqrt(square);
        return -(0.5 * r * std::erf(std::sqrt(x)) + bells.sigma * std::exp(-x) / std::sqrt(2.0 * pi)) / across;
    };
    const std::size_t a = along.front();
    const std::size_t b = along.back();
    const auto count = [&](std::size_t axis) { return extents[axis]; };
    const auto at = [&](std::size_t axis, Index j) {
        return points_[axis][static_cast<std::size_t>(axis == 0 ? first + j : j)];
    };
    for (const Bells::Place& place : bells.places) {
        const std::array<double, 3> from{place.x, place.y, bells.z};
        const std::vector<Image> images_a = heat_[a].images(from[a]);
        const std::vector<Image> images_b = a == b ? std::vector<Image>{{0.0, 1.0}} : heat_[b].images(from[b]);
        for (Index p = 0; p < count(a); ++p)
            for (Index q = 0; q < (a == b ? 1 : count(b)); ++q) {
                double k = 0.0;
                for (const Image& one : images_a)
                    for (const Image& other : images_b) {
                        const double dx = at(a, p) - one.place;
                        const double dy = a == b ? 0.0 : at(b, q) - other.place;
                        k += one.sign * other.sign * value(dx * dx + dy * dy);
                    }
                Extents begin{}, end = extents;
                begin[a] = p, end[a] = p + 1;
                if (a != b) begin[b] = q, end[b] = q + 1;
                for (Index i = begin[0]; i < end[0]; ++i)
                    for (Index j = begin[1]; j < end[1]; ++j)
                        for (Index l = begin[2]; l < end[2]; ++l) sum.view()(i, j, l) += place.amount * k;
            }
    }
}

template <class T>
void BellField::fill(Index first, FieldView<T> rhs, FieldView<T> exact) const {
    const auto store = [](const Field<double>& sum, double factor, FieldView<T> out) {
        for (Index i = 0; i < out.extents[0]; ++i)
            for (Index j = 0; j < out.extents[1]; ++j)
                for (Index k = 0; k < out.extents[2]; ++k)
                    out(i, j, k) = static_cast<T>(factor * sum.view()(i, j, k));
    };
    const auto zero = [](FieldView<T> view) {
        Field<double> sum(view.extents);
        std::fill_n(sum.data(), sum.size(), 0.0);
        return sum;
    };
    if (rhs.data != nullptr) {
        Field<double> sum = zero(rhs);
        const std::vector<Product> parts = products(open_ && unbounded_ == 0);
        for (const Bells& bells : bells_) add_products(bells, parts, bells.sigma * bells.sigma, 1.0, first, sum);
        store(sum, 1.0, rhs);
    }
    if (exact.data == nullptr) return;
    Field<double> sum = zero(exact);
    const std::vector<Product> parts = products(open_);
    for (const Bells& bells : bells_) {
        for (const Node& node : nodes(bells.sigma))
            add_products(bells, parts, bells.sigma * bells.sigma + node.variance, node.weight, first, sum);
        add_far_mode(bells, first, sum);
    }
    store(sum, -1.0, exact);
}

template void BellField::fill(Index, FieldView<float>, FieldView<float>) const;
template void BellField::fill(Index, FieldView<double>, FieldView<double>) const;

}  // namespace poisson3d
