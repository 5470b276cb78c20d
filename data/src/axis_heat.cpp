#include "axis_heat.hpp"

#include <cmath>
#include <numbers>

namespace poisson3d {

namespace {

using std::numbers::pi;
constexpr double gone = 80.0;  ///< e^{−gone/2} and less is nothing beside 1

double bell(double r, double s) {
    return std::exp(-0.5 * r * r / s) / std::sqrt(2.0 * pi * s);
}

double sign_of(Boundary wall) {
    return wall == Boundary::dirichlet ? -1.0 : 1.0;
}

}  // namespace

AxisHeat::AxisHeat(Boundary lower, Boundary upper, double length) : lower_(lower), upper_(upper), length_(length) {
    for (const Boundary face : {lower, upper}) {
        free_ += face == Boundary::free ? 1 : 0;
        grounded_ = grounded_ || face == Boundary::dirichlet;
    }
    has_constant_ = free_ == 0 && !grounded_;
}

std::vector<Image> AxisHeat::images(double from) const {
    std::vector<Image> all{{from, 1.0}};
    if (free_ == 1) {
        const bool below = lower_ != Boundary::free;
        all.push_back({below ? -from : 2.0 * length_ - from, sign_of(below ? lower_ : upper_)});
    }
    return all;
}

double AxisHeat::sum_of_images(double x, double from, double s) const {
    const double reach = std::sqrt(gone * s);
    double sum = 0.0;
    if (lower_ == Boundary::periodic) {
        const double least = std::ceil((x - from - reach) / length_);
        for (double m = least; m * length_ <= x - from + reach; ++m) sum += bell(x - from - m * length_, s);
        return sum;
    }
    // Reflected at both walls in turn: places ±from + 2 m length, each wall passed with its sign.
    const double both = sign_of(lower_) * sign_of(upper_);
    const double period = 2.0 * length_;
    for (const double mirrored : {1.0, -1.0}) {
        const double place = mirrored * from;
        for (double m = std::ceil((x - place - reach) / period); m * period <= x - place + reach; ++m) {
            const double sign = std::fmod(std::abs(m), 2.0) == 1.0 ? both : 1.0;
            sum += sign * (mirrored > 0.0 ? 1.0 : sign_of(lower_)) * bell(x - place - m * period, s);
        }
    }
    return sum;
}

double AxisHeat::sum_of_modes(double x, double from, double s) const {
    const bool periodic = lower_ == Boundary::periodic;
    const bool below = lower_ == Boundary::dirichlet;
    const bool above = upper_ == Boundary::dirichlet;
    double sum = 0.0;
    for (int m = below != above ? 0 : 1;; ++m) {
        const double k = pi / length_ * (periodic ? 2.0 * m : below != above ? m + 0.5 : static_cast<double>(m));
        if (k * k * s > gone) return sum;
        const double shape = periodic ? std::cos(k * (x - from))
                             : below  ? std::sin(k * x) * std::sin(k * from)
                                      : std::cos(k * x) * std::cos(k * from);
        sum += 2.0 / length_ * shape * std::exp(-0.5 * k * k * s);
    }
}

double AxisHeat::rest(double x, double from, double s) const {
    if (free_ > 0) {
        double sum = 0.0;
        for (const auto& [place, sign] : images(from)) sum += sign * bell(x - place, s);
        return sum;
    }
    if (s > 0.1 * length_ * length_) return sum_of_modes(x, from, s);
    return sum_of_images(x, from, s) - constant();
}

double AxisHeat::least_square() const noexcept {
    if (free_ > 0) return 0.0;
    const bool mixed = lower_ != upper_;
    const double k = pi / length_ * (lower_ == Boundary::periodic ? 2.0 : mixed ? 0.5 : 1.0);
    return k * k;
}

}  // namespace poisson3d
