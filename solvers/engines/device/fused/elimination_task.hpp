// What the middle pass along an eliminated axis is told (elimination_pass.hpp), and its launch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "constant_line.hpp"
#include "line_parts.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::fused {

/// How lines lie, and how they are cut: long columns are those of doubles of which 8 are too many threads for two
/// blocks on a multiprocessor, unless sections are longer.
enum class LineShape : std::uint8_t { rows, columns, long_columns };

/// A section is 64 bytes of a line of floats, of doubles 128 or 192, so that a thread has as much of it on its way
/// as two or three, and a line has fewer separators; its chain is read, and rows are staged, by 16 bytes.
template <class T, LineShape shape>
inline constexpr int section_nodes = (sizeof(T) == 4                     ? 64
                                      : shape == LineShape::long_columns ? 192
                                                                         : 128) /
                                     static_cast<int>(sizeof(T));
template <class T>
inline constexpr int vector_nodes = 16 / static_cast<int>(sizeof(T));
/// Nodes of a section that wait in shared memory for the way back, the others in registers. Those of a row are
/// where its section was on its way.
template <class T, LineShape shape>
inline constexpr int stored_nodes = sizeof(T) == 8 ? (shape == LineShape::long_columns ? 14 : 8)
                                                   : (shape == LineShape::rows ? 2 : 0);
/// Of a thread: 24 warps of doubles share a multiprocessor, of floats 32 or 36.
template <class T, LineShape shape>
inline constexpr int elimination_registers = sizeof(T) == 8             ? 80
                                             : shape == LineShape::rows ? 64
                                                                        : 56;
/// Rows are loaded by groups of 8 threads.
inline constexpr int row_group = 8;

/// The numbers of a separator: what is left of its node by the elimination of its section, and what the next
/// section gave to it. Once it is eliminated itself its first three are those of u = rest + left · u_left + next ·
/// u_next, and then the third is u.
enum SeparatorNumber {
    link,
    excess,
    current,
    next_excess,
    next_current,
    separator_numbers,
    to_left = link,
    to_next = excess,
    potential = current,
    first_value = link,  ///< in multiplication: u of its section's ends
    last_value = excess
};
/// Consecutive separators that one thread eliminates.
template <class T>
inline constexpr int separator_run = 32 / static_cast<int>(sizeof(T));

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
    /// The chain cut into sections: links[node of a section], then volumes, as [16 bytes of a section][section].
    const T* sectioned = nullptr;
    int sections = 0;
    int section_threads = 0;  ///< of a line: as many as sections, for rows whole groups
    int line_shift = 0;       ///< a block has 2^… lines
    bool rows = false;        ///< samples are neighbours, else lines
    bool long_columns = false;
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

    [[nodiscard]] int section_nodes() const {
        return rows           ? fused::section_nodes<T, LineShape::rows>
               : long_columns ? fused::section_nodes<T, LineShape::long_columns>
                              : fused::section_nodes<T, LineShape::columns>;
    }
    [[nodiscard]] POISSON3D_HD int block_lines() const { return 1 << line_shift; }
    [[nodiscard]] POISSON3D_HD int threads() const { return section_threads << line_shift; }
    [[nodiscard]] POISSON3D_HD bool divides_constant() const { return constant && !multiply; }
};

/// Elements of shared memory for rows on their way: they have nothing to do with what else is there, so that the
/// threads of a group wait for no others.
template <class T>
POISSON3D_HD int staged_numbers(const EliminationTask<T>& task) {
    return task.rows ? section_nodes<T, LineShape::rows> * task.threads() : 0;
}

/// Whether all rows hold whole words of 16 bytes and begin with one.
template <class T>
bool holds_vectors(const EliminationTask<T>& task) {
    constexpr Index vector = vector_nodes<T>;
    return task.sample == 1 && reinterpret_cast<std::uintptr_t>(task.data) % 16 == 0 &&
           task.chain.nodes % vector == 0 && task.slow % vector == 0 && task.line % vector == 0 &&
           task.field % vector == 0;
}

/// Two numbers of each node that waits, of columns.
template <class T>
POISSON3D_HD int stored_numbers(const EliminationTask<T>& task) {
    if (task.rows) return 0;
    return 2 * task.threads() *
           (task.long_columns ? stored_nodes<T, LineShape::long_columns> : stored_nodes<T, LineShape::columns>);
}

/// Of the node to the left of a part: what it gets, and its u.
inline constexpr int outside_numbers = 3;

/// Elements of a number of so many separators of so many lines, with places left out against bank conflicts.
template <class T>
POISSON3D_HD int separator_elements(int count, int line_shift) {
    return ((count + count / separator_run<T>) | 1) << line_shift;
}

/// Elements of shared memory: rows on their way, nodes that wait, then separators of all levels.
template <class T>
POISSON3D_HD int elimination_elements(const EliminationTask<T>& task) {
    int elements =
        staged_numbers(task) + stored_numbers(task) + (task.part ? outside_numbers << task.line_shift : 0);
    for (int count = task.sections, more = 1; more != 0;
         count = (count + separator_run<T> - 1) / separator_run<T>) {
        elements += separator_numbers * separator_elements<T>(count, task.line_shift);
        more = count > separator_run<T>;
    }
    return elements;
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
