// The problems the tests solve: the ten kinds of axis, their thousand combinations, and fields without pattern.
//
// Points, spacings and origins of the three axes differ, so that an axis taken for another shows.
#pragma once

#include <array>
#include <ostream>
#include <string>
#include <string_view>

#include "poisson3d/field.hpp"
#include "poisson3d/solver.hpp"
#include "random_values.hpp"

namespace poisson3d {

/// What a failed parameterised test prints.
inline void PrintTo(Discretization discretization, std::ostream* out) {
    *out << name(discretization);
}

}  // namespace poisson3d

namespace poisson3d::test {

struct Kind {
    Centering centering;
    Boundary lower, upper;
    std::string_view name;  ///< letters and digits only: part of test names
};

inline constexpr std::array<Kind, 10> kinds{{
    {Centering::cell, Boundary::periodic, Boundary::periodic, "CellP"},
    {Centering::cell, Boundary::dirichlet, Boundary::dirichlet, "CellDD"},
    {Centering::cell, Boundary::neumann, Boundary::neumann, "CellNN"},
    {Centering::cell, Boundary::dirichlet, Boundary::neumann, "CellDN"},
    {Centering::cell, Boundary::neumann, Boundary::dirichlet, "CellND"},
    {Centering::node, Boundary::periodic, Boundary::periodic, "NodeP"},
    {Centering::node, Boundary::dirichlet, Boundary::dirichlet, "NodeDD"},
    {Centering::node, Boundary::neumann, Boundary::neumann, "NodeNN"},
    {Centering::node, Boundary::dirichlet, Boundary::neumann, "NodeDN"},
    {Centering::node, Boundary::neumann, Boundary::dirichlet, "NodeND"},
}};

/// Places in `kinds` by name, for tests that need particular ones.
enum KindName { cell_p, cell_dd, cell_nn, cell_dn, cell_nd, node_p, node_dd, node_nn, node_dn, node_nd };

using Kinds = std::array<int, 3>;  ///< indices into `kinds`, one per axis

inline constexpr int combinations = 1000;

constexpr Kinds combination(int number) {
    return {number / 100, number / 10 % 10, number % 10};
}

constexpr std::array<Discretization, 2> discretizations{Discretization::second_order, Discretization::spectral};

inline Axis make_axis(int kind, Index points, double spacing, double origin = 0.0) {
    return {points, spacing, origin, kinds[kind].centering, kinds[kind].lower, kinds[kind].upper};
}

inline Problem make_problem(const Kinds& which, const Extents& points,
                            Discretization discretization = Discretization::second_order, double helmholtz = 0.0) {
    Problem problem;
    problem.grid.axes = {make_axis(which[0], points[0], 0.7, -0.25), make_axis(which[1], points[1], 1.3, 3.0),
                         make_axis(which[2], points[2], 0.45, 11.5)};
    problem.discretization = discretization;
    problem.helmholtz = helmholtz;
    return problem;
}

/// The fewest points these kinds may have.
inline Extents smallest_points(const Kinds& which) {
    Extents points{};
    for (int a = 0; a < 3; ++a) points[a] = fewest_points(make_axis(which[a], 1, 1.0));
    return points;
}

/// "CellDD 5 x NodeNN 3 x CellP 7, spectral, helmholtz 0.7": tells a failed case from a thousand others.
inline std::string describe(const Problem& problem) {
    std::string text;
    for (const Axis& axis : problem.grid.axes) {
        std::string_view found = "?";
        for (const Kind& kind : kinds)
            if (kind.centering == axis.centering && kind.lower == axis.lower && kind.upper == axis.upper)
                found = kind.name;
        text += (text.empty() ? "" : " x ") + std::string(found) + " " + std::to_string(axis.points);
    }
    return text + ", " + name(problem.discretization) + ", helmholtz " + std::to_string(problem.helmholtz);
}

/// Values without pattern in [−1, 1), the same in float and double.
template <class T>
Field<T> random_field(const Extents& points, std::uint64_t seed = 0) {
    Field<T> field(points);
    for (Index i = 0; i < field.size(); ++i) field.data()[i] = static_cast<T>(uniform(i, seed));
    return field;
}

/// A field filled with a value no solve gives, so that an element left unwritten shows.
template <class T>
Field<T> filled_field(const Extents& points, T value = T(-7.7e7)) {
    Field<T> field(points);
    for (Index i = 0; i < field.size(); ++i) field.data()[i] = value;
    return field;
}

template <class T>
FieldView<const T> read(const Field<T>& field) {
    return field.view();
}

}  // namespace poisson3d::test
