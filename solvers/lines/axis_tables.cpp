#include "axis_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "line_plan.hpp"
#include "matrix_plan.hpp"
#include "outer_radices.hpp"
#include "poisson3d/error.hpp"
#include "roots_of_unity.hpp"
#include "spectrum.hpp"
#include "symmetric_chirp.hpp"
#include "symmetric_chirp_tables.hpp"

namespace poisson3d::lines {

bool type_one(const AxisKind& kind) {
    return kind.forward == Transform::dct1 || kind.forward == Transform::dst1;
}

Index half_period(const AxisKind& kind) {
    return kind.forward == Transform::dst1 ? kind.unknowns + 1 : kind.unknowns - 1;
}

namespace {

bool even_type_four(const AxisKind& kind) {
    return (kind.forward == Transform::dct4 || kind.forward == Transform::dst4) && kind.unknowns % 2 == 0;
}

/// Of the step on the samples' side of type I lines of half period N: for kernels the one that costs least, for the
/// host the largest even one.
template <class Format>
int symmetric_radix(Index half) {
    int best = 2;
    double least = std::numeric_limits<double>::infinity();
    for (const int r : symmetric_radices<Format>) {
        if (2 * half % r != 0) continue;
        if (!Format::few_twiddles) return r;
        const Index length = 2 * half / r;
        double cost = 12 * static_cast<double>((r / 2 + 1) * length);  // of a chirp, about
        if (has_radices(length)) {
            const Radices radices = radices_of(length, false);
            const bool common =
                std::ranges::all_of(radices.inner, [](int inner) { return has_inner_radix(Inner::common, inner); });
            cost = symmetric_cost(r, half, static_cast<Index>(radices.inner.size()), radices.modes, common);
            if (cost < 0) continue;
        } else if (r == 16) {
            continue;
        }
        if (cost < least) best = r, least = cost;
    }
    return best;
}

/// Sets the FFTs of a line, `count` of `length`; `first`: with an outer step next to samples.
template <class T, class Format>
void set_plan(AxisTables<T, Format>& tables, const LineFfts& ffts, LineMethod method, ThreadTeam* team) {
    const auto count = static_cast<int>(ffts.count);
    if (method == LineMethod::radix_steps) {
        tables.plan = make_fft_plan<T, Format>(ffts.length, count, radices_of(ffts.length, ffts.first));
    } else if (method == LineMethod::chirp) {
        ThreadTeam alone(1);
        ChirpPlan<T, Format> chirp =
            make_chirp_plan<T, Format>(ffts.length, count, team != nullptr ? *team : alone);
        tables.plan = std::move(chirp.plan);
        tables.chirp = std::move(chirp.tables);
    } else if (method == LineMethod::matrix_steps) {
        tables.plan = make_matrix_plan<T, Format>(ffts.length, count);
    } else {
        tables.plan = whole_lines<T, Format>(ffts.length, count);
    }
}

/// Where an element has no partner, itself in its place, which is read and not stored: so that nobody asks.
template <class T, class Format>
void list_first_twice(PairMapTable<T, Format>& map) {
    using Word = typename Format::Word;
    for (Word& bits : map.words) {
        const PairMapEntryOf<Word> entry{bits};
        if (entry.second() == no_element_in<Word>) bits = word_of<Format>(lower_half(bits), entry.first());
    }
}

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
        const ButterflyPairs<T, Format>& at_samples = tables.samples.view;
        const bool exchanged =
            step.split == Pairing::adjacent && at_samples.radix > 1 && at_samples.items.count % 2 == 0;
        tables.samples_out = pair_map(tables.samples, mixes_samples ? PairStep::combine : PairStep::signs, back_,
                                      back_.store, again.combine_table, sample);
        tables.samples_out.view.exchanged = exchanged;
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

}  // namespace

template <class Format>
bool symmetric_chirp(const AxisKind& kind) {
    if (type_one(kind)) return true;
    if (!Format::few_twiddles || kind.forward == Transform::dft || kind.unknowns < 1) return false;
    return symmetric_convolution(kind.unknowns, chirped_radix<Format>).known();
}

template <class Format>
LineFfts line_ffts(const Axis& axis) {
    const AxisKind kind = axis_kind(axis);
    const bool one = type_one(kind);
    const int radix = one ? symmetric_radix<Format>(half_period(kind)) : 1;
    const Index count = one ? radix / 2 + 1 : even_type_four(kind) ? 2 : 1;
    return {count, one ? 2 * half_period(kind) / radix : kind.unknowns / count, !one};
}

template <class Format>
bool has_tables(const Axis& axis, LineMethod method) {
    const AxisKind kind = axis_kind(axis);
    // Type I: twice as many elements.
    if (kind.unknowns >= no_element_in<typename Format::Word> / 2) return false;
    const LineFfts ffts = line_ffts<Format>(axis);
    if (method == LineMethod::radix_steps) return has_radices(ffts.length);
    if (method == LineMethod::whole_ffts) return true;
    if (method == LineMethod::matrix_steps && matrix_radices(ffts.length).empty()) return false;
    constexpr int bits = std::min(half_bits<typename Format::Word>, 31);  // of an element's offset
    return line_elements<Format>(axis, method) < Index{1} << bits;
}

template <class Format>
Index line_elements(const Axis& axis, LineMethod method) {
    const AxisKind kind = axis_kind(axis);
    const LineFfts ffts = line_ffts<Format>(axis);
    if (method == LineMethod::radix_steps)
        return ffts.count *
               padded_length_of<Format>(radices_of(ffts.length, ffts.first), static_cast<int>(ffts.count));
    if (method == LineMethod::matrix_steps) return ffts.count * matrix_padded_length(matrix_radices(ffts.length));
    return symmetric_chirp<Format>(kind) ? symmetric_chirp_elements<Format>(symmetric_line(kind).half)
                                         : ffts.count * chirp_padded_length(ffts.length);
}

template <class T, class Format>
AxisTables<T, Format> make_axis_tables(const Axis& axis, Discretization discretization, LineMethod method,
                                       ThreadTeam* team) {
    AxisTables<T, Format> tables;
    tables.kind = axis_kind(axis);
    if (!has_ffts(method)) return tables;
    tables.mode_of.resize(tables.kind.unknowns);
    const bool even_or_odd = method == LineMethod::chirp && symmetric_chirp<Format>(tables.kind);
    ThreadTeam alone(1);
    if (even_or_odd)
        make_symmetric_chirp(tables, symmetric_line(tables.kind), team != nullptr ? *team : alone);
    else if (type_one(tables.kind))
        TypeOne<T, Format>(tables.kind, method, team).make(tables);
    else
        SingleStep<T, Format>(tables.kind, method, team).make(tables);
    if (method == LineMethod::matrix_steps && tables.form != Kind::type1) {
        list_first_twice(tables.samples_in);
        list_first_twice(tables.modes_in);
    }
    const std::vector<double> by_mode = eigenvalues(axis, discretization);
    for (const Index mode : tables.mode_of) tables.eigenvalues.push_back(static_cast<T>(by_mode[mode]));
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
    tables.outer = method == LineMethod::matrix_steps                         ? Outer::matrix_steps
                   : even_or_odd                                              ? Outer::chirp
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

template bool symmetric_chirp<Compact>(const AxisKind&);
template bool symmetric_chirp<Plain>(const AxisKind&);
template LineFfts line_ffts<Compact>(const Axis&);
template LineFfts line_ffts<Plain>(const Axis&);
template bool has_tables<Compact>(const Axis&, LineMethod);
template bool has_tables<Plain>(const Axis&, LineMethod);
template Index line_elements<Compact>(const Axis&, LineMethod);
template Index line_elements<Plain>(const Axis&, LineMethod);
template AxisTables<float> make_axis_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);
template AxisTables<double> make_axis_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);
template AxisTables<float, Plain> make_axis_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);
template AxisTables<double, Plain> make_axis_tables(const Axis&, Discretization, LineMethod, ThreadTeam*);

}  // namespace poisson3d::lines
