#include "orbit_tables.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "line_plan.hpp"
#include "spectrum.hpp"

namespace poisson3d::cufft {

namespace {

template <class T>
constexpr Index line_elements = 128 / static_cast<Index>(2 * sizeof(T));

template <class T>
constexpr Index padded(Index rows) {
    return (rows + line_elements<T> - 1) / line_elements<T> * line_elements<T>;
}

template <class T>
Complex<T> conj(Complex<T> z) {
    return {z.re, -z.im};
}

template <class T>
Complex<T> scaled(Complex<T> z, T sign) {
    return {sign * z.re, sign * z.im};
}

/// An element of a pair: where it comes from and goes to, and its number α or its factor.
template <class T>
struct Member {
    Index in = -1, out = -1;
    Complex<T> alpha{1, 0};
};

enum class Mix { alone, combine, split };

template <class T>
class PairTable {
public:
    explicit PairTable(Index orbits) {
        table_.orbits = orbits;
        table_.in.assign(2 * orbits, -1);
        table_.out.assign(2 * orbits, -1);
        table_.coefficients.assign(4 * orbits, Complex<T>{0, 0});
    }

    void set(Index o, Mix mix, const Member<T>& q, const Member<T>& p) {
        const Index n = table_.orbits;
        table_.in[o] = static_cast<std::int32_t>(q.in);
        table_.in[n + o] = static_cast<std::int32_t>(p.in);
        table_.out[o] = static_cast<std::int32_t>(q.out);
        table_.out[n + o] = static_cast<std::int32_t>(p.out);
        const Complex<T> none{0, 0};
        const bool combine = mix == Mix::combine;
        const Complex<T> b = mix == Mix::alone ? none : conj(combine ? q.alpha : p.alpha);
        const Complex<T> d = mix == Mix::alone ? none : conj(combine ? p.alpha : q.alpha);
        Complex<T>* const c = table_.coefficients.data();
        c[o] = q.alpha, c[n + o] = b, c[2 * n + o] = p.alpha, c[3 * n + o] = d;
    }

    OrbitTable<T> take() { return std::move(table_); }

private:
    OrbitTable<T> table_;
};

/// Elements that go alone, two to an orbit, in runs: elements 2R·b + t and 2R·b + R + t.
template <class T>
OrbitTable<T> list_alone(const std::vector<Member<T>>& members, Index run) {
    const auto count = static_cast<Index>(members.size());
    PairTable<T> table((count + 1) / 2);
    Index o = 0;
    for (Index base = 0; base < count; base += 2 * run) {
        const Index half = std::min(run, (count - base + 1) / 2);
        for (Index t = 0; t < half; ++t, ++o)
            table.set(o, Mix::alone, members[base + t],
                      base + half + t < count ? members[base + half + t] : Member<T>{});
    }
    return table.take();
}

/// Members by sample, or sorted by the position they have.
template <class T>
OrbitTable<T> list_alone(std::vector<Member<T>> members, Listing listing, Index Member<T>::*position) {
    if (listing == Listing::by_sample) {
        const auto all = static_cast<Index>(members.size());
        return list_alone(members, (all + 1) / 2);
    }
    std::sort(members.begin(), members.end(),
              [&](const Member<T>& a, const Member<T>& b) { return a.*position < b.*position; });
    return list_alone(members, run_length);
}

/// A plan with one FFT step read backwards: the transposed transform, which for a symmetric one is itself.
template <class T>
LinePlan<T> transposed(LinePlan<T> plan) {
    std::swap(plan.load, plan.store);
    for (FftStep& step : plan.ffts) {
        std::swap(step.split, step.combine);
        std::swap(step.split_table, step.combine_table);
    }
    return plan;
}

/// All kinds but type I: plans with one FFT step.
template <class T>
class SingleStep {
public:
    SingleStep(const LinePlan<T>& plan, Listing listing)
        : plan_(plan), step_(plan.ffts.front()), listing_(listing), half_(padded<T>(step_.length())) {}

    [[nodiscard]] Index rows() const { return step_.sets * half_; }
    [[nodiscard]] FftBlock block() const { return {0, step_.length(), step_.sets}; }

    /// Interleaved FFTs stand one behind the other.
    [[nodiscard]] Index position(Index row) const { return row % step_.sets * half_ + row / step_.sets; }
    /// Slots are rows without gaps.
    [[nodiscard]] Index slot(Index row) const { return row % step_.sets * step_.length() + row / step_.sets; }

    /// What goes in (samples, or modes if `from_modes`) to positions.
    [[nodiscard]] OrbitTable<T> pre(bool from_modes) const {
        std::vector<Member<T>> by_row(plan_.rows);
        std::vector<Member<T>> all;
        for (Index j = 0; j < plan_.points; ++j) {
            const RowRef<T> ref = plan_.load[j];
            const Member<T> member{from_modes ? slot(ref.row) : j, position(ref.row), {ref.sign, 0}};
            by_row[ref.row] = member;
            all.push_back(member);
        }
        if (step_.split == Pairing::none)
            return list_alone(std::move(all), from_modes ? Listing::by_position : listing_, &Member<T>::out);
        return pairs(by_row, step_.split, Mix::split, step_.split_table);
    }

