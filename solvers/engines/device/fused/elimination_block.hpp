// What a thread of a block does with its section of an eliminated line, phase by phase (elimination_pass.hpp).
#pragma once

#include "section_memory.hpp"
#include "separators.hpp"
#include "vector_access.hpp"

namespace poisson3d::fused {

template <class T, LineShape shape, bool even, bool part>
struct EliminationBlock : SectionMemory<T, shape, part> {
    using Memory = SectionMemory<T, shape, part>;
    using Memory::column, Memory::inverse_of, Memory::column_out;
    using Memory::rows, Memory::nodes, Memory::vector, Memory::task, Memory::block;
    using typename Memory::Part, typename Memory::Thread;

    Separators<T, rows, part> separators;

    POISSON3D_HD EliminationBlock(const EliminationTask<T>& task_, const EliminatedBlock& block_, T* memory)
        : Memory{task_, block_, memory},
          separators(memory + staged_numbers(task_), task_.sections, task_.line_shift) {}

    /// Rows have threads without a section.
    [[nodiscard]] POISSON3D_HD bool has_section(const Thread& t) const {
        return !rows || t.section < task.sections;
    }

    POISSON3D_HD void place(const Thread& t, Part& s) const {
        s.there = block.line + t.line < task.lines;
        const int left = task.chain.nodes - t.section * nodes;
        s.count = left < nodes ? left : nodes;
        const bool constant = task.divides_constant() && block.slow == 0 && block.line + t.line == 0;
        s.stored = s.there && !constant;
        s.kappa = T(1);
        if (part && t.section == 0)
            separators.of_outside(next_excess, t.line) = separators.of_outside(next_current, t.line) = T(0);
        if (!s.stored) return;
        const T sum = task.lambda_slow[block.slow] + task.shift_by + task.lambda_lanes[block.line + t.line];
        s.kappa = sum < T(0) ? -sum : T(0);  // none is below 0, but for rounding beside λ < 0
    }
    /// Where a line is in the planes of a part.
    [[nodiscard]] POISSON3D_HD Index in_plane(int line) const {
        return block.slow * task.lines + block.line + line;
    }
    [[nodiscard]] POISSON3D_HD bool has_line(int line) const { return block.line + line < task.lines; }

    /// The chain of a section, which is read anew once x is known, and how far its words of 16 bytes are apart.
    [[nodiscard]] POISSON3D_HD const T* table(const Thread& t, T x) const {
        return lines::after(task.sectioned + t.section * vector, x, task.none);
    }
    [[nodiscard]] POISSON3D_HD int row() const { return task.sections * vector; }
    /// body(i, its link to the left, its volume) for the nodes of a section, and for those it lacks, once x is
    /// known.
    template <bool of_volumes, class Body>
    POISSON3D_HD void for_each_node(const Thread& t, T x, const Body& body) const {
        const T* from = even ? nullptr : table(t, x);
        T links[vector], volumes[vector] = {};
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i) {
            if constexpr (even) {
                body(i, i == 0 && t.section == 0 ? task.first_link : task.link, task.volume);
            } else {
                if (i % vector == 0) {
                    lines::load_table_vector(from, links);
                    if (of_volumes) lines::load_table_vector(from + nodes / vector * row(), volumes);
                    from += row();
                }
                body(i, links[i % vector], volumes[i % vector]);
            }
        }
    }

