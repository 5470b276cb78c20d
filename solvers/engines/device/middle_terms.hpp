// What is added to the lines that a middle pass reads: of an axis across them, a number of the line times a row
// that lines beside each other along the other axis share; and numbers at the two ends.
//
//     line (s, l), element i  +=  factor_s · row(part of s, l)[i] + factor_l · row(part of l, s)[i]
//
// s counts along the slow axis, l along that of the lines. Parts are even and odd modes.
#pragma once

#include "host_device.hpp"
#include "memory_access.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::device {

/// Of one line.
template <class T>
struct LineTerms {
    const T* rows[2];
    T factors[2], ends[2];
    int last;

    [[nodiscard]] POISSON3D_HD T at(int i) const {
        const T sum = factors[0] * lines::load_field(rows[0] + i) + factors[1] * lines::load_table(rows[1] + i);
        return sum + at_ends(i);
    }
    /// To elements i and i + 1, i even and so the number of elements.
    POISSON3D_HD void add(int i, T& first, T& second) const {
        const auto two = [&](int which) { return reinterpret_cast<const Complex<T>*>(rows[which] + i); };
        const Complex<T> mine = lines::load_field(two(0)), shared = lines::load_table(two(1));
        first += factors[0] * mine.re + factors[1] * shared.re;
        second += factors[0] * mine.im + factors[1] * shared.im;
        if (i == 0) first += ends[0];
        if (i + 1 == last) second += ends[1];
    }

private:
    [[nodiscard]] POISSON3D_HD T at_ends(int i) const {
        return (i == 0 ? ends[0] : T(0)) + (i == last ? ends[1] : T(0));
    }
};

template <class T>
struct MiddleTerms {
    /// Of an axis across the lines.
    struct Across {
        Index count = 0;
        const T* factors = nullptr;  ///< by slot; null: none
        const T* rows = nullptr;     ///< element (part, slot of the other axis, i)
        const int* place = nullptr;  ///< by slot …
        int first_odd = 0;           ///< … of part 1 from here on
        [[nodiscard]] POISSON3D_HD int part(Index slot) const { return place[slot] < first_odd ? 0 : 1; }
    };
    Across slow, line;
    Index points = 0;       ///< of a line
    const T* ends[2] = {};  ///< of elements 0 and points − 1: element (s, l); null: none

    /// Of one of the axes at least there are factors.
    [[nodiscard]] POISSON3D_HD LineTerms<T> of(Index s, Index l) const {
        LineTerms<T> terms;
        const auto row = [&](const Across& axis, Index slot, const Across& other, Index other_slot) {
            return axis.rows + (axis.part(slot) * other.count + other_slot) * points;
        };
        const bool any_slow = slow.factors != nullptr, any_line = line.factors != nullptr;
        const T* const of_slow = any_slow ? row(slow, s, line, l) : nullptr;
        const T* const of_line = any_line ? row(line, l, slow, s) : of_slow;  // numbers, of no weight
        terms.rows[0] = any_slow ? of_slow : of_line;
        terms.rows[1] = of_line;
        terms.factors[0] = any_slow ? slow.factors[s] : T(0);
        terms.factors[1] = any_line ? line.factors[l] : T(0);
        for (int side = 0; side < 2; ++side)
            terms.ends[side] = ends[side] == nullptr ? T(0) : ends[side][s * line.count + l];
        terms.last = static_cast<int>(points - 1);
        return terms;
    }
};

}  // namespace poisson3d::device
