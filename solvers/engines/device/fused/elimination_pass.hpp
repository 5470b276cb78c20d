// The middle pass along an eliminated axis: of each line of modes b = −factor D f becomes u (elimination.hpp),
// where it lies, in one read and one write of the field.
//
// A line is cut into 2^p sections of nearly as many consecutive nodes, each the work of a thread, whose numbers
// stay in its registers:
//
//     load         the chain and f of a section
//     reduce       all its nodes but the last are eliminated; the last one is the section's separator
//     separators   a chain or ring again. At distances 1, 2, 4 … every other one that is left is eliminated between
//                  two that stay; of the last one u = current/excess; then back, distance by distance
//     substitute   the other nodes of the section, from its last to its first
//     store        u of the section
//
// Every step is that of a run, so errors are those of runs, and so are residuals. Multiplication, the reverse,
// needs the two nodes beside a section alone. The line κ = 0 is a block's own work (constant_line.hpp); no other
// block writes it. Host and device share this file: on the host a block's threads take turns. Source: Hockney, J.
// ACM 12 (1965), for the elimination of every other one.
#pragma once

#include "elimination_task.hpp"

namespace poisson3d::fused {

/// A section of a line and where it is.
template <class T, int nodes>
struct Section {
    int number, line;    ///< among the sections of its line, among the lines of its block
    int first, count;    ///< its nodes
    bool there, stored;  ///< whether the field has such a line, and whether this block writes it
    T kappa;
    T tie, next_tie, excess, current;    ///< of its separator
    lines::EliminatedNode<T> separator;  ///< once it is eliminated
    T left[nodes - 1], next[nodes - 1];  ///< u = value + left · u_left + next · u_next
    T value[nodes];                      ///< f, then currents, then u
};

/// A block: its shared memory, and the number of its thread that exchanges with the same section of other lines
/// or other sections of the same.
template <class T>
struct EliminationBlock {
    const EliminationTask<T>& task;
    EliminatedBlock block;
    T *links, *volumes;  ///< of the chain, in shared memory, as all below
    T* shared;

    POISSON3D_HD EliminationBlock(const EliminationTask<T>& task_, const EliminatedBlock& block_, T* memory)
        : task(task_),
          block(block_),
          links(memory),
          volumes(memory + task.pitch()),
          shared(memory + 2 * task.pitch()) {}

    POISSON3D_HD void load_chain(int thread) const {
        for (int j = thread; j <= task.chain.nodes; j += task.threads()) {
            links[task.in_line(j)] = lines::load_table(task.chain.links + j);
            if (j < task.chain.nodes) volumes[task.in_line(j)] = lines::load_table(task.chain.volumes + j);
        }
    }
    [[nodiscard]] POISSON3D_HD T link(int j) const { return links[task.in_line(j)]; }
    [[nodiscard]] POISSON3D_HD T volume(int j) const { return volumes[task.in_line(j)]; }

    /// Neighbouring threads have neighbouring sections of a row, or neighbouring lines.
    [[nodiscard]] POISSON3D_HD int thread_of(int section, int line) const {
        return task.rows ? (line << task.section_shift) + section : (section << task.line_shift) + line;
    }
    /// The section `distance` sections away, around the end.
    template <int nodes>
    [[nodiscard]] POISSON3D_HD int thread_at(const Section<T, nodes>& s, int distance) const {
        return thread_of((s.number + distance) & (task.sections() - 1), s.line);
    }
    [[nodiscard]] POISSON3D_HD T& slot(Exchanged which, int thread) const {
        return shared[which * task.threads() + thread];
    }
    [[nodiscard]] POISSON3D_HD T* line_of(int line) const {
        return task.data + block.field * task.field + block.slow * task.slow + (block.line + line) * task.line;
    }

    template <int nodes>
    POISSON3D_HD void place(int thread, Section<T, nodes>& s) const {
        s.number = task.rows ? thread & (task.sections() - 1) : thread >> task.line_shift;
        s.line = task.rows ? thread >> task.section_shift : thread & (task.block_lines() - 1);
        const auto start = [&](int number) {
            return static_cast<int>((static_cast<unsigned>(number) * static_cast<unsigned>(task.chain.nodes)) >>
                                    task.section_shift);
        };
        s.first = start(s.number);
        s.count = start(s.number + 1) - s.first;
        s.there = block.line + s.line < task.lines;
        const bool constant = task.divides_constant() && block.slow == 0 && block.line + s.line == 0;
        s.stored = s.there && !constant;
        s.kappa = T(1);
        if (!s.stored) return;
        const T sum = task.lambda_slow[block.slow] + task.shift_by + task.lambda_lanes[block.line + s.line];
        s.kappa = sum < T(0) ? -sum : T(0);  // none is below 0, but for rounding beside λ < 0
    }