    /// Eliminates the links of all nodes but the last.
    POISSON3D_HD void reduce_links(const Thread& t, Part& s) const {
        if (!has_section(t)) return;
        const T first_ground = t.section == 0 ? task.chain.ground_at(0, s.kappa) : T(0);
        const int last = task.chain.nodes - 1 - t.section * nodes;
        const T last_ground = last < nodes ? task.chain.ground_at(1, s.kappa) : T(0);
        T* const of_column = column(t);
        lines::RunOfLinks<T> run{};
        for_each_node<true>(t, s.kappa, [&](int i, T link_here, T volume) {
            if (i > 0 && i >= s.count) return;
            T excess_here = volume * s.kappa;
            if (i == 0) excess_here += first_ground;
            if (i == last) excess_here += last_ground;
            if (i == 0)
                run = {link_here, excess_here};
            else
                inverse_of(s, of_column, i - 1) = run.step(link_here, excess_here).inverse;
        });
        separators.set_links(t.section, t.line, run);
    }
    /// Then their currents.
    POISSON3D_HD void reduce_currents(const Thread& t, Part& s) const {
        if (!has_section(t)) return;
        T* const of_column = column(t);
        lines::RunOfCurrents<T> run{};
        T tie = 0;
        for_each_node<true>(t, rows ? s.kappa : s.value[nodes - 1], [&](int i, T link_here, T volume) {
            this->template fetch<1>(t, s, of_column, i);
            if (i == 0) {
                run = {volume * (-task.factor * s.value[0])};
                tie = link_here;
                return;
            }
            if (i < s.count) {
                const T inverse = inverse_of(s, of_column, i - 1), current = volume * (-task.factor * s.value[i]);
                const lines::EliminatedNode<T> node{inverse * tie, inverse * link_here, inverse};
                s.value[i - 1] = run.step(node, current);
                tie = node.left * link_here;
            }
            this->template keep<1>(t, s, of_column, i - 1);
        });
        this->template keep<1>(t, s, of_column, nodes - 1);
        separators.set_currents(t.section, t.line, run);
    }
    /// u of all nodes: of a row in shared memory, of a column in the field.
    POISSON3D_HD void substitute(const Thread& t, Part& s) const {
        if (!has_section(t)) return;
        const T on_the_left = separators.left_potential(t.section, t.line);
        T* of_column = column(t);
        T left = 0;
        for_each_node<false>(t, on_the_left, [&](int i, T link_here, T) {
            if (i == nodes - 1) return;
            this->template fetch<1>(t, s, of_column, i);
            left = inverse_of(s, of_column, i) * (i > 0 ? left * link_here : link_here);
            s.value[i] = s.value[i] + left * on_the_left;
            this->template keep<1>(t, s, of_column, i);
        });
        of_column = column(t);
        Index sample = 0;
        T* out = column_out(t, sample);
        out += (nodes - 1) * sample;
        const int stored = s.stored ? s.count : 0;
        T u = separators.at(potential, t.section, t.line);
        const T* const from = even ? nullptr : table(t, u);
        T link_next = task.link, links[vector];
        POISSON3D_UNROLL
        for (int i = nodes - 1; i >= 0; --i, out -= sample) {
            if (i < nodes - 1) this->template fetch<-1>(t, s, of_column, i);
            if (i % vector == vector - 1 && !even) lines::load_table_vector(from + i / vector * row(), links);
            if (i < nodes - 1 && i < s.count - 1) u = s.value[i] + inverse_of(s, of_column, i) * link_next * u;
            s.value[i] = u;
            if (rows) this->template keep<-1>(t, s, of_column, i);
            if (!rows && i < stored) *out = u;
            if (!even) link_next = links[i % vector];
        }
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

    POISSON3D_HD void show_ends(const Thread& t, Part& s) const {
        if (!has_section(t)) return;
        T* const of_column = column(t);
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i) this->template fetch<1>(t, s, of_column, i);
        separators.at(first_value, t.section, t.line) = s.value[0];
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i)
            if (i + 1 == s.count) separators.at(last_value, t.section, t.line) = s.value[i];
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
            const int j = t.section * nodes + i;
            const T u = s.value[i];
            const T behind = i + 1 < nodes && i + 1 < s.count ? s.value[i + 1 < nodes ? i + 1 : i] : after;
            const T volume = lines::load_table(task.chain.volumes + j);
            const T sum = lines::load_table(task.chain.links + j) * (u - before) +
                          lines::load_table(task.chain.links + j + 1) * (u - behind) +
                          task.chain.with_ground(volume * s.kappa, s.kappa, j) * u;
            s.value[i] = (-task.factor / volume) * sum;
            before = u;
        }
        Index sample = 0;
        T* out = column_out(t, sample);
        const int stored = s.stored ? s.count : 0;
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i, out += sample) {
            if (rows) this->template keep<1>(t, s, nullptr, i);
            if (!rows && i < stored) *out = s.value[i];
        }
    }
};

}  // namespace poisson3d::fused
