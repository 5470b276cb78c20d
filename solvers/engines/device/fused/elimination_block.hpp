// What a thread of a block does with its section of an eliminated line, phase by phase (elimination_pass.hpp).
#pragma once

#include "elimination_task.hpp"
#include "moved_row.hpp"
#include "separators.hpp"
#include "vector_access.hpp"

namespace poisson3d::fused {

/// A thread of a block: its section of its line, and its number.
struct EliminatingThread {
    int section, line, number;
};

/// A section of a line and where it is.
template <class T, LineShape shape>
struct Section {
    static constexpr int nodes = section_nodes<T, shape>;
    int first, count;    ///< its nodes, those of the field
    bool there, stored;  ///< whether the field has such a line, and whether this block writes it
    T kappa;
    T inverse[nodes - 1];  ///< pivots
    T value[nodes];        ///< f, then what is independent of the neighbours' u, then u
};

/// The link of a node that fills up a section.
template <class T>
constexpr T wire() {
    return sizeof(T) == 4 ? T(0x1p100) : T(0x1p600);
}

template <class T, LineShape shape, bool part = false>
struct EliminationBlock {
    static constexpr bool rows = shape == LineShape::rows;
    static constexpr int nodes = section_nodes<T, shape>, vector = vector_nodes<T>;
    /// Of nodes that wait in shared memory, and whether they do so again while others are substituted.
    static constexpr int waiting = stored_nodes<T, shape>;
    static constexpr bool wait_again = shape == LineShape::long_columns;
    using Part = Section<T, shape>;
    using Thread = EliminatingThread;

    const EliminationTask<T>& task;
    EliminatedBlock block;
    T *staged, *shared;  ///< rows on their way; what waits
    Separators<T, rows, part> separators;

    POISSON3D_HD EliminationBlock(const EliminationTask<T>& task_, const EliminatedBlock& block_, T* memory)
        : task(task_),
          block(block_),
          staged(memory),
          shared(memory + (rows ? staged_numbers(task_) : 0)),
          separators(shared + stored_numbers(task_), task_.sections, task_.line_shift) {}

    [[nodiscard]] POISSON3D_HD T* line_of(int line) const {
        return task.data + block.field * task.field + block.slow * task.slow + (block.line + line) * task.line;
    }
    [[nodiscard]] POISSON3D_HD T* staged_line(int line) const {
        return staged + line * nodes * task.section_threads;
    }
    /// Rows have threads without a section.
    [[nodiscard]] POISSON3D_HD bool has_section(const Thread& t) const {
        return !rows || t.section < task.sections;
    }

    POISSON3D_HD void place(const Thread& t, Part& s) const {
        s.first = t.section * nodes;
        s.there = block.line + t.line < task.lines;
        s.count = s.there ? task.chain.nodes - s.first : 0;
        const bool constant = task.divides_constant() && block.slow == 0 && block.line + t.line == 0;
        s.stored = s.there && !constant;
        if (part && t.section == 0) separators.of_outside(0, t.line) = separators.of_outside(1, t.line) = T(0);
    }
    /// Where a line is in the planes of a part.
    [[nodiscard]] POISSON3D_HD Index in_plane(int line) const {
        return block.slow * task.lines + block.line + line;
    }
    [[nodiscard]] POISSON3D_HD bool has_line(int line) const { return block.line + line < task.lines; }
    /// After the loads of the field, so that those of eigenvalues do not hold them up.
    POISSON3D_HD void set_kappa(const Thread& t, Part& s) const {
        s.kappa = T(1);
        if (!s.stored) return;
        const T sum = task.lambda_slow[block.slow] + task.shift_by + task.lambda_lanes[block.line + t.line];
        s.kappa = sum < T(0) ? -sum : T(0);  // none is below 0, but for rounding beside λ < 0
    }

