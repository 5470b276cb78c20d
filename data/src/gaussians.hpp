// Gaussians between any faces: right-hand sides whose exact solution is an integral over time.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "axis_heat.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// Gaussians of one width at one height, each with its place along the two slower axes and what it amounts to.
struct Bells {
    struct Place {
        double x, y, amount;  ///< ∫ f
    };
    double sigma, z;
    std::vector<Place> places;
};

/// The Gaussians of the known fields gaussians and ring, from the lower faces of this box.
std::vector<Bells> bells_of(const std::string& field, const Grid& grid);

/// f, a sum of Gaussians with their images, and u for them. Singular problems: f without its mean, u with mean 0.
class BellField {
public:
    /// Throws Error{usage} for Robin faces, coefficients and λ < 0.
    BellField(const std::string& field, const Problem& problem);

    /// Planes first … of f and of u; either may be empty.
    template <class T>
    void fill(Index first, FieldView<T> rhs, FieldView<T> exact) const;

private:
    /// Which part of an axis' heat stands in a product: all of it, its constant mode, or the rest.
    enum class Part { all, constant, rest };
    using Product = std::array<Part, 3>;
    struct Node {
        double variance;  ///< beside that of the Gaussian, 2t
        double weight;    ///< with e^{−λt}
    };
    /// part(x_j, from, s) at stored points first … first + count − 1.
    [[nodiscard]] std::vector<double> table(std::size_t axis, Part part, double from, double s, Index first,
                                            Index count) const;
    [[nodiscard]] std::vector<Product> products(bool without_constant) const;
    [[nodiscard]] std::vector<Node> nodes(double sigma) const;
    void add_products(const Bells& bells, const std::vector<Product>& parts, double s, double weight, Index first,
                      Field<double>& sum) const;
    void add_far_mode(const Bells& bells, Index first, Field<double>& sum) const;

    Problem problem_;
    std::vector<Bells> bells_;
    std::array<AxisHeat, 3> heat_;
    std::array<std::vector<double>, 3> points_;  ///< from the lower face
    int unbounded_ = 0;
    bool open_ = false;  ///< λ = 0, and the axes without free faces share a constant mode
};

}  // namespace poisson3d