    /// Positions to what comes out (samples, or modes if `to_modes`).
    [[nodiscard]] OrbitTable<T> post(bool to_modes) const {
        std::vector<Member<T>> by_row(plan_.rows);
        std::vector<Member<T>> all;
        for (Index k = 0; k < plan_.points; ++k) {
            const RowRef<T> ref = plan_.store[k];
            const Member<T> member{position(ref.row), to_modes ? slot(ref.row) : k, {ref.sign, 0}};
            by_row[ref.row] = member;
            all.push_back(member);
        }
        if (step_.combine == Pairing::none)
            return list_alone(std::move(all), to_modes ? Listing::by_position : listing_, &Member<T>::in);
        return pairs(by_row, step_.combine, Mix::combine, step_.combine_table);
    }

private:
    /// Rows with their partners. Rows that are their own stand together in orbit 0 (mirror) and go alone.
    OrbitTable<T> pairs(std::vector<Member<T>>& by_row, Pairing pairing, Mix mix, Index table) const {
        const Index count = plan_.rows;
        for (Index r = 0; r < count; ++r) by_row[r].alpha = scaled(plan_.tables[table + r], by_row[r].alpha.re);
        PairTable<T> orbits((count + 1) / 2);
        const auto alone = [](Member<T> member) {
            member.alpha = {2 * member.alpha.re, 0};
            return member;
        };
        for (Index o = 0; 2 * o < count; ++o) {
            if (pairing == Pairing::mirror && o == 0) {
                orbits.set(0, Mix::alone, alone(by_row[0]),
                           count % 2 == 0 ? alone(by_row[count / 2]) : Member<T>{});
                continue;
            }
            const Index q = pairing == Pairing::mirror ? o : 2 * o;
            orbits.set(o, mix, by_row[q], by_row[partner(pairing, q, count)]);
        }
        return orbits.take();
    }

    const LinePlan<T>& plan_;
    FftStep step_;
    Listing listing_;
    Index half_;
};

/// Type I: half period N = 2^L n.
template <class T>
class TypeOne {
public:
    TypeOne(Transform transform, Index points, Listing listing)
        : sine_(transform == Transform::dst1), points_(points), shift_(sine_ ? 1 : 0), listing_(listing) {
        period_ = sine_ ? points + 1 : points - 1;
        rest_ = period_;
        for (; rest_ % 2 == 0 && levels_ < most_levels; rest_ /= 2) ++levels_;
        Index row = 0;
        for (int l = 1; l <= levels_; ++l) {
            offset_.push_back(row);
            blocks_.push_back({row, length(l), 1});
            row += padded<T>(length(l));
        }
        extension_ = row;
        if (!sine_ || rest_ > 1) {
            blocks_.push_back({row, 2 * rest_, 1});
            row += padded<T>(2 * rest_);
        }
        rows_ = row;
    }

    [[nodiscard]] Index rows() const { return rows_; }
    [[nodiscard]] std::vector<FftBlock> blocks() const { return blocks_; }
    [[nodiscard]] Mirror mirror() const {
        if (sine_ && rest_ == 1) return {};
        return {static_cast<int>(extension_), static_cast<int>(rest_), sine_};
    }

    /// Samples to positions (`in` = sample), or positions to samples.
    [[nodiscard]] OrbitTable<T> samples(bool pre) const {
        std::vector<Member<T>> all;
        for (Index j = 0; j < points_; ++j) {
            Index index = j + shift_;
            int level = 1;
            while (level <= levels_ && index % 2 == 0) index /= 2, ++level;
            Member<T> member;
            Index position = 0;
            if (level <= levels_) {
                const Index i = index / 2;
                position = offset_[level - 1] + makhoul_row(i, length(level));
                member.alpha = {sine_ && i % 2 == 1 ? T(-1) : T(1), 0};
            } else {
                position = extension_ + index;
                if (sine_ && !pre) member.alpha = {0, 1};  // the FFT of an odd extension: −i times the sines
            }
            member.in = pre ? j : position;
            member.out = pre ? position : j;
            all.push_back(member);
        }
        return list_alone(std::move(all), listing_, pre ? &Member<T>::out : &Member<T>::in);
    }

    /// Positions to slots (modes in natural order), or slots to positions.
    [[nodiscard]] OrbitTable<T> modes(bool post) const {
        if (levels_ == 0) return extension_alone(post);
        OrbitTable<T> table;
        table.size = 2 << levels_;
        table.sine = sine_;
        table.orbits = rest_ / 2 + 1;
        table.in.assign(table.size * table.orbits, -1);
        table.out.assign(table.size * table.orbits, -1);
        table.coefficients.resize((table.size / 2 - 1) * table.orbits);
        for (Index o = 0; o < table.orbits; ++o) fill(table, o, post);
        return table;
    }

private:
    static constexpr int most_levels = 3;
    [[nodiscard]] Index length(int level) const { return period_ >> level; }