    [[nodiscard]] POISSON3D_HD MovedRow<T> moved_row(const Thread& t) const {
        return {line_of(t.line), staged_line(t.line), t.section, task.chain.nodes, task.vectors};
    }
    POISSON3D_HD void load_row(const Thread& t, Part& s) const { moved_row(t).load(s.there, s.value); }
    POISSON3D_HD void stage_row(const Thread& t, const Part& s) const { moved_row(t).stage(s.value); }
    POISSON3D_HD void store_row(const Thread& t, const Part& s) const { moved_row(t).store(s.stored); }
    POISSON3D_HD void load_staged(const Thread& t, Part& s) const { moved_row(t).load_section(s.value); }
    POISSON3D_HD void store_staged(const Thread& t, const Part& s) const { moved_row(t).store_section(s.value); }

    /// body(in the field, i) for the first `count` nodes of a section from `here` on. Most sections are whole: they
    /// ask but once.
    template <class Body>
    static POISSON3D_HD void for_each_of_column(T* here, Index sample, int count, const Body& body) {
        if (count >= nodes) {
            POISSON3D_UNROLL
            for (int i = 0; i < nodes; ++i, here += sample) body(here, i);
        } else {
            POISSON3D_UNROLL
            for (int i = 0; i < nodes; ++i, here += sample)
                if (i < count) body(here, i);
        }
    }
    [[nodiscard]] POISSON3D_HD T* section_of(const Thread& t, const Part& s) const {
        return line_of(t.line) + s.first * task.sample;
    }
    POISSON3D_HD void load_column(const Thread& t, Part& s) const {
        for_each_of_column(section_of(t, s), task.sample, s.count,
                           [&](const T* in, int i) { s.value[i] = lines::load_field(in); });
        if (s.count >= nodes) return;
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i)
            if (i >= s.count) s.value[i] = T(0);
    }
    POISSON3D_HD void store_column(const Thread& t, const Part& s) const {
        T* to = section_of(t, s);
        Index sample = task.sample;
        if constexpr (part) {
            if (task.out != nullptr) {
                sample = task.out_sample;
                to = task.out + block.slow * task.out_slow + (block.line + t.line) * task.out_line +
                     s.first * sample;
            }
        }
        for_each_of_column(to, sample, s.stored ? s.count : 0, [&](T* out, int i) { *out = s.value[i]; });
    }

    [[nodiscard]] POISSON3D_HD T& stored(const Thread& t, int node, int number) const {
        if (rows) return staged_line(t.line)[staged_number<T>(t.section, 2 * node + number)];
        return shared[(2 * node + number) * task.threads() + t.number];
    }

