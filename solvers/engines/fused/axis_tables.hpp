// One axis as the fused passes see it.
//
// A line has samples (the unknowns in natural order), rows (positions of its FFTs going in, modes of them coming
// out) and slots: modes in the order of rows, FFT by FFT, which is how they lie in the rotated field. Line plans
// (line_plan.hpp) say which row, sign and α belong to which sample and mode; type I lines have rules of their own
// (symmetric.hpp).
#pragma once

#include <vector>

#include "axis_kind.hpp"
#include "poisson3d/solver.hpp"
#include "symmetric.hpp"
#include "twin_tables.hpp"

namespace poisson3d::fused {

template <class T>
struct SymmetricTable {
    Symmetric<T> head;
    std::vector<std::uint32_t> places, words;
    std::vector<Complex<T>> turns;
};

template <class T>
struct AxisTables {
    AxisKind kind{};
    Kind form = Kind::two;
    bool eights = false;  ///< see Known
    FftPlan<T> plan;
    TwinsTable<T> samples, modes;
    SymmetricTable<T> symmetric;  ///< in the place of `samples`, if its radix is not 0
    SlotsTable<T> samples_in, modes_out, modes_in, samples_out;
    T gain = 1;                     ///< modes come out so many times too large
    std::vector<T> eigenvalues;     ///< by slot
    std::vector<Complex<T>> pairs;  ///< eigenvalues of the elements of slots of `modes`
};

/// Whether all FFTs of the axis have radices 2, 3, 5, 7 only, and its tables words for it.
bool has_tables(const Axis& axis);

template <class T>
AxisTables<T> make_axis_tables(const Axis& axis, Discretization discretization);

}  // namespace poisson3d::fused
