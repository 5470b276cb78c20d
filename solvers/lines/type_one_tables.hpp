// The tables of lines of type I.
#pragma once

#include <vector>

#include "planned_ffts.hpp"
#include "roots_of_unity.hpp"
#include "symmetric_radix.hpp"

namespace poisson3d::lines {

/// Lines of type I: classes of samples, and FFTs whose modes are theirs (symmetric.hpp).
template <class T, class Format>
class TypeOne {
public:
    TypeOne(const AxisKind& kind, LineMethod method, ThreadTeam* team)
        : method_(method),
          team_(team),
          sine_(kind.forward == Transform::dst1),
          half_(half_period(kind)),
          shift_(sine_ ? 1 : 0) {
        radix_ = symmetric_radix<Format>(half_);
        length_ = 2 * half_ / radix_;
    }

    void make(AxisTables<T, Format>& tables) {
        const int ffts = radix_ / 2 + 1;
        set_plan(tables, {ffts, length_, false}, method_, team_);
        tables.form = Kind::type1;
        make_classes(tables);
        tables.modes = make_butterfly_pairs(tables.plan, Side::modes, Pairing::none, false);
        std::vector<MappedElement<T>> out(tables.plan.count * length_);
        std::vector<MappedElement<T>> in = out;
        Index slot = 0;
        for (int f = 0; f <= radix_ / 2; ++f)
            for (Index n = 0; n < length_; ++n) {
                const Index ends = n * radix_ + f;  // in mode number …
                const bool mirrored = ends > half_;
                const Index mode = mirrored ? 2 * half_ - ends : ends;
                if (mirrored && (f == 0 || 2 * f == radix_)) continue;  // stands there already
                const bool at_end = mode == 0 || mode == half_;
                if (sine_ && at_end) continue;
                const T sign = sine_ && mirrored ? T(-1) : T(1);
                const Index row = f + tables.plan.count * n;
                out[row] = {slot, {sign, 0}};
                in[row] = {slot, {at_end ? sign / 2 : sign, 0}};
                tables.mode_of[slot++] = mode - shift_;
            }
        tables.modes_out =
            make_pair_map<T, Format>(tables.modes, PairStep::signs, [&](Index row) { return out[row]; });
        tables.modes_in =
            make_pair_map<T, Format>(tables.modes, PairStep::factors, [&](Index row) { return in[row]; });
    }

private:
    void make_classes(AxisTables<T, Format>& tables) const {
        const FftPlan<T, Format>& plan = tables.plan;
        SymmetricTable<T, Format>& table = tables.symmetric;
        const Index classes = length_ / 2 + 1;
        constexpr Index none = no_element_in<typename Format::Word>;
        table.view.radix = radix_;
        table.view.items = typename Format::Items(static_cast<int>(classes));
        table.view.row = table.view.items.count;
        table.view.sine = sine_;
        table.view.middle = length_ % 2 == 0 ? static_cast<int>(length_ / 2) : 0;
        table.view.stride = plan.padded_length;
        for (Index j = 0; j < classes; ++j)
            table.offsets.push_back(word_of<Format>(plan.natural[j], plan.natural[(length_ - j) % length_]));
        for (int m = 0; m < radix_; ++m)
            for (Index j = 0; j < classes; ++j) {
                const Index position = j + m * length_;
                const bool mirrored = position > half_;
                const Index index = mirrored ? 2 * half_ - position : position;
                const bool zero = sine_ && (index == 0 || index == half_);
                const bool own_image = j == 0 || 2 * j == length_;
                const Index from = zero ? none : index - shift_;
                const Index to = own_image && mirrored ? none : from;
                const Index sign = sine_ && mirrored ? Index{1} << (half_bits<typename Format::Word> - 1) : 0;
                table.words.push_back(word_of<Format>(from | sign, to));
            }
        const RootsOfUnity roots(2 * half_);
        for (int k = 0; k <= radix_ / 2; ++k)
            for (Index j = 0; j < classes; ++j) {
                const Complex<T> t = roots.rounded<T>(j * k);
                table.twiddles.push_back(sine_ ? times_i(t) : t);
            }
    }

    LineMethod method_;
    ThreadTeam* team_;
    bool sine_;
    Index half_, shift_;
    int radix_ = 2;
    Index length_ = 1;
};

}  // namespace poisson3d::lines
