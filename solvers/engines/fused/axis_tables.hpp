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

bool type_one(const AxisKind& kind);
/// N of a type I line.
Index half_period(const AxisKind& kind);

/// Who transforms lines: the engine's own kernels, or cuFFT in batches.
enum class Way : std::uint8_t { kernels, batches };

/// Whether the tables have words for every sample and place of the axis' lines, and by kernels: whether all FFTs
/// have radices 2, 3, 5, 7 only.
bool has_tables(const Axis& axis, Way way);

template <class T>
AxisTables<T> make_axis_tables(const Axis& axis, Discretization discretization, Way way = Way::kernels);

}  // namespace poisson3d::fused
