// Where the numbers of a section of an eliminated line are: those of a row in shared memory, in registers one word
// of 16 bytes after the other; those of a column in registers, and the inverses of its pivots in shared memory,
// where these are too many. So neither needs more registers than 24 or 32 warps of a multiprocessor have.
#pragma once

#include "elimination_task.hpp"
#include "moved_row.hpp"

namespace poisson3d::fused {

/// A thread of a block: its section of its line, and its number.
struct EliminatingThread {
    int section, line, number;
};

/// A section of a line and where it is.
template <class T>
struct Section {
    int count;           ///< its nodes
    bool there, stored;  ///< whether the field has such a line, and whether this block writes it
    T kappa;
    T value[section_nodes];    ///< f, then what is independent of the neighbours' u, then u
    T inverse[section_nodes];  ///< of pivots
};

/// The memory of the sections of a block.
template <class T, LineShape shape, bool part>
struct SectionMemory {
    static constexpr bool rows = shape == LineShape::rows;
    static constexpr int nodes = section_nodes, vector = vector_nodes<T>;
    using Part = Section<T>;
    using Thread = EliminatingThread;

    const EliminationTask<T>& task;
    EliminatedBlock block;
    T* staged;  ///< shared memory

    [[nodiscard]] POISSON3D_HD T* line_of(int line) const {
        return task.data + block.field * task.field + block.slow * task.slow + (block.line + line) * task.line;
    }
    [[nodiscard]] POISSON3D_HD MovedRow<T> moved_row(const Thread& t) const {
        return {line_of(t.line), staged + t.line * nodes * task.section_threads, t.section, task.chain.nodes,
                task.vectors};
    }
    /// Shared memory of a column, a number of each thread of a warp side by side: inverses, then nodes that wait.
    /// Compilers read it anew for each loop that asks.
    [[nodiscard]] POISSON3D_HD T* column(const Thread& t) const {
        const int lane = t.number % 32;
        return keeps_inverses<T, shape>
                   ? nullptr
                   : lines::in_this_turn(staged + (t.number - lane) * stored_numbers<T, shape> + lane);
    }
    [[nodiscard]] POISSON3D_HD T& inverse_of(Part& s, T* of_column, int node) const {
        return keeps_inverses<T, shape> ? s.inverse[node] : of_column[node * 32];
    }
    [[nodiscard]] POISSON3D_HD T& waiting(T* of_column, int node) const {
        return of_column[(nodes - 1 + node) * 32];
    }
    /// The number of a node, before it is used and after it is set, from and to shared memory: those of rows by 16
    /// bytes, in the order of `step`; of columns those that wait there.
    template <int step>
    POISSON3D_HD void fetch(const Thread& t, Part& s, T* of_column, int node) const {
        constexpr int begin = step > 0 ? 0 : vector - 1;
        if (rows && node % vector == begin) moved_row(t).read(node - begin, s.value + node - begin);
        if (!rows && node < waiting_nodes<shape>) s.value[node] = waiting(of_column, node);
    }
    template <int step>
    POISSON3D_HD void keep(const Thread& t, const Part& s, T* of_column, int node) const {
        constexpr int end = step > 0 ? vector - 1 : 0;
        if (rows && node % vector == end) moved_row(t).write(node - end, s.value + node - end);
        if (!rows && node < waiting_nodes<shape>) waiting(of_column, node) = s.value[node];
    }
    /// Asks for f of a section; of a row for what the thread moves for its group.
    POISSON3D_HD void ask(const Thread& t, Part& s) const {
        if constexpr (rows) return moved_row(t).ask(s.there);
        const T* from = line_of(t.line) + Index{t.section} * nodes * task.sample;
        T* const of_column = column(t);
        const bool whole = s.there && s.count == nodes;  // most sections are: they ask but once
        if (whole) {
            POISSON3D_UNROLL
            for (int i = 0; i < nodes; ++i, from += task.sample)
                if (i < waiting_nodes<shape>)
                    lines::copy_to_shared<sizeof(T)>(from, &waiting(of_column, i));
                else
                    s.value[i] = lines::load_field(from);
        } else {
            POISSON3D_UNROLL
            for (int i = 0; i < nodes; ++i, from += task.sample) {
                s.value[i] = s.there && i < s.count ? lines::load_field(from) : T(0);
                keep<1>(t, s, of_column, i);
            }
        }
    }
    /// Of rows, once a group has written them.
    POISSON3D_HD void store_row(const Thread& t, const Part& s) const { moved_row(t).store(s.stored); }

    /// Where a column goes, and how far its nodes are apart.
    [[nodiscard]] POISSON3D_HD T* column_out(const Thread& t, Index& sample) const {
        const bool apart = part && task.out != nullptr;
        sample = apart ? task.out_sample : task.sample;
        T* const line =
            apart ? task.out + block.slow * task.out_slow + (block.line + t.line) * task.out_line : line_of(t.line);
        return line + Index{t.section} * nodes * sample;
    }
};

}  // namespace poisson3d::fused
