// Heat on one axis between its faces: what a unit of it at x' has become at x when its variance would be s in free
// space, walls and periods by images.
//
//     free        g(x − x'),  g(r) = (2πs)^{−1/2} e^{−r²/2s}
//     one wall    g(x − x') ± g(x + x')                            + Neumann, − Dirichlet, from the wall
//     both ends   Σ of these over all images  =  Σ_k φ_k(x) φ_k(x') e^{−k² s/2}
//
// where s is small the images are summed, else the modes. Source: Carslaw and Jaeger, Conduction of Heat in Solids
// (1959), chapter X.
#pragma once

#include <vector>

#include "poisson3d/grid.hpp"

namespace poisson3d {

/// A place and the sign of an image.
struct Image {
    double place, sign;
};

class AxisHeat {
public:
    /// Faces are periodic, Dirichlet, Neumann or free ones; `length` from face to face.
    AxisHeat(Boundary lower, Boundary upper, double length);

    [[nodiscard]] bool unbounded() const noexcept { return free_ > 0; }
    [[nodiscard]] bool grounded() const noexcept { return grounded_; }
    [[nodiscard]] double length() const noexcept { return length_; }

    /// Between 0 and length, both from the lower face.
    [[nodiscard]] double operator()(double x, double from, double s) const { return constant() + rest(x, from, s); }
    /// The same without the mode that is constant, 1/length, of axes that have it.
    [[nodiscard]] double rest(double x, double from, double s) const;
    /// The least k² of the modes but the constant; 0 of free axes.
    [[nodiscard]] double least_square() const noexcept;
    /// Of axes with a free face: the place itself, and its image if there is one.
    [[nodiscard]] std::vector<Image> images(double from) const;

private:
    /// What rest() leaves out: 1/length where the constant is a mode.
    [[nodiscard]] double constant() const noexcept { return has_constant_ ? 1.0 / length_ : 0.0; }
    [[nodiscard]] double sum_of_images(double x, double from, double s) const;
    [[nodiscard]] double sum_of_modes(double x, double from, double s) const;

    Boundary lower_, upper_;
    double length_;
    int free_ = 0;
    bool grounded_ = false, has_constant_ = false;
};

}  // namespace poisson3d
