// One axis as passes see it.
//
// A line has samples (the unknowns in natural order), rows (positions of its FFTs going in, modes of them coming
// out) and slots: modes in the order of rows, FFT by FFT, which is how they lie in the rotated field. Line plans
// (line_plan.hpp) say which row, sign and α belong to which sample and mode; type I lines have rules of their own
// (symmetric.hpp).
#pragma once

#include <vector>

#include "axis_kind.hpp"
#include "butterfly_pair_tables.hpp"
#include "chirp_tables.hpp"
#include "folded_matrices.hpp"
#include "pair_map.hpp"
#include "poisson3d/solver.hpp"
#include "real_matrices.hpp"
#include "symmetric.hpp"

namespace poisson3d::lines {

template <class T, class Format = Compact>
struct SymmetricTable {
    Symmetric<T, Format> view;
    std::vector<typename Format::Word> offsets, words;
    std::vector<Complex<T>> twiddles;
};

template <class T, class Format = Compact>
struct AxisTables {
    AxisKind kind{};
    Kind form = Kind::type2;
    Outer outer = Outer::large;  ///< which kernels serve the outer steps
    FftPlan<T, Format> plan;
    ChirpTables<T> chirp;
    RealMatrices real;      ///< of matrix steps and form type2 (real_matrix_steps.hpp) …
    FoldedMatrices folded;  ///< … or type1 (folded_matrix_steps.hpp)
    ButterflyPairTable<T, Format> samples, modes;
    SymmetricTable<T, Format> symmetric;       ///< in the place of `samples`, if its radix is not 0
    SymmetricTable<T, Format> mode_symmetric;  ///< the same of `modes`, by a chirp
    PairMapTable<T, Format> samples_in, modes_out, modes_in, samples_out;
    T gain = 1;                                ///< modes come out so many times too large
    std::vector<Index> mode_of;                ///< by slot
    std::vector<T> eigenvalues;                ///< by slot
    std::vector<Complex<T>> eigenvalue_pairs;  ///< eigenvalues of the elements of the pairs of `modes`
};

bool type_one(const AxisKind& kind);
/// N of a type I line.
Index half_period(const AxisKind& kind);

/// visit(array, pointer to it in a view) for all tables, always in the same order.
template <class T, class Format, class Visit>
void for_each_table(AxisTables<T, Format>& tables, const Visit& visit) {
    visit(tables.plan.words, tables.plan.fft.words);
    visit(tables.plan.twiddles, tables.plan.fft.twiddles);
    visit(tables.plan.matrices, tables.plan.fft.matrices);
    visit(tables.chirp.chirp, tables.chirp.view.chirp);
    visit(tables.chirp.filter, tables.chirp.view.filter);
    for (ButterflyPairTable<T, Format>* butterflies : {&tables.samples, &tables.modes}) {
        visit(butterflies->offsets, butterflies->view.offsets);
        visit(butterflies->twiddles, butterflies->view.twiddles);
    }
    for (SymmetricTable<T, Format>* symmetric : {&tables.symmetric, &tables.mode_symmetric}) {
        visit(symmetric->offsets, symmetric->view.offsets);
        visit(symmetric->words, symmetric->view.words);
        visit(symmetric->twiddles, symmetric->view.twiddles);
    }
    for (PairMapTable<T, Format>* map :
         {&tables.samples_in, &tables.modes_out, &tables.modes_in, &tables.samples_out}) {
        visit(map->words, map->view.words);
        visit(map->alpha, map->view.alpha);
    }
}

/// How the FFTs of a line are done: by radix steps, the outer ones while lines are loaded and stored; by
/// convolution with a chirp (chirp.hpp, symmetric_chirp.hpp), for any length; whole, by others; by steps that are
/// products with matrices (matrix_units.hpp). Without FFTs and tables: lines are multiplied with the matrix of
/// their modes (line_modes.hpp); or none, where the axis is eliminated (elimination.hpp).
enum class LineMethod : std::uint8_t { radix_steps, chirp, whole_ffts, matrix_steps, matrix, none };
constexpr bool has_ffts(LineMethod method) {
    return method < LineMethod::matrix;
}

/// Whether the tables have words for every sample and offset of the axis' lines, and by radix steps: whether all
/// FFTs have radices that the format has.
template <class Format = Compact>
bool has_tables(const Axis& axis, LineMethod method);

/// Whether a chirp of an axis is that of its even or odd line (symmetric_chirp.hpp): of type I always, of others
/// but periodic ones where kernels know it.
template <class Format>
bool symmetric_chirp(const AxisKind& kind);

/// `count` FFTs of `length` on every line, but by a symmetric chirp; `first`: with an outer step next to samples.
struct LineFfts {
    Index count;
    Index length;
    bool first;
};
template <class Format = Plain>
LineFfts line_ffts(const Axis& axis);

/// Elements that the FFTs of a line take with their padding, of tables that there are.
template <class Format>
Index line_elements(const Axis& axis, LineMethod method);

/// `team`: who makes the tables of a chirp; null: the caller alone.
template <class T, class Format = Compact>
AxisTables<T, Format> make_axis_tables(const Axis& axis, Discretization discretization,
                                       LineMethod method = LineMethod::radix_steps, ThreadTeam* team = nullptr);

}  // namespace poisson3d::lines