    /// Not split at all: modes k and N − k of the extension.
    [[nodiscard]] OrbitTable<T> extension_alone(bool post) const {
        std::vector<Member<T>> all;
        for (Index k = 0; k < points_; ++k) {
            const Index position = extension_ + k + shift_;
            all.push_back({post ? position : k,
                           post ? k : position,
                           {sine_ && post ? T(0) : T(1), sine_ && post ? T(1) : T(0)}});
        }
        return list_alone(all, run_length);
    }

    void fill(OrbitTable<T>& table, Index o, bool post) const {
        const Index n = table.orbits;
        std::vector<Index> members{o, rest_ - o};  // K_L
        std::vector<Index> positions(table.size, -1);
        const auto seen = [](const std::vector<Index>& list, std::size_t count, Index value) {
            return std::find(list.begin(), list.begin() + count, value) != list.begin() + count;
        };
        for (int i = 0; i < 2; ++i) {
            const bool end = sine_ && (members[i] == 0 || members[i] == rest_);
            positions[i] = end ? -1 : extension_ + members[i];
        }
        for (int level = levels_; level >= 1; --level) {
            const Index m = length(level);
            const auto s = static_cast<Index>(members.size());
            for (Index i = 0; i < s; ++i) positions[s + i] = offset_[level - 1] + members[i] % m;
            for (Index i = 0; i < s / 2; ++i) table.coefficients[(s / 2 - 1 + i) * n + o] = alpha(members[i], m);
            for (Index i = 0; i < s; ++i) members.push_back(2 * m - members[i]);
        }
        for (Index i = 0; i < table.size; ++i) {
            Index slot = members[i] - shift_;
            if (slot < 0 || slot >= points_) slot = -1;
            const bool again = seen(members, i, members[i]);
            // Where members coincide the first one writes. All read: the arithmetic wants every element.
            Index position = positions[i];
            if (post) {
                table.in[i * n + o] = static_cast<std::int32_t>(position);
                table.out[i * n + o] = static_cast<std::int32_t>(again ? -1 : slot);
            } else {
                if (is_end(members, i) || seen(positions, i, position)) position = -1;
                table.in[i * n + o] = static_cast<std::int32_t>(slot);
                table.out[i * n + o] = static_cast<std::int32_t>(position);
            }
        }
    }

    /// Element i of level s stands for q = m, which row 0 does not hold: it is zero and goes nowhere.
    [[nodiscard]] bool is_end(const std::vector<Index>& members, Index i) const {
        if (i < 2) return false;
        Index s = 2;
        int level = levels_;
        for (; 2 * s <= i; s *= 2) --level;
        return members[i - s] == length(level);
    }

    /// e^{−iπq/2m}
    static Complex<T> alpha(Index q, Index m) {
        const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(q) / (2 * m);
        return {static_cast<T>(std::cos(angle)), static_cast<T>(-std::sin(angle))};
    }

    bool sine_;
    Index points_, shift_, period_ = 0, rest_ = 0, extension_ = 0, rows_ = 0;
    Listing listing_;
    int levels_ = 0;
    std::vector<Index> offset_;
    std::vector<FftBlock> blocks_;
};

}  // namespace

template <class T>
AxisTables<T> make_axis_tables(const Axis& axis, Discretization discretization, Listing listing) {
    AxisTables<T> tables;
    tables.kind = axis_kind(axis);
    const AxisKind& kind = tables.kind;
    const std::vector<double> by_mode = eigenvalues(axis, discretization);
    tables.eigenvalues.resize(by_mode.size());
    if (kind.forward == Transform::dct1 || kind.forward == Transform::dst1) {
        const TypeOne<T> line(kind.forward, kind.unknowns, listing);
        tables.rows = line.rows();
        tables.ffts = line.blocks();
        tables.mirror = line.mirror();
        tables.forward_pre = line.samples(true);
        tables.forward_post = line.modes(true);
        tables.backward_pre = line.modes(false);
        tables.backward_post = line.samples(false);
        tables.eigenvalues.assign(by_mode.begin(), by_mode.end());
        return tables;
    }
    const LinePlan<T> forward_plan = make_line_plan<T>(kind.forward, kind.unknowns);
    const LinePlan<T> backward_plan =
        kind.forward == kind.backward ? transposed(forward_plan) : make_line_plan<T>(kind.backward, kind.unknowns);
    const SingleStep<T> forward(forward_plan, listing);
    const SingleStep<T> backward(backward_plan, listing);
    tables.rows = forward.rows();
    tables.ffts = {forward.block()};
    tables.forward_pre = forward.pre(false);
    tables.forward_post = forward.post(true);
    tables.backward_pre = backward.pre(true);
    tables.backward_post = backward.post(false);
    for (Index k = 0; k < kind.unknowns; ++k)
        tables.eigenvalues[forward.slot(forward_plan.store[k].row)] = static_cast<T>(by_mode[k]);
    return tables;
}

template AxisTables<float> make_axis_tables(const Axis&, Discretization, Listing);
template AxisTables<double> make_axis_tables(const Axis&, Discretization, Listing);

}  // namespace poisson3d::cufft
