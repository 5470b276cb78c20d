#include "axis_functions.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace poisson3d {

namespace {

using std::numbers::pi;

AxisFunction sine(double frequency) {
    return [frequency](double t) {
        const double value = std::sin(frequency * t);
        return Sample{value, frequency * std::cos(frequency * t), -frequency * frequency * value};
    };
}

AxisFunction cosine(double frequency, double phase) {
    return [frequency, phase](double t) {
        const double value = std::cos(frequency * t + phase);
        return Sample{value, -frequency * std::sin(frequency * t + phase), -frequency * frequency * value};
    };
}

AxisFunction sum(const std::vector<AxisFunction>& parts, const std::vector<double>& amplitudes) {
    return [parts, amplitudes](double t) {
        Sample sum;
        for (std::size_t m = 0; m < parts.size(); ++m) {
            const Sample part = parts[m](t);
            sum.value += amplitudes[m] * part.value;
            sum.first += amplitudes[m] * part.first;
            sum.second += amplitudes[m] * part.second;
        }
        return sum;
    };
}

}  // namespace

AxisFunction constant() {
    return [](double) { return Sample{1.0, 0.0, 0.0}; };
}

AxisFunction wave(int m, double phase) {
    return cosine(2.0 * pi * m, phase);
}

AxisFunction eigenfunction(Boundary lower, Boundary upper, int m, double phase) {
    if (lower == Boundary::periodic) return wave(m, phase);
    const double frequency = lower == upper ? pi * m : pi * (m - 0.5);
    return lower == Boundary::dirichlet ? sine(frequency) : cosine(frequency, 0.0);
}

AxisFunction bump(double c) {
    // 4 (t − t² + c t³ − c t⁴)
    return [c](double t) {
        return Sample{4.0 * t * (1.0 - t) * (1.0 + c * t * t), 4.0 * (1.0 - 2.0 * t + c * t * t * (3.0 - 4.0 * t)),
                      4.0 * (-2.0 + c * t * (6.0 - 12.0 * t))};
    };
}

AxisFunction core(double kappa) {
    return [kappa](double t) {
        const double s = 2.0 * t - 1.0;
        const double ratio = std::cosh(kappa * s) / std::cosh(kappa), slope = kappa * std::tanh(kappa);
        const double first = kappa * std::sinh(kappa * s) / std::cosh(kappa) - slope * s;
        return Sample{ratio - 0.5 * slope * s * s, 2.0 * first,
                      4.0 * (kappa * kappa * ratio - slope)};  // ds/dt = 2
    };
}

AxisFunction wall_layer(double kappa) {
    const double end = std::exp(-kappa), quadratic = 0.5 * kappa * (end - 1.0);
    const double mean = (1.0 - end) / kappa + 0.5 * kappa + quadratic / 3.0;
    return [kappa, quadratic, mean](double t) {
        const double layer = std::exp(-kappa * t);
        return Sample{layer + kappa * t + quadratic * t * t - mean, kappa * (1.0 - layer) + 2.0 * quadratic * t,
                      kappa * kappa * layer + 2.0 * quadratic};
    };
}

AxisFunction polynomial(const std::vector<double>& coefficients) {
    return [coefficients](double t) {
        Sample p;  // Horner's rule, differentiated twice
        for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) {
            p.second = p.second * t + 2.0 * p.first;
            p.first = p.first * t + p.value;
            p.value = p.value * t + *c;
        }
        return p;
    };
}

AxisFunction cosine_series(const std::vector<double>& amplitudes) {
    std::vector<AxisFunction> parts;
    for (std::size_t m = 0; m < amplitudes.size(); ++m) parts.push_back(cosine(pi * static_cast<double>(m), 0.0));
    return sum(parts, amplitudes);
}

AxisFunction sine_series(const std::vector<double>& amplitudes) {
    std::vector<AxisFunction> parts;
    for (std::size_t m = 0; m < amplitudes.size(); ++m) parts.push_back(sine(pi * static_cast<double>(m + 1)));
    return sum(parts, amplitudes);
}

}  // namespace poisson3d
