// What reads the elements of a complex line from the field: two columns, or two rows.
#pragma once

#include "pass.hpp"

namespace poisson3d::device {

/// What the first pass takes from samples before it scales them.
template <class T>
struct Subtrahend {
    T high = 0, low = 0;

    Subtrahend() = default;
    template <class F>
    POISSON3D_HD Subtrahend(const PassTask<T, F>& task, Index field) {
        if (task.subtract == nullptr) return;
        high = task.subtract[field * task.subtract_field];
        low = task.subtract[field * task.subtract_field + 1];
    }
    [[nodiscard]] POISSON3D_HD Complex<T> scaled(Complex<T> z, T scale) const {
        return {((z.re - high) - low) * scale, ((z.im - high) - low) * scale};
    }
};

/// Reads elements of a complex line that is two columns; `touches`: of a field that may be the right-hand side.
/// `complete`: there are no elements that do not exist. `even`: every row starts at a multiple of two elements and
/// has room for an even number of them.
template <bool touches, bool complete, bool even, class T, class F>
class ColumnReader {
public:
    POISSON3D_HD ColumnReader(const PassTask<T, F>& task, const BlockPosition<T>& block, const RealLines<T>& lines)
        : in_(task.in + block.field * task.in_field + block.slow * task.in_slow + lines.first),
          stride_(task.in_sample),
          together_(task.vectors_in && lines.paired),
          paired_(lines.paired) {
        if constexpr (touches) less_ = {task, block.field}, scale_ = task.scale;
    }
    [[nodiscard]] POISSON3D_HD Complex<T> raw(int index) const {
        if constexpr (even) {
            const bool none = !complete && index == no_element_in<typename F::Word>;
            const T* const at = in_ + (none ? 0 : index) * stride_;
            const Complex<T> z = lines::load_field(reinterpret_cast<const Complex<T>*>(at));
            return {none ? T(0) : z.re, none ? T(0) : paired_ ? z.im : z.re};
        }
        if (!complete && index == no_element_in<typename F::Word>) return {0, 0};
        const T* const at = in_ + index * stride_;
        if (together_) return lines::load_field(reinterpret_cast<const Complex<T>*>(at));
        return {lines::load_field(at), lines::load_field(at + (paired_ ? 1 : 0))};
    }
    POISSON3D_HD void raw_neighbours(int index, Complex<T>& first, Complex<T>& second) const {
        first = raw(index);
        second = raw(index + 1);
    }
    POISSON3D_HD void touch(int index, Complex<T>& z) const {
        if constexpr (touches)
            z = less_.scaled(z, !complete && index == no_element_in<typename F::Word> ? T(0) : scale_);
    }

private:
    const T* in_;
    Index stride_;
    bool together_, paired_;
    Subtrahend<T> less_;
    T scale_ = 1;
};

/// Reads and touches elements of a complex line that is two rows. `role` says what the field is.
template <Role role, bool complete, class T, class F>
class RowReader {
public:
    POISSON3D_HD RowReader(const PassTask<T, F>& task, const BlockPosition<T>& block, const RealLines<T>& lines)
        : task_(task),
          field_(block.field),
          slow_(block.slow),
          line_(lines.first),
          paired_(lines.paired),
          row_(task.in + block.field * task.in_field + block.slow * task.in_slow + lines.first * task.in_line),
          next_(row_ + (lines.paired ? task.in_line : 0)) {
        if constexpr (touches) less_ = {task, block.field};
    }

    /// Sample (or mode) `index` of both lines, untouched.
    [[nodiscard]] POISSON3D_HD Complex<T> raw(int index) const {
        if (!complete && index == no_element_in<typename F::Word>) return {0, 0};
        return {lines::load_field(row_ + index), lines::load_field(next_ + index)};
    }
    /// That one and the one after it.
    POISSON3D_HD void raw_neighbours(int index, Complex<T>& first, Complex<T>& second) const {
        const Complex<T> one = lines::load_field(reinterpret_cast<const Complex<T>*>(row_ + index));
        const Complex<T> other = lines::load_field(reinterpret_cast<const Complex<T>*>(next_ + index));
        first = {one.re, other.re};
        second = {one.im, other.im};
    }
    /// What the first pass makes of a sample; its lines run along z.
    POISSON3D_HD void touch(int index, Complex<T>& z) const {
        if constexpr (touches)
            z = less_.scaled(z, !complete && index == no_element_in<typename F::Word> ? T(0) : task_.scale);
        if constexpr (role == Role::first_with_data) {
            if (!complete && index == no_element_in<typename F::Word>) return;
            const BoundaryTerms<T>& terms = task_.boundary;
            const bool along_x = task_.counts_x;
            const Index i = terms.first[0] + (along_x ? line_ : slow_);
            const Index j = terms.first[1] + (along_x ? slow_ : line_);
            const Index k = terms.first[2] + index;
            z.re += terms(i, j, k, field_);
            if (paired_) z.im += terms(i + (along_x ? 1 : 0), j + (along_x ? 0 : 1), k, field_);
        }
    }

private:
    static constexpr bool touches = role == Role::first || role == Role::first_with_data;
    const PassTask<T, F>& task_;
    Index field_, slow_, line_;
    bool paired_;
    const T *row_, *next_;
    Subtrahend<T> less_;
};

}  // namespace poisson3d::device