    /// body(i, node) for the nodes of a section …
    template <int nodes, class Body>
    POISSON3D_HD static void for_each_node(const Section<T, nodes>& s, const Body& body) {
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i)
            if (i < s.count) body(i, s.first + i);
    }
    /// … and body(where in the field's line, where in shared memory) for as many of a row, neighbouring threads at
    /// neighbours.
    template <int nodes, class Body>
    POISSON3D_HD void for_each_of_row(const Section<T, nodes>& s, const Body& body) const {
        T* const row = line_of(s.line);
        T* const staged = shared + s.line * task.pitch();
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i)
            if (const int j = s.number + (i << task.section_shift); j < task.chain.nodes)
                body(row[j], staged[task.in_line(j)]);
    }

    template <int nodes>
    POISSON3D_HD void load_row(const Section<T, nodes>& s) const {
        if (s.there) for_each_of_row(s, [](const T& in, T& staged) { staged = lines::load_field(&in); });
    }
    template <int nodes>
    POISSON3D_HD void store_row(const Section<T, nodes>& s) const {
        if (s.stored) for_each_of_row(s, [](T& out, const T& staged) { out = staged; });
    }

    template <int nodes>
    POISSON3D_HD void load(Section<T, nodes>& s) const {
        const T* const from = task.rows ? shared + s.line * task.pitch() : line_of(s.line);
        POISSON3D_UNROLL
        for (int i = 0; i < nodes; ++i) s.value[i] = T(0);
        if (!s.there) return;
        for_each_node(s, [&](int i, int j) {
            s.value[i] = task.rows ? from[task.in_line(j)] : lines::load_field(from + j * task.sample);
        });
    }
    template <int nodes>
    POISSON3D_HD void store(const Section<T, nodes>& s) const {
        T* const to = task.rows ? shared + s.line * task.pitch() : line_of(s.line);
        if (!s.stored) return;
        for_each_node(s, [&](int i, int j) { to[task.rows ? task.in_line(j) : j * task.sample] = s.value[i]; });
    }

    template <int nodes>
    POISSON3D_HD void reduce(int thread, Section<T, nodes>& s) const {
        const lines::ChainView<T>& chain = task.chain;
        const T volume_here = volume(s.first);
        lines::Run<T> run{link(s.first), chain.with_ground(volume_here * s.kappa, s.first),
                          -task.factor * volume_here * s.value[0]};
        POISSON3D_UNROLL
        for (int i = 0; i < nodes - 1; ++i) {
            if (i + 1 >= s.count) continue;
            const int j = s.first + i + 1;
            const T volume_next = volume(j);
            const lines::EliminatedNode<T> node = run.step(link(j), chain.with_ground(volume_next * s.kappa, j),
                                                           -task.factor * volume_next * s.value[i + 1]);
            s.left[i] = node.left, s.next[i] = node.next, s.value[i] = node.rest;
        }
        s.tie = run.tie, s.excess = run.excess, s.current = run.current;
        slot(to_link, thread) = run.tie;
        slot(left_excess, thread) = run.left_excess;
        slot(left_current, thread) = run.left_current;
    }
    /// What the next section gave to its left neighbour.
    template <int nodes>
    POISSON3D_HD void join(Section<T, nodes>& s) const {
        const int right = thread_at(s, 1);
        s.next_tie = slot(to_link, right);
        s.excess += slot(left_excess, right);
        s.current += slot(left_current, right);
    }

    /// Whether a separator is eliminated at a distance, and whether it is left after that.
    template <int nodes>
    POISSON3D_HD static bool goes(const Section<T, nodes>& s, int distance) {
        return ((s.number + 1) & (2 * distance - 1)) == distance;
    }
    template <int nodes>
    POISSON3D_HD static bool stays(const Section<T, nodes>& s, int distance) {
        return ((s.number + 1) & (2 * distance - 1)) == 0;
    }
    template <int nodes>
    POISSON3D_HD void eliminate(int distance, int thread, Section<T, nodes>& s) const {
        if (!goes(s, distance)) return;
        const T inverse = lines::reciprocal(s.tie + s.next_tie + s.excess);
        s.separator = {inverse * s.tie, inverse * s.next_tie, inverse * s.current};
        slot(to_link, thread) = s.separator.left * s.next_tie;
        slot(left_excess, thread) = s.separator.left * s.excess;
        slot(left_current, thread) = s.separator.left * s.current;
        slot(next_excess, thread) = s.separator.next * s.excess;
        slot(next_current, thread) = s.separator.next * s.current;
    }
    template <int nodes>
    POISSON3D_HD void take(int distance, Section<T, nodes>& s) const {
        if (!stays(s, distance)) return;
        const int left = thread_at(s, -distance), right = thread_at(s, distance);
        s.tie = slot(to_link, left);
        s.next_tie = slot(to_link, right);
        s.excess += slot(next_excess, left) + slot(left_excess, right);
        s.current += slot(next_current, left) + slot(left_current, right);
    }
    /// The separator that is left over.
    template <int nodes>
    POISSON3D_HD void finish(int thread, Section<T, nodes>& s) const {
        if (s.number + 1 < task.sections()) return;
        s.current = lines::quotient(s.current, s.excess);
        slot(potential, thread) = s.current;
    }
    template <int nodes>
    POISSON3D_HD void restore(int distance, int thread, Section<T, nodes>& s) const {
        if (!goes(s, distance)) return;
        s.current = s.separator.rest + s.separator.left * slot(potential, thread_at(s, -distance)) +
                    s.separator.next * slot(potential, thread_at(s, distance));
        slot(potential, thread) = s.current;
    }
    template <int nodes>
    POISSON3D_HD void substitute(Section<T, nodes>& s) const {
        const T on_the_left = slot(potential, thread_at(s, -1));
        T on_the_right = s.current;
        POISSON3D_UNROLL
        for (int i = nodes - 1; i >= 0; --i) {
            if (i + 1 > s.count) continue;
            if (i < nodes - 1 && i + 1 < s.count)
                on_the_right = s.value[i] + s.left[i < nodes - 1 ? i : 0] * on_the_left +
                               s.next[i < nodes - 1 ? i : 0] * on_the_right;
            s.value[i] = on_the_right;
        }
    }

    template <int nodes>
    POISSON3D_HD void show_ends(int thread, const Section<T, nodes>& s) const {
        slot(first_value, thread) = s.value[0];
        for_each_node(s, [&](int i, int) {
            if (i + 1 == s.count) slot(last_value, thread) = s.value[i];
        });
    }
    template <int nodes>
    POISSON3D_HD void multiply(Section<T, nodes>& s) const {
        T before = slot(last_value, thread_at(s, -1));
        const T after = slot(first_value, thread_at(s, 1));
        for_each_node(s, [&](int i, int j) {
            const T u = s.value[i];
            const T behind = i + 1 < s.count ? s.value[i + 1 < nodes ? i + 1 : i] : after;
            const T current = link(j) * (u - before) + link(j + 1) * (u - behind) +
                              task.chain.with_ground(volume(j) * s.kappa, j) * u;
            s.value[i] = (-task.factor / volume(j)) * current;
            before = u;
        });
    }
};

