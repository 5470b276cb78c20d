// One free axis closed by walls: every mode of the two other axes is a line of its own, and what its ends have in
// empty space follows from u next to the walls. With r = e^{−ℓ}, ℓ = 2 asinh(κh/2), κ² = λ + μ, n unknowns:
//
//     two free faces, cells    t = ½ u(in)    g₊ = t₊ (1 + r)(1 + rⁿ)/(1 − r)    g₋ = t₋ (1 + r)(1 − rⁿ)/(1 − r)
//                     nodes    t = u(in)      g± = t± r (1 ± r^{n+1})/(1 − r²)
//     one, cells                              g = t (1 + r)(1 ± r^{2n})/(1 − r)      + Neumann, − Dirichlet
//          nodes                              g = t r (1 ± r^m)/(1 − r²)     m = 2n Neumann, 2n + 2 Dirichlet
//
// t± are sums and differences of the two ends. κ = 0: the limit where signs differ; where they are equal, −|x|/2 in
// the place of e^{−κ|x|}/2κ, which leaves u as it is far away; or, where another constant is taken from u in the
// end (free_faces.hpp), 0.
#pragma once

#include <cmath>

#include "axis_kind.hpp"
#include "closed_axis.hpp"

namespace poisson3d::lines {

class ClosedEnds {
public:
    /// Of the free axis, and how it is closed. With the constant of far away, or that with which the ends add up
    /// to 0 where κ is 0.
    ClosedEnds(const Axis& axis, const ClosedAxis& closed, bool far = true)
        : faces_(closed.faces),
          mean_(closed.mean),
          step_(axis.step()),
          unknowns_(static_cast<double>(axis_kind(axis).unknowns)),
          dirichlet_(axis.lower == Boundary::dirichlet || axis.upper == Boundary::dirichlet),
          far_(far) {}

    /// A face's value over u next to it, of part 0 or 1 (ClosedAxis).
    [[nodiscard]] double factor(double kappa, int part) const {
        const bool plus = faces_ == 2 ? part == 0 : !dirichlet_;
        double apart = faces_ == 2 ? unknowns_ : 2 * unknowns_;  // of the two charges, in steps
        if (!mean_) apart = faces_ == 2 ? unknowns_ + 1 : plus ? 2 * unknowns_ : 2 * unknowns_ + 2;
        const double length = 2 * std::asinh(kappa * step_ / 2);
        if (length == 0.0) {
            if (plus && !far_) return 0.0;
            const double sum = plus ? -apart : apart;
            return mean_ ? sum : sum / 2;
        }
        const double far = plus ? 1 + std::exp(-length * apart) : -std::expm1(-length * apart);
        const double r = std::exp(-length);
        return mean_ ? 0.5 * (1 + r) * far / -std::expm1(-length) : r * far / -std::expm1(-2 * length);
    }

private:
    int faces_;
    bool mean_;
    double step_, unknowns_;
    bool dirichlet_, far_;
};

}  // namespace poisson3d::lines
