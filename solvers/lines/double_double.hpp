// Twice the precision of double: a number is the unevaluated sum of two doubles, the second at most half a unit in
// the last place of the first. Errors of an operation are a few 2⁻¹⁰⁴, of a sum with quick_sum() of its greater
// term. V is double or a pack of SIMD lanes of it (lanes.hpp), a number in each. Host and device share this file;
// it must not be compiled with reassociation (-ffast-math), nor, with packs, with contraction of products and sums.
// Source: Dekker, Numer. Math. 18 (1971); Knuth, TAOCP 2, 4.2.2.
#pragma once

#include <cmath>

#include "host_device.hpp"

namespace poisson3d::lines {

/// ab + c, rounded once.
POISSON3D_HD double product_and_sum(double a, double b, double c) {
    return std::fma(a, b, c);
}

template <class V>
struct Doubled {
    V high{}, low{};

    Doubled() = default;
    POISSON3D_HD Doubled(V value) : high(value) {}
    POISSON3D_HD Doubled(V high_, V low_) : high(high_), low(low_) {}
    POISSON3D_HD explicit operator V() const { return high + low; }

    /// a + b and its rounding error; |a| ≥ |b|, or not.
    static POISSON3D_HD Doubled sum_of_ordered(V a, V b) {
        const V sum = a + b;
        return {sum, b - (sum - a)};
    }
    static POISSON3D_HD Doubled sum_of(V a, V b) {
        const V sum = a + b;
        const V part = sum - a;
        return {sum, (a - (sum - part)) + (b - part)};
    }
    static POISSON3D_HD Doubled product_of(V a, V b) {
        const V product = a * b;
        return {product, product_and_sum(a, b, -product)};
    }

    friend POISSON3D_HD Doubled operator+(Doubled a, Doubled b) {
        const Doubled high = sum_of(a.high, b.high);
        const Doubled low = sum_of(a.low, b.low);
        const Doubled first = sum_of_ordered(high.high, high.low + low.high);
        return sum_of_ordered(first.high, first.low + low.low);
    }
    friend POISSON3D_HD Doubled quick_sum(Doubled a, Doubled b) {
        const Doubled high = sum_of(a.high, b.high);
        return sum_of_ordered(high.high, high.low + (a.low + b.low));
    }
    friend POISSON3D_HD Doubled operator-(Doubled a) { return {-a.high, -a.low}; }
    friend POISSON3D_HD Doubled operator-(Doubled a, Doubled b) { return a + -b; }
    friend POISSON3D_HD Doubled operator*(Doubled a, V b) {
        const Doubled product = product_of(a.high, b);
        return sum_of_ordered(product.high, product_and_sum(a.low, b, product.low));
    }
    friend POISSON3D_HD Doubled operator*(Doubled a, Doubled b) {
        const Doubled product = product_of(a.high, b.high);
        return sum_of_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
    }
    /// Quotient and remainder, and the quotient of the remainder.
    friend POISSON3D_HD Doubled operator/(Doubled a, V b) {
        const V first = a.high / b;
        const Doubled rest = a - product_of(first, b);
        return sum_of_ordered(first, (rest.high + rest.low) / b);
    }
    friend POISSON3D_HD Doubled operator/(Doubled a, Doubled b) {
        const V first = a.high / b.high;
        const Doubled rest = a - b * first;
        return sum_of_ordered(first, static_cast<V>(rest) / b.high);
    }
};

using DoubleDouble = Doubled<double>;

}  // namespace poisson3d::lines