/// All phases on a block, whose threads are those of `team`: team.each(body) calls body(thread, its section), and
/// team.wait() is where they wait for each other.
template <int nodes, class T, class Team>
POISSON3D_HD void eliminate_block(const EliminationTask<T>& task, const EliminatedBlock& position, T* shared,
                                  Team& team) {
    using Part = Section<T, nodes>;
    const EliminationBlock<T> block(task, position, shared);
    team.each([&](int thread, Part& s) {
        block.load_chain(thread);
        block.place(thread, s);
        task.rows ? block.load_row(s) : block.load(s);
    });
    team.wait();
    if (task.rows) {
        team.each([&](int, Part& s) { block.load(s); });
        team.wait();
    }
    if (task.multiply) {
        team.each([&](int thread, Part& s) { block.show_ends(thread, s); });
        team.wait();
        team.each([&](int, Part& s) { block.multiply(s); });
    } else {
        team.each([&](int thread, Part& s) { block.reduce(thread, s); });
        team.wait();
        team.each([&](int, Part& s) { block.join(s); });
        team.wait();
        POISSON3D_ROLLED
        for (int distance = 1; distance < task.sections(); distance *= 2) {
            team.each([&](int thread, Part& s) { block.eliminate(distance, thread, s); });
            team.wait();
            team.each([&](int, Part& s) { block.take(distance, s); });
        }
        team.each([&](int thread, Part& s) { block.finish(thread, s); });
        POISSON3D_ROLLED
        for (int distance = task.sections() / 2; distance > 0; distance /= 2) {
            team.wait();
            team.each([&](int thread, Part& s) { block.restore(distance, thread, s); });
        }
        team.wait();
        team.each([&](int, Part& s) { block.substitute(s); });
    }
    if (task.rows) team.wait();
    team.each([&](int, Part& s) { block.store(s); });
    if (!task.rows) return;
    team.wait();
    team.each([&](int, Part& s) { block.store_row(s); });
}

/// The line κ = 0 of a field, by the threads of `share`.
template <class T, class Share>
POISSON3D_HD void solve_constant_line(const EliminationTask<T>& task, Index field, bool first_thread,
                                      Share& share) {
    const T mean = task.constant_line.solve(task.data + field * task.field, task.sample, task.factor, share);
    if (task.removed != nullptr && first_thread) task.removed[field * task.removed_field] = mean;
}

/// Nodes of a section that a kernel has room for: the least of 4 and 8 that is enough; body.template
/// operator()<nodes>().
template <class T, class Body>
void with_section(const EliminationTask<T>& task, const Body& body) {
    const int longest = (task.chain.nodes + task.sections() - 1) >> task.section_shift;
    if (longest <= 4) return body.template operator()<4>();
    return body.template operator()<max_section>();
}

}  // namespace poisson3d::fused
