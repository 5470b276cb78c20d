#include "padded_axis.hpp"

#include <algorithm>

namespace poisson3d::lines {

namespace {

bool free_on_both_sides(const Axis& axis) {
    return axis.lower == Boundary::free && axis.upper == Boundary::free;
}

/// Either half of a word: an index and a sign.
template <class Word>
Word keep_index(Word half, const PresentSamples& present) {
    constexpr Word none = no_element_in<Word>;
    const Index index = static_cast<Index>(half & none) - present.first;
    if ((half & none) == none || index < 0 || index >= present.count) return none;
    return (half & ~none) | static_cast<Word>(index);
}

template <class Word>
void keep(std::vector<Word>& words, const PresentSamples& present) {
    constexpr int bits = half_bits<Word>;
    constexpr Word half = (Word(1) << bits) - 1;
    for (Word& word : words)
        word = keep_index<Word>(word & half, present) | keep_index<Word>(word >> bits & half, present) << bits;
}

/// Of a symmetric chirp, after its words: kernels that know its members by their positions read any sample where α
/// is 0.
template <class T, class Format>
void keep_members(PairMapTable<T, Format>& map, std::size_t row, const PresentSamples& present) {
    using Entry = PairMapEntryOf<typename Format::Word>;
    constexpr int none = no_element_in<typename Format::Word>;
    map.view.from += static_cast<int>(present.first);
    map.view.last = std::min(map.view.last, map.view.from + static_cast<int>(present.count) - 1);
    for (std::size_t i = 0; i < map.words.size(); ++i) {
        const Entry entry{map.words[i]};
        Complex<T>* const alpha = map.alpha.data() + i / row * 2 * row + i % row;
        if (entry.first() == none) alpha[0] = {0, 0};
        if (entry.second() == none) alpha[row] = {0, 0};
    }
}

}  // namespace

Axis padded_axis(const Axis& axis) {
    if (!axis.unbounded()) return axis;
    Axis padded = axis;
    padded.spacing = axis.step();
    padded.positions.clear();
    padded.widths.clear();
    padded.points = 2 * axis.points;
    if (free_on_both_sides(axis)) {
        padded.centering = Centering::cell;
        padded.lower = padded.upper = Boundary::periodic;
        return padded;
    }
    if (axis.centering == Centering::node) ++padded.points;
    padded.lower = padded.upper = axis.lower == Boundary::free ? axis.upper : axis.lower;
    return padded;
}

PresentSamples present_samples(const Axis& axis) {
    const AxisKind kind = axis_kind(axis), padded = axis_kind(padded_axis(axis));
    const bool wall_above = axis.lower == Boundary::free && !free_on_both_sides(axis);
    const Index shift = wall_above ? padded.points - axis.points : 0;
    return {kind.first + shift - padded.first, kind.unknowns};
}

template <class T, class Format>
AxisTables<T, Format> make_padded_tables(const Axis& axis, Discretization discretization, LineMethod method,
                                         ThreadTeam* team) {
    AxisTables<T, Format> tables = make_axis_tables<T, Format>(padded_axis(axis), discretization, method, team);
    if (!axis.unbounded()) return tables;
    const PresentSamples present = present_samples(axis);
    for (PairMapTable<T, Format>* map : {&tables.samples_in, &tables.samples_out}) {
        keep(map->words, present);
        if (tables.outer == Outer::chirp) keep_members(*map, tables.symmetric.view.row, present);
        map->view.linear = map->view.neighbours = false;
    }
    keep(tables.symmetric.words, present);
    if (tables.outer == Outer::radix8 && tables.form != Kind::type1)
        tables.outer = Outer::large;  // whose kernels ask whether an element exists
    return tables;
}

Index symbol_row(const Axis& axis, Index mode) {
    if (!axis.unbounded()) return mode;
    const Axis padded = padded_axis(axis);
    if (padded.periodic()) return std::min(mode, padded.points - mode);
    return padded.lower == Boundary::dirichlet ? mode + 1 : mode;
}

template AxisTables<float> make_padded_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);
template AxisTables<double> make_padded_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);
template AxisTables<float, Plain> make_padded_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);
template AxisTables<double, Plain> make_padded_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);

}  // namespace poisson3d::lines
