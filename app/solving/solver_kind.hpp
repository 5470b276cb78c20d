// The solvers the program chooses from by precision, and what is different about each.
#pragma once

#include <type_traits>

#include "command_line/options.hpp"
#include "poisson3d/mixed_solver.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::app {

template <class S>
struct SolverKind;
template <>
struct SolverKind<Solver<float>> {
    using Value = float;
    static constexpr Precision precision = Precision::single_precision;
};
template <>
struct SolverKind<Solver<double>> {
    using Value = double;
    static constexpr Precision precision = Precision::double_precision;
};
template <>
struct SolverKind<MixedSolver> {
    using Value = double;
    static constexpr Precision precision = Precision::mixed;
};

/// What the fields of a solver are made of.
template <class S>
using ValueOf = typename SolverKind<S>::Value;

/// It needs the right-hand side to the end, so the solution wants a field of its own.
template <class S>
inline constexpr bool keeps_rhs = std::is_same_v<S, MixedSolver>;

/// How many fields a solve takes beside the solver's workspace.
template <class S>
inline constexpr int fields_of = keeps_rhs<S> ? 2 : 1;

}  // namespace poisson3d::app
