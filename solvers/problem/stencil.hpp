// The second-order operator of a problem (neighbours.hpp), row by row, on the host.
#pragma once

#include <array>
#include <vector>

#include "neighbours.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d {

/// The arrays of UnevenSteps; empty where every axis has a fast transform.
struct UnevenStepArrays {
    std::array<std::vector<double>, 3> lower, upper, weight;

    /// Couplings times `unit`.
    explicit UnevenStepArrays(const Grid& grid, double unit = 1.0);
    [[nodiscard]] UnevenSteps view() const noexcept;
};

/// Valid as long as `steps`, which are those of problem.grid.
SevenPoint make_seven_point(const Problem& problem, const UnevenStepArrays& steps) noexcept;

class Stencil {
public:
    /// `unit` times the operator; a power of two changes no digit.
    explicit Stencil(const Problem& problem, double unit = 1.0)
        : steps_(problem.grid, unit), operator_(make_seven_point(problem, steps_)) {
        for (double& inverse_square : operator_.inverse_square) inverse_square *= unit;
        operator_.helmholtz *= unit;
    }
    Stencil(const Stencil&) = delete;
    Stencil& operator=(const Stencil&) = delete;

    /// Unknowns of each axis: first and count.
    [[nodiscard]] Index first(int axis) const noexcept { return operator_.axis[axis].first; }
    [[nodiscard]] Index count(int axis) const noexcept {
        return operator_.axis[axis].last - operator_.axis[axis].first + 1;
    }
    [[nodiscard]] bool unknown(int axis, Index j) const noexcept { return operator_.axis[axis].unknown(j); }

    /// out[k] = (L u)(i, j, k) for all unknowns k of row (i, j), itself a row of unknowns; `out` is a full row.
    template <class T>
    void row(FieldView<const T> u, Index i, Index j, double* out) const {
        operator_.along(operator_.row(u.data, u.strides[0], u.strides[1], i, j),
                        [out](Index k, double value) { out[k] = value; });
    }

private:
    UnevenStepArrays steps_;
    SevenPoint operator_;
};

}  // namespace poisson3d
