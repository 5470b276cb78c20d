#include "axis_tables.hpp"

#include <algorithm>

#include "folded_matrix_plan.hpp"
#include "real_matrix_plan.hpp"
#include "single_step_tables.hpp"
#include "spectrum.hpp"
#include "symmetric_chirp_tables.hpp"
#include "type_one_tables.hpp"

namespace poisson3d::lines {

template <class T, class Format>
AxisTables<T, Format> make_axis_tables(const Axis& axis, Discretization discretization, LineMethod method,
                                       ThreadTeam* team) {
    AxisTables<T, Format> tables;
    tables.kind = axis_kind(axis);
    if (!has_ffts(method)) return tables;
    tables.mode_of.resize(tables.kind.unknowns);
    const bool even_or_odd = method == LineMethod::chirp && symmetric_chirp<Format>(tables.kind);
    ThreadTeam alone(1);
    const bool by_matrices = method == LineMethod::matrix_steps;
    if (by_matrices && ends_as_real_dft(tables.kind))
        make_real_matrices(tables);
    else if (by_matrices)
        make_folded_matrices(tables);
    else if (even_or_odd)
        make_symmetric_chirp(tables, symmetric_line(tables.kind), team != nullptr ? *team : alone);
    else if (type_one(tables.kind))
        TypeOne<T, Format>(tables.kind, method, team).make(tables);
    else
        SingleStep<T, Format>(tables.kind, method, team).make(tables);
    const std::vector<double> by_mode = eigenvalues(axis, discretization);
    for (const Index mode : tables.mode_of) tables.eigenvalues.push_back(static_cast<T>(by_mode[mode]));
    if (by_matrices) return tables;
    const bool linear = tables.samples_in.view.linear && tables.samples_out.view.linear &&
                        tables.modes_in.view.linear && tables.modes_out.view.linear;
    const auto all_are = [&](Inner which) {
        return method == LineMethod::radix_steps &&
               std::ranges::all_of(tables.plan.radices.inner, [&](int r) { return has_inner_radix(which, r); });
    };
    const int at_samples = tables.form == Kind::type1 ? tables.symmetric.view.radix : tables.samples.view.radix;
    const int at_modes = tables.modes.view.radix;
    const bool radix8 = (at_samples == 8 || (tables.form == Kind::type1 && at_samples == 16)) && at_modes == 8 &&
                        (tables.form == Kind::type1 || linear);
    tables.outer = even_or_odd                                                ? Outer::chirp
                   : radix8 && all_are(Inner::common)                         ? Outer::radix8
                   : at_samples > 1 && at_modes > 1 && all_are(Inner::seldom) ? Outer::large
                                                                              : Outer::any;
    using Word = typename Format::Word;
    for (const Word bits : tables.modes_out.words) {
        const PairMapEntryOf<Word> word{bits};
        // What is not there must stay a number until it is multiplied by 0.
        const auto value = [&](int slot) {
            return slot == no_element_in<Word> ? T(-1e30) : tables.eigenvalues[slot];
        };
        tables.eigenvalue_pairs.push_back({value(word.first()), value(word.second())});
    }
    return tables;
}

template AxisTables<float> make_axis_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);
template AxisTables<double> make_axis_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);
template AxisTables<float, Plain> make_axis_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);
template AxisTables<double, Plain> make_axis_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);

}  // namespace poisson3d::lines
