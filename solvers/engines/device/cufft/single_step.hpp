// Orbits of all kinds of axis but type I: line plans with one FFT step.
#pragma once

#include <utility>
#include <vector>

#include "line_plan.hpp"
#include "pair_table.hpp"

namespace poisson3d::cufft {

template <class T>
class SingleStep {
public:
    SingleStep(const LinePlan<T>& plan, Listing listing)
        : plan_(plan), step_(plan.step), listing_(listing), half_(padded<T>(step_.length())) {}

    [[nodiscard]] Index rows() const { return step_.sets * half_; }
    [[nodiscard]] FftBlock block() const { return {0, step_.length(), step_.sets}; }

    /// Interleaved FFTs stand one behind the other.
    [[nodiscard]] Index position(Index row) const { return row % step_.sets * half_ + row / step_.sets; }
    /// Slots are rows without gaps.
    [[nodiscard]] Index slot(Index row) const { return row % step_.sets * step_.length() + row / step_.sets; }

    /// What goes in (samples, or modes if `from_modes`) to positions.
    [[nodiscard]] OrbitTable<T> pre(bool from_modes) const {
        std::vector<Member<T>> by_row(plan_.points);
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
        std::vector<Member<T>> by_row(plan_.points);
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
        const Index count = plan_.points;
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

}  // namespace poisson3d::cufft
