// What the middle pass along an eliminated axis is told (elimination_pass.hpp), and its launch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "constant_line.hpp"
#include "line_parts.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::fused {

/// How lines lie: samples are neighbours, or lines. Long columns are those of doubles of which 8 are too many
/// threads for two blocks on a multiprocessor, unless threads have fewer registers.
enum class LineShape : std::uint8_t { rows, columns, long_columns };

/// A section has 16 nodes; rows are moved, and the chain is read, by 16 bytes.
inline constexpr int section_nodes = 16;
template <class T>
inline constexpr int vector_nodes = 16 / static_cast<int>(sizeof(T));
/// Nodes of a section of a column for whose f there are no registers: they wait in shared memory.
template <LineShape shape>
inline constexpr int waiting_nodes = shape == LineShape::long_columns ? 3 : 0;
/// Whether the inverses of the pivots of a section are in registers: those of columns of doubles are not.
template <class T, LineShape shape>
inline constexpr bool keeps_inverses = shape == LineShape::rows || sizeof(T) == 4;
/// Numbers of a section in shared memory: all of a row; of a column inverses, and nodes that wait.
template <class T, LineShape shape>
inline constexpr int stored_numbers = shape == LineShape::rows   ? section_nodes
                                      : keeps_inverses<T, shape> ? 0
                                                                 : section_nodes - 1 + waiting_nodes<shape>;
/// Of a thread.
template <class T, LineShape shape, bool even>
inline constexpr int elimination_registers =
    sizeof(T) == 8 ? (shape == LineShape::long_columns || (shape == LineShape::rows && even) ? 64 : 80)
                   : (shape == LineShape::rows ? 64 : 56);
/// Of a multiprocessor's memory, in percent, what passes along other axes have, too: with another share it would
/// have to be empty before their blocks follow. −1: what CUDA chooses.
template <LineShape shape>
inline constexpr int elimination_memory = shape == LineShape::rows ? 71 : -1;
/// Rows are loaded by groups of 8 threads.
inline constexpr int row_group = 8;

/// The numbers of a separator: what is left of its node by the elimination of its section, and what the next
/// section gave to it. Once it is eliminated itself they are those of u = rest + left · u_left + next · u_next, and
/// the inverse of the pivot; and then u takes the place of the rest.
enum SeparatorNumber {
    link,
    excess,
    next_excess,
    current,
    next_current,
    separator_numbers,
    to_left = link,
    to_next = excess,
    pivot = next_excess,
    potential = current,
    first_value = link,  ///< in multiplication: u of its section's ends
    last_value = excess
};
/// Whether one warp eliminates all separators of a block, unless it has more lines: without barriers of the block,
/// but with few threads for each of the 16 lines of floats.
template <class T>
inline constexpr bool separators_of_warp = sizeof(T) == 8;
/// Consecutive separators that one thread eliminates: an eighth of a line's, or so many that a warp has all. They
/// are odd, so that threads meet in no bank.
template <class T>
POISSON3D_HD int separator_run(int sections, int line_shift) {
    const int runs_shift = !separators_of_warp<T> ? 3 : line_shift < 5 ? 5 - line_shift : 0;
    return ((sections + (1 << runs_shift) - 1) >> runs_shift) | 1;
}
POISSON3D_HD int separator_runs(int sections, int run) {
    return static_cast<int>(static_cast<unsigned>(sections + run - 1) / static_cast<unsigned>(run));
}

/// What is done with lines: with whole ones, or in two steps with parts, which are columns.
enum class EliminationWork { divide, multiply, reduce_part, substitute_part, multiply_part };
constexpr bool of_part(EliminationWork work) {
    return work != EliminationWork::divide && work != EliminationWork::multiply;
}
constexpr bool multiplies(EliminationWork work) {
    return work == EliminationWork::multiply || work == EliminationWork::multiply_part;
}

template <class T>
struct EliminationTask {
    lines::ChainView<T> chain;
    /// The chain cut into sections: links[node of a section], then volumes, as [16 bytes of a section][section]. An
    /// even one has one link, but to the first node, and one volume.
    const T* sectioned = nullptr;
    bool even = false;
    T first_link = 0, link = 1, volume = 1;
    int none = 0;  ///< 0, which compilers must not know
    int sections = 0;
    int section_threads = 0;  ///< of a line: as many as sections, for rows whole groups
    int line_shift = 0;       ///< a block has 2^… lines
    LineShape shape = LineShape::columns;
    bool vectors = false;  ///< rows hold whole words of 16 bytes and begin with one
    T* data = nullptr;
    Index slow_count = 0, lines = 0, fields = 1;
    Index slow = 0, line = 0, sample = 0, field = 0;  ///< strides
    const T *lambda_slow = nullptr, *lambda_lanes = nullptr;
    T shift_by = 0, factor = 1;
    bool multiply = false;
    bool constant = false;  ///< line 0 at slow index 0 is `constant_line`, if it is divided
    lines::ConstantLine<T> constant_line;
    T* removed = nullptr;  ///< not null: gets the mean of the constant line
    Index removed_field = 0;
    bool part = false;   ///< lines are …
    LineParts<T> parts;  ///< … these parts; if they are multiplied, `substitute` alone
    T* out = nullptr;    ///< not null: where parts go, which stay as they are at `data`
    Index out_slow = 0, out_line = 0, out_sample = 0;

    [[nodiscard]] POISSON3D_HD bool rows() const { return shape == LineShape::rows; }
    [[nodiscard]] POISSON3D_HD int block_lines() const { return 1 << line_shift; }
    [[nodiscard]] POISSON3D_HD int threads() const { return section_threads << line_shift; }
    [[nodiscard]] POISSON3D_HD bool divides_constant() const { return constant && !multiply; }
};

/// Elements of shared memory for the sections: they have nothing to do with what else is there, so that the threads
/// of a group wait for no others.
template <class T>
POISSON3D_HD int staged_numbers(const EliminationTask<T>& task) {
    using enum LineShape;
    const int numbers = task.shape == long_columns ? stored_numbers<T, long_columns>
                        : task.shape == columns    ? stored_numbers<T, columns>
                                                   : stored_numbers<T, rows>;
    return numbers * ((task.threads() + 31) / 32 * 32);
}

/// Whether all rows hold whole words of 16 bytes and begin with one.
template <class T>
bool holds_vectors(const EliminationTask<T>& task) {
    constexpr Index vector = vector_nodes<T>;
    return task.sample == 1 && reinterpret_cast<std::uintptr_t>(task.data) % 16 == 0 &&
           task.chain.nodes % vector == 0 && task.slow % vector == 0 && task.line % vector == 0 &&
           task.field % vector == 0;
}

/// Of the node to the left of a part: what it gets, and its u.
inline constexpr int outside_numbers = 3;

/// Elements of a number of so many separators of so many lines.
POISSON3D_HD int separator_elements(int count, int line_shift) {
    return (count | 1) << line_shift;
}

/// Elements of shared memory: sections, then separators of both levels.
template <class T>
POISSON3D_HD int elimination_elements(const EliminationTask<T>& task) {
    const int runs = separator_runs(task.sections, separator_run<T>(task.sections, task.line_shift));
    return staged_numbers(task) + (task.part ? outside_numbers << task.line_shift : 0) +
           separator_numbers *
               (separator_elements(task.sections, task.line_shift) + separator_elements(runs, task.line_shift));
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
