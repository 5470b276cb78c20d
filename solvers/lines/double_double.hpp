// Twice the precision of double: a number is the unevaluated sum of two doubles, the second at most half a unit in
// the last place of the first. Errors of an operation are a few 2⁻¹⁰⁴. Host and device share this file; it must not
// be compiled with reassociation (-ffast-math).
// Source: Dekker, Numer. Math. 18 (1971); Knuth, TAOCP 2, 4.2.2.
#pragma once

#include <cmath>

#include "host_device.hpp"

namespace poisson3d::lines {

struct DoubleDouble {
    double high = 0.0, low = 0.0;

    DoubleDouble() = default;
    POISSON3D_HD DoubleDouble(double value) : high(value) {}
    POISSON3D_HD DoubleDouble(double high_, double low_) : high(high_), low(low_) {}
    POISSON3D_HD explicit operator double() const { return high + low; }

    /// a + b and its rounding error; |a| ≥ |b|, or not.
    static POISSON3D_HD DoubleDouble sum_of_ordered(double a, double b) {
        const double sum = a + b;
        return {sum, b - (sum - a)};
    }
    static POISSON3D_HD DoubleDouble sum_of(double a, double b) {
        const double sum = a + b;
        const double part = sum - a;
        return {sum, (a - (sum - part)) + (b - part)};
    }
    static POISSON3D_HD DoubleDouble product_of(double a, double b) {
        const double product = a * b;
        return {product, std::fma(a, b, -product)};
    }

    friend POISSON3D_HD DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
        const DoubleDouble high = sum_of(a.high, b.high);
        const DoubleDouble low = sum_of(a.low, b.low);
        const DoubleDouble first = sum_of_ordered(high.high, high.low + low.high);
        return sum_of_ordered(first.high, first.low + low.low);
    }
    friend POISSON3D_HD DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }
    friend POISSON3D_HD DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
    friend POISSON3D_HD DoubleDouble operator*(DoubleDouble a, double b) {
        const DoubleDouble product = product_of(a.high, b);
        return sum_of_ordered(product.high, std::fma(a.low, b, product.low));
    }
    /// Quotient and remainder, and the quotient of the remainder.
    friend POISSON3D_HD DoubleDouble operator/(DoubleDouble a, double b) {
        const double first = a.high / b;
        const DoubleDouble rest = a - product_of(first, b);
        return sum_of_ordered(first, (rest.high + rest.low) / b);
    }
    friend POISSON3D_HD DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
        const double first = a.high / b.high;
        const DoubleDouble rest = a - b * first;
        return sum_of_ordered(first, static_cast<double>(rest) / b.high);
    }
};

}  // namespace poisson3d::lines
