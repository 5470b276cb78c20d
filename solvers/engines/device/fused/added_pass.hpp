// Rotated middle passes that add something to the lines they read (middle_terms.hpp): what free faces give to modes
// costs no sweep of its own then. Of common lengths between walls of one kind alone.
#pragma once

#include "known_pass.hpp"
#include "middle_terms.hpp"

namespace poisson3d::fused {

/// The Format of such passes over lines of Format F.
template <class F>
struct Added : F {};

}  // namespace poisson3d::fused

namespace poisson3d::device {

template <class T, Ends ends, int rows, Role role>
struct PassLine<T, fused::Added<fused::KnownPass<ends, rows, role>>>
    : PassLine<T, fused::KnownPass<ends, rows, role>> {};

template <class T, class F>
struct PassTask<T, fused::Added<F>> : PassLine<T, fused::Added<F>>, PassFields<T> {
    MiddleTerms<T> terms;
};

template <Role role, bool complete, class T, class F>
class RowReader<role, complete, T, fused::Added<F>> {
public:
    using Task = PassTask<T, fused::Added<F>>;

    POISSON3D_HD RowReader(const Task& task, const BlockPosition<T>& block, const RealLines<T>& lines)
        : row_(task.in + block.slow * task.in_slow + lines.first * task.in_line),
          next_(row_ + (lines.paired ? task.in_line : 0)),
          of_row_(task.terms.of(block.slow, lines.first)),
          of_next_(task.terms.of(block.slow, lines.first + (lines.paired ? 1 : 0))) {}

    [[nodiscard]] POISSON3D_HD Complex<T> raw(int index) const {
        return {lines::load_field(row_ + index) + of_row_.at(index),
                lines::load_field(next_ + index) + of_next_.at(index)};
    }
    POISSON3D_HD void raw_neighbours(int index, Complex<T>& first, Complex<T>& second) const {
        const Complex<T> one = lines::load_field(reinterpret_cast<const Complex<T>*>(row_ + index));
        const Complex<T> other = lines::load_field(reinterpret_cast<const Complex<T>*>(next_ + index));
        first = {one.re, other.re};
        second = {one.im, other.im};
        of_row_.add(index, first.re, second.re);
        of_next_.add(index, first.im, second.im);
    }
    POISSON3D_HD void touch(int, Complex<T>&) const {}

private:
    const T *row_, *next_;
    LineTerms<T> of_row_, of_next_;
};

}  // namespace poisson3d::device

namespace poisson3d::fused {

/// launch(task with terms); false if lines are not those that have kernels.
template <int rows, class T, class Launch>
bool with_added_task(const Task<T>& task, const MiddleTerms<T>& terms, const BlockShape& shape,
                     const Launch& launch) {
    using Known = KnownPass<Ends::alike, rows, Role::middle>;
    PassTask<T, Known> known;
    if (task.fields != 1 || !set_known(known, task, shape)) return false;
    PassTask<T, Added<Known>> added;
    static_cast<PassLine<T, Known>&>(added) = known;
    static_cast<PassFields<T>&>(added) = known;
    added.terms = terms;
    launch(added);
    return true;
}

/// The kernel of a length; false, and nothing is launched, if lines are not those that have it.
template <int rows, class T>
bool launch_added_kernel(const Task<T>& task, const MiddleTerms<T>& terms, const BlockShape& shape,
                         const Blocks& blocks, Stream stream);

template <class T>
bool launch_added_pass(const Task<T>& task, const MiddleTerms<T>& terms, const BlockShape& shape,
                       const Blocks& blocks, Stream stream) {
    return with_known_length(AddedLengths{}, task.rows, [&]<int rows>() {
        return launch_added_kernel<rows>(task, terms, shape, blocks, stream);
    });
}

}  // namespace poisson3d::fused
