// Gauss–Legendre quadrature: Σ w_i p(x_i) = ∫_a^b p(x) dx for every polynomial p of degree below 2 · points.
//
// x_i are the zeros of the Legendre polynomial P, found by Newton's method, w_i = 2 / ((1 − x_i²) P'(x_i)²) on [−1,
// 1]. Source: Abramowitz and Stegun, 25.4.29.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

namespace poisson3d {

struct QuadraturePoint {
    long double x, weight;
};

inline std::vector<QuadraturePoint> gauss_legendre(int points, long double a, long double b) {
    std::vector<QuadraturePoint> result;
    result.reserve(points);
    for (int i = 0; i < points; ++i) {
        long double x = -std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (points + 0.5L));
        long double slope = 0;
        for (int step = 0; step < 12; ++step) {
            long double before = 1;
            long double value = x;
            for (int k = 2; k <= points; ++k) {
                const long double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
                before = value;
                value = next;
            }
            slope = points * (x * value - before) / (x * x - 1);
            const long double change = value / slope;
            x -= change;
            if (std::abs(change) < 1e-18L) break;
        }
        const long double weight = 2 / ((1 - x * x) * slope * slope);
        result.push_back({(a + b) / 2 + x * (b - a) / 2, weight * (b - a) / 2});
    }
    return result;
}

}  // namespace poisson3d
