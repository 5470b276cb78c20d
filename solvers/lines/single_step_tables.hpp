// The tables of lines whose samples and modes are elements of the same FFTs: of all kinds but type I.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "line_plan.hpp"
#include "planned_ffts.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::lines {

/// All kinds but type I: a line plan there and one back, with the same FFTs on the same rows.
template <class T, class Format>
class SingleStep {
public:
    SingleStep(const AxisKind& kind, LineMethod method, ThreadTeam* team)
        : method_(method),
          team_(team),
          there_(make_line_plan<T>(kind.forward, kind.unknowns)),
          back_(kind.forward == kind.backward ? transposed(there_)
                                              : make_line_plan<T>(kind.backward, kind.unknowns)) {}

    void make(AxisTables<T, Format>& tables) const {
        const FftStep& step = there_.step;
        set_plan(tables, {step.sets, step.length(), true}, method_, team_);
        const bool mixes_samples = step.split != Pairing::none;
        const bool mixes_modes = step.combine != Pairing::none;
        tables.form = mixes_samples && mixes_modes ? Kind::type4 : mixes_samples ? Kind::type3 : Kind::type2;
        tables.samples = make_butterfly_pairs(tables.plan, Side::samples, step.split, true);
        tables.modes = make_butterfly_pairs(tables.plan, Side::modes, step.combine, false);
        const auto sample = [](Index j, Index) { return j; };
        const auto slot = [&](Index, Index row) { return slot_of(row); };
        tables.samples_in = pair_map(tables.samples, mixes_samples ? PairStep::split : PairStep::signs, there_,
                                     there_.load, step.split_table, sample);
        tables.modes_out = pair_map(tables.modes, mixes_modes ? PairStep::combine : PairStep::signs, there_,
                                    there_.store, step.combine_table, slot);
        const FftStep& again = back_.step;
        tables.modes_in = pair_map(tables.modes, mixes_modes ? PairStep::split : PairStep::factors, back_,
                                   back_.load, again.split_table, slot);
        if (mixes_modes) share_alpha(tables);
        tables.samples_out = pair_map(tables.samples, mixes_samples ? PairStep::combine : PairStep::signs, back_,
                                      back_.store, again.combine_table, sample);
        tables.samples_out.view.exchanged = step.split == Pairing::adjacent && tables.samples.view.radix > 1;
        for (Index k = 0; k < there_.points; ++k) tables.mode_of[slot_of(there_.store[k].row)] = k;
    }

private:
    [[nodiscard]] Index slot_of(Index row) const {
        const FftStep& step = there_.step;
        return row % step.sets * step.length() + row / step.sets;
    }

    /// Pairs combine and split by the same α, so that the middle pass reads them once: modes come out `gain` times.
    static void share_alpha(AxisTables<T, Format>& tables) {
        PairMapTable<T, Format>& out = tables.modes_out;
        const PairMapTable<T, Format>& in = tables.modes_in;
        const auto size = [](Complex<T> z) { return std::abs(z.re) + std::abs(z.im); };
        for (std::size_t s = 0; s < out.alpha.size(); ++s)
            if (const T ratio = std::round(size(in.alpha[s]) / size(out.alpha[s])); ratio != T(1))
                tables.gain = ratio;
        for (std::size_t s = 0; s < out.alpha.size(); ++s) {
            if (tables.modes.first[s] < 0 || tables.modes.self_paired(s)) continue;
            const T gain = tables.gain;
            const Complex<T> gap{gain * out.alpha[s].re - in.alpha[s].re, gain * out.alpha[s].im - in.alpha[s].im};
            if (size(gap) > 8 * std::numeric_limits<T>::epsilon() || out.words[s] != in.words[s])
                throw Error(ErrorCode::internal, "a transform and its inverse mix pairs of modes differently");
        }
        out.alpha = in.alpha;
        out.view.self_paired = {tables.gain * out.view.self_paired.re, tables.gain * out.view.self_paired.im};
    }

    template <class IndexOf>
    static PairMapTable<T, Format> pair_map(const ButterflyPairTable<T, Format>& butterflies, PairStep step,
                                            const LinePlan<T>& plan, const std::vector<RowRef<T>>& refs,
                                            Index table, const IndexOf& index) {
        std::vector<MappedElement<T>> by_row(plan.points);
        const bool pairs = step == PairStep::split || step == PairStep::combine;
        for (Index i = 0; i < plan.points; ++i) {
            const RowRef<T> ref = refs[i];
            const Complex<T> alpha = pairs ? plan.tables[table + ref.row] : Complex<T>{1, 0};
            by_row[ref.row] = {index(i, ref.row), {ref.sign * alpha.re, ref.sign * alpha.im}};
        }
        return make_pair_map<T, Format>(butterflies, step, [&](Index row) { return by_row[row]; });
    }

    LineMethod method_;
    ThreadTeam* team_;
    LinePlan<T> there_, back_;
};

}  // namespace poisson3d::lines
