// What the middle pass along an eliminated axis is told (elimination_pass.hpp), and its launch.
#pragma once

#include <algorithm>

#include "constant_line.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::fused {

inline constexpr int max_section = 8;  ///< nodes

/// What a thread passes on: of an eliminated separator the link between those beside it, what it gives to the left
/// and to the next one; u of a separator. In multiplication u of its section's ends.
enum Exchanged {
    to_link,
    left_excess,
    left_current,
    next_excess,
    next_current,
    potential,
    exchanged_numbers,
    first_value = to_link,
    last_value = left_excess
};

template <class T>
struct EliminationTask {
    lines::ChainView<T> chain;
    T* data = nullptr;
    Index slow_count = 0, lines = 0, fields = 1;
    Index slow = 0, line = 0, sample = 0, field = 0;  ///< strides
    int section_shift = 0, line_shift = 0;            ///< a block has 2^… sections of each of 2^… lines
    bool rows = false;                                ///< samples are neighbours, else lines
    const T *lambda_slow = nullptr, *lambda_lanes = nullptr;
    T shift_by = 0, factor = 1;
    bool multiply = false;
    bool constant = false;  ///< line 0 at slow index 0 is `constant_line`, if it is divided
    lines::ConstantLine<T> constant_line;
    T* removed = nullptr;  ///< not null: gets the mean of the constant line
    Index removed_field = 0;

    [[nodiscard]] POISSON3D_HD int sections() const { return 1 << section_shift; }
    [[nodiscard]] POISSON3D_HD int block_lines() const { return 1 << line_shift; }
    [[nodiscard]] POISSON3D_HD int threads() const { return 1 << (section_shift + line_shift); }
    /// Elements of a line in shared memory, and where they stand: every 9th place is left out, so that threads that
    /// are a section of 8 apart use different banks.
    [[nodiscard]] POISSON3D_HD int pitch() const { return chain.nodes + chain.nodes / max_section + 1; }
    [[nodiscard]] POISSON3D_HD static int in_line(int j) { return j + j / max_section; }
    [[nodiscard]] POISSON3D_HD bool divides_constant() const { return constant && !multiply; }
};

/// Elements of shared memory: the chain's links and volumes, then what threads exchange or rows on their way.
template <class T>
POISSON3D_HD int elimination_elements(const EliminationTask<T>& task) {
    const int exchanged = exchanged_numbers * task.threads();
    const int staged = task.rows ? task.block_lines() * task.pitch() : 0;
    return 2 * task.pitch() + (exchanged > staged ? exchanged : staged);
}

/// The same in bytes, enough for the constant line, too: a number of it for each thread.
template <class T>
std::size_t elimination_bytes(const EliminationTask<T>& task) {
    return std::max(static_cast<std::size_t>(elimination_elements(task)) * sizeof(T),
                    static_cast<std::size_t>(task.threads()) * sizeof(lines::Wide<T>));
}

/// Which lines a block has.
struct EliminatedBlock {
    Index field, slow, line;
};

/// Asynchronous on `stream`; throws Error{device} when refused. `early`: if may_launch_early().
template <class T>
void launch_elimination(const EliminationTask<T>& task, bool early, Stream stream);

}  // namespace poisson3d::fused
