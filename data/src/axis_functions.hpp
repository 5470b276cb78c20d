// Functions of one axis with their derivatives: the factors known fields are made of.
#pragma once

#include <functional>
#include <vector>

#include "poisson3d/grid.hpp"

namespace poisson3d {

/// Value and derivatives at one position.
struct Sample {
    double value = 0.0;
    double first = 0.0;
    double second = 0.0;
};

/// A function of t in [0, 1], the position between the lower face (0) and the upper face (1) of an axis; the
/// derivatives are by t.
using AxisFunction = std::function<Sample(double t)>;

/// 1.
AxisFunction constant();
/// cos(2π m t + phase): periodic.
AxisFunction wave(int m, double phase);
/// The m-th (m = 1, 2, …) eigenfunction of d²/dt² for these faces, without the constant:
/// periodic cos(2π m t + phase), D–D sin(π m t), N–N cos(π m t), D–N sin(π (m − ½) t), N–D cos(π (m − ½) t).
AxisFunction eigenfunction(Boundary lower, Boundary upper, int m, double phase);
/// 4 t (1 − t) (1 + c t²): vanishes at both ends; no eigenfunction, no symmetry for c ≠ 0.
AxisFunction bump(double c);
/// cosh(κ s)/cosh(κ) − ½ κ tanh(κ) s² with s = 2 t − 1: slope 0 at both ends, even about the middle.
AxisFunction core(double kappa);
/// e^{−κ t} + κ t + ½ κ (e^{−κ} − 1) t² less its mean: slope 0 at both ends, a layer at the lower one, integral 0.
AxisFunction wall_layer(double kappa);
/// c₀ + c₁ t + c₂ t² + …
AxisFunction polynomial(const std::vector<double>& coefficients);
/// a₀ + a₁ cos(π t) + a₂ cos(2π t) + …
AxisFunction cosine_series(const std::vector<double>& amplitudes);
/// a₁ sin(π t) + a₂ sin(2π t) + …, given from a₁ on.
AxisFunction sine_series(const std::vector<double>& amplitudes);

}  // namespace poisson3d
