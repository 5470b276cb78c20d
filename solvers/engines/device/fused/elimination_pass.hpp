// The middle pass along an eliminated axis: of each line of modes b = −factor D f becomes u (elimination.hpp),
// where it lies, in one read and one write of the field.
//
// A line is cut into sections of 16 nodes, each the work of a thread. What does not depend on f is done while f is
// on its way:
//
//     ask          f of a section
//     links        of all its nodes but the last are eliminated; the last one is the section's separator
//     separators   a chain or ring again, whose runs are treated alike (separators.hpp)
//     currents     of sections, then of separators
//     substitute   the separators, then the other nodes of the section, from its last to its first
//     store        u of the section
//
// So it is the recursion of eliminate_line with runs of other lengths: errors are those of runs, and so are
// residuals. The last section may have fewer nodes.
//
// A part of a line, whose other parts other members have, is reduced to its last node alone, which goes to planes
// with what the node to its left gets; once these are solved for, it is reduced again and substituted.
//
// Multiplication, the reverse, needs the two nodes beside a section alone. The line κ = 0 is a block's own work
// (constant_line.hpp); no other block writes it. Host and device share this file: on the host a block's threads
// take turns. Source: Wang, ACM Trans. Math. Software 7 (1981), for sections and separators.
#pragma once

#include "elimination_block.hpp"

namespace poisson3d::fused {

/// All phases on a block, whose threads are those of `team`: team.each(body) calls body(thread, its section), and
/// team.wait() is where they wait for each other, team.wait_for_warp() where those of a warp do.
template <LineShape shape, EliminationWork work, bool even, class T, class Team>
POISSON3D_HD void eliminate_block(const EliminationTask<T>& task, const EliminatedBlock& position, T* shared,
                                  Team& team) {
    using Part = Section<T>;
    using Thread = EliminatingThread;
    constexpr bool rows = shape == LineShape::rows, part = of_part(work);
    const EliminationBlock<T, shape, even, part> block(task, position, shared);
    const auto wait_for_field = [&] {
        team.each([](const Thread&, Part&) { lines::wait_for_copies(); });
        if (rows) team.wait_for_warp();
    };
    team.each([&](const Thread& t, Part& s) {
        block.place(t, s);
        block.ask(t, s);
    });
    if constexpr (multiplies(work)) {
        wait_for_field();
        team.each([&](const Thread& t, Part& s) { block.show_ends(t, s); });
        team.wait();
        team.each([&](const Thread& t, Part& s) { block.multiply(t, s); });
    } else {
        using Level = Separators<T, rows, part>;
        const Level level = block.separators, top = level.top();
        // body(run, line), a thread each; then all have done so
        const auto each_run = [&](int runs, const auto& body) {
            team.each([&](const Thread& t, Part&) {
                if (const int run = t.number >> task.line_shift; run < runs)
                    body(run, t.number & (task.block_lines() - 1));
            });
            separators_of_warp<T> ? team.wait_for_warp() : team.wait();
        };
        team.each([&](const Thread& t, Part& s) { block.reduce_links(t, s); });
        team.wait();
        each_run(top.count, [&](int run, int line) { top.set_links(run, line, level.reduce_links(run, line)); });
        each_run(1, [&](int, int line) { top.close(line); });
        wait_for_field();
        team.each([&](const Thread& t, Part& s) { block.reduce_currents(t, s); });
        team.wait();
        each_run(top.count,
                 [&](int run, int line) { top.set_currents(run, line, level.reduce_currents(run, line)); });
        if constexpr (work == EliminationWork::reduce_part) {
            each_run(1, [&](int, int line) { block.write_planes(line, top.reduce_to_last(line)); });
            return;  // the field stays as it is
        }
        each_run(1, [&](int, int line) {
            if constexpr (part)
                top.substitute_from(block.from_plane(task.parts.left, line),
                                    block.from_plane(task.parts.right, line), line);
            else
                top.solve(line);
        });
        each_run(top.count, [&](int run, int line) {
            level.substitute(run, line, top.left_potential(run, line), top.at(potential, run, line));
        });
        team.wait();
        team.each([&](const Thread& t, Part& s) { block.substitute(t, s); });
    }
    if constexpr (rows) {
        team.wait_for_warp();
        team.each([&](const Thread& t, Part& s) { block.store_row(t, s); });
    }
}

/// The line κ = 0 of a field, by the threads of `share`.
template <class T, class Share>
POISSON3D_HD void solve_constant_line(const EliminationTask<T>& task, Index field, bool first_thread,
                                      Share& share) {
    const T mean = task.constant_line.solve(task.data + field * task.field, task.sample, task.factor, share);
    if (task.removed != nullptr && first_thread) task.removed[field * task.removed_field] = mean;
}

/// The same of a part: its samples go to where the line is whole, times the factor, and come from there.
template <class T>
POISSON3D_HD void move_constant_line(const EliminationTask<T>& task, bool reduces, int first, int step) {
    for (int j = first; j < task.chain.nodes; j += step)
        if (reduces)
            task.parts.constant[j] = task.factor * task.data[j * task.sample];
        else
            task.data[j * task.sample] = task.parts.constant[j];
}

/// body.template operator()<shape, work, even>() with those of the task.
template <class T, class Body>
void with_elimination(const EliminationTask<T>& task, const Body& body) {
    using Work = EliminationWork;
    using enum LineShape;
    const auto divided = [&]<LineShape shape, Work work>() {
        task.even ? body.template operator()<shape, work, true>() : body.template operator()<shape, work, false>();
    };
    if (task.part && task.multiply) return body.template operator()<columns, Work::multiply_part, false>();
    if (task.part && task.parts.step == LineParts<T>::Step::reduce)
        return divided.template operator()<columns, Work::reduce_part>();
    if (task.part) return divided.template operator()<columns, Work::substitute_part>();
    const auto whole = [&]<LineShape shape>() {
        task.multiply ? body.template operator()<shape, Work::multiply, false>()
                      : divided.template operator()<shape, Work::divide>();
    };
    if (task.rows()) return whole.template operator()<rows>();
    if constexpr (sizeof(T) == 8)
        if (task.shape == long_columns) return whole.template operator()<long_columns>();
    whole.template operator()<columns>();
}

}  // namespace poisson3d::fused
