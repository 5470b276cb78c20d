// Parts of the lines along an eliminated axis, whose other parts other members have (member.hpp).
#pragma once

namespace poisson3d {

/// Lines of an eliminated axis of which this is a part; other parts are elsewhere. A pass goes over them twice.
/// `reduce` reads lines and writes planes, a number for each line at slow · lines + line; `substitute` reads planes
/// and writes lines.
template <class T>
struct LineParts {
    enum class Step { reduce, substitute };
    Step step = Step::reduce;
    /// What reduce_line() leaves, where there are planes for it. If lines are multiplied, only the currents: the
    /// last and the first sample.
    T *tie = nullptr, *excess = nullptr, *left_excess = nullptr;
    T *current = nullptr, *left_current = nullptr;
    /// u of the part before: its last node. And u of this part's last node; if lines are multiplied, of the first
    /// node of the part after.
    const T *left = nullptr, *right = nullptr;
    /// The line that is solved apart (EliminatedLines::constant): samples are written by reduce, read by
    /// substitute.
    T* constant = nullptr;
};

}  // namespace poisson3d
