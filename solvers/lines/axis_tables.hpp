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

namespace poisson3d::lines {

template <class T, class Format = Compact>
struct SymmetricTable {
    Symmetric<T, Format> head;
    std::vector<typename Format::Word> places, words;
    std::vector<Complex<T>> turns;
};

template <class T, class Format = Compact>
struct AxisTables {
    AxisKind kind{};
    Kind form = Kind::type2;
    bool radix8 = false;  ///< see Known
    FftPlan<T, Format> plan;
    TwinsTable<T, Format> samples, modes;
    SymmetricTable<T, Format> symmetric;  ///< in the place of `samples`, if its radix is not 0
    SlotsTable<T, Format> samples_in, modes_out, modes_in, samples_out;
    T gain = 1;                     ///< modes come out so many times too large
    std::vector<Index> mode_of;     ///< by slot
    std::vector<T> eigenvalues;     ///< by slot
    std::vector<Complex<T>> pairs;  ///< eigenvalues of the elements of slots of `modes`
};

bool type_one(const AxisKind& kind);
/// N of a type I line.
Index half_period(const AxisKind& kind);

/// visit(array, the pointer to it in a head) for all tables, in one order.
template <class T, class Format, class Visit>
void for_each_table(AxisTables<T, Format>& tables, const Visit& visit) {
    visit(tables.plan.words, tables.plan.fft.words);
    visit(tables.plan.roots, tables.plan.fft.roots);
    for (TwinsTable<T, Format>* twins : {&tables.samples, &tables.modes}) {
        visit(twins->places, twins->head.places);
        visit(twins->roots, twins->head.roots);
    }
    visit(tables.symmetric.places, tables.symmetric.head.places);
    visit(tables.symmetric.words, tables.symmetric.head.words);
    visit(tables.symmetric.turns, tables.symmetric.head.turns);
    for (SlotsTable<T, Format>* slots :
         {&tables.samples_in, &tables.modes_out, &tables.modes_in, &tables.samples_out}) {
        visit(slots->words, slots->head.words);
        visit(slots->alpha, slots->head.alpha);
    }
}

/// Who transforms lines: the engine's own kernels, or an FFT library in batches.
enum class Way : std::uint8_t { kernels, batches };

/// Whether the tables have words for every sample and place of the axis' lines, and by kernels: whether all FFTs
/// have radices 2, 3, 5, 7 only.
template <class Format = Compact>
bool has_tables(const Axis& axis, Way way);

/// `count` FFTs of `length` on every line; `first`: with an outer step next to samples.
struct LineFfts {
    Index count;
    Index length;
    bool first;
};
LineFfts line_ffts(const Axis& axis);

template <class T, class Format = Compact>
AxisTables<T, Format> make_axis_tables(const Axis& axis, Discretization discretization, Way way = Way::kernels);

}  // namespace poisson3d::lines