    /// body(i, its link to the left) for the nodes of a section.
    template <class Body>
    POISSON3D_HD void for_each_link(const Thread& t, const Body& body) const {
        const T* from = task.sectioned + t.section * vector;
        T links[vector];
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i) {
            if (i % vector == 0) {
                lines::load_table_vector(from, links);
                from += task.sections * vector;
            }
            body(i, links[i % vector]);
        }
    }

    POISSON3D_HD void reduce(const Thread& t, Part& s) const {
        if (!has_section(t)) return;
        const T* from = task.sectioned + t.section * vector;
        const Index to_volumes = Index{nodes / vector} * task.sections * vector;
        const T first_ground = t.section == 0 ? task.chain.ground_at(0, s.kappa) : T(0);
        const T last_ground = t.section == task.sections - 1 ? task.chain.ground_at(1, s.kappa) : T(0);
        if constexpr (rows) load_staged(t, s);
        lines::Run<T> run{};
        T links[vector], volumes[vector];
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i) {
            if (i % vector == 0) {
                lines::load_table_vector(from, links);
                lines::load_table_vector(from + to_volumes, volumes);
                from += task.sections * vector;
            }
            T excess_here = volumes[i % vector] * s.kappa;
            if (i == 0) excess_here += first_ground;
            if (i == nodes - 1) excess_here += last_ground;
            const T current_here = volumes[i % vector] * (-task.factor * s.value[i]);
            if (i == 0) {
                run = {links[0], excess_here, current_here};
            } else {
                const lines::EliminatedNode<T> node = run.step(links[i % vector], excess_here, current_here);
                if (i - 1 < waiting)
                    stored(t, i - 1, 0) = node.inverse, stored(t, i - 1, 1) = node.rest;
                else
                    s.inverse[i - 1] = node.inverse, s.value[i - 1] = node.rest;
            }
        }
        separators.set(t.section, t.line, run);
    }
    POISSON3D_HD void substitute(const Thread& t, Part& s) const {
        if (!has_section(t)) return;
        const T on_the_left = separators.left_potential(t.section, t.line);
        s.value[nodes - 1] = separators.at(potential, t.section, t.line);
        T left = 0, next[nodes - 1];
        for_each_link(t, [&](int i, T link_here) {
            if (i < waiting) s.inverse[i] = stored(t, i, 0), s.value[i] = stored(t, i, 1);
            if (i > 0) next[i - 1] = s.inverse[i - 1] * link_here;
            if (wait_again && i > 0 && i - 1 < waiting)
                stored(t, i - 1, 0) = next[i - 1], stored(t, i - 1, 1) = s.value[i - 1];
            if (i == nodes - 1) return;
            left = s.inverse[i] * (i > 0 ? left * link_here : link_here);
            s.value[i] = s.value[i] + left * on_the_left;
        });
        POISSON3D_UNROLL
        for (int i = nodes - 2; i >= 0; --i) {
            if (wait_again && i < waiting) next[i] = stored(t, i, 0), s.value[i] = stored(t, i, 1);
            s.value[i] = s.value[i] + next[i] * s.value[i + 1];
        }
        if constexpr (rows) store_staged(t, s);
    }

    /// What is left of a part, to its planes; and what comes back.
    POISSON3D_HD void write_planes(int line, const lines::LineEnds<T>& ends) const {
        if (!has_line(line)) return;
        const LineParts<T>& to = task.parts;
        const Index at = in_plane(line);
        if (to.current != nullptr) {
            to.current[at] = ends.current;
            to.left_current[at] = ends.left_current;
        }
        if (to.tie == nullptr) return;
        to.tie[at] = ends.tie;
        to.excess[at] = ends.excess;
        to.left_excess[at] = ends.left_excess;
    }
    [[nodiscard]] POISSON3D_HD T from_plane(const T* plane, int line) const {
        return has_line(line) ? plane[in_plane(line)] : T(0);
    }

    POISSON3D_HD void show_ends(const Thread& t, const Part& s) const {
        if (!has_section(t)) return;
        separators.at(first_value, t.section, t.line) = s.value[0];
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i)
            if (i + 1 == (s.count < nodes ? s.count : nodes))
                separators.at(last_value, t.section, t.line) = s.value[i];
    }
    POISSON3D_HD void multiply(const Thread& t, Part& s) const {
        if (!has_section(t)) return;
        const bool at_end = t.section + 1 == task.sections;
        T before = part && t.section == 0 ? from_plane(task.parts.left, t.line)
                                          : separators.at(last_value, separators.before(t.section), t.line);
        const T after = part && at_end ? from_plane(task.parts.right, t.line)
                                       : separators.at(first_value, at_end ? 0 : t.section + 1, t.line);
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i) {
            if (i >= s.count) continue;
            const int j = s.first + i;
            const T u = s.value[i];
            const T behind = i + 1 < nodes && i + 1 < s.count ? s.value[i + 1 < nodes ? i + 1 : i] : after;
            const T volume = lines::load_table(task.chain.volumes + j);
            const T sum = lines::load_table(task.chain.links + j) * (u - before) +
                          lines::load_table(task.chain.links + j + 1) * (u - behind) +
                          task.chain.with_ground(volume * s.kappa, s.kappa, j) * u;
            s.value[i] = (-task.factor / volume) * sum;
            before = u;
        }
    }
};

}  // namespace poisson3d::fused
