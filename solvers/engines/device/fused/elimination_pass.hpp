// The middle pass along an eliminated axis: of each line of modes b = −factor D f becomes u (elimination.hpp),
// where it lies, in one read and one write of the field.
//
// A line is cut into sections of 64 to 192 bytes, each the work of a thread, whose numbers stay in its registers:
//
//     load         f of a section
//     reduce       all its nodes but the last are eliminated; the last one is the section's separator
//     separators   a chain or ring again, whose runs are treated alike (separators.hpp), until a run is left
//     substitute   the other nodes of the section, from its last to its first
//     store        u of the section
//
// So it is the recursion of eliminate_line with runs of other lengths: errors are those of runs, and so are
// residuals. The last section is filled up with nodes of neither volume nor ground, tied to their left neighbours
// by a link so large that these pass on to them all they have, to the last bit: their potentials are the same.
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
/// team.wait() is where they wait for each other, team.wait_for_group() where those of a group of a row do.
template <LineShape shape, EliminationWork work, class T, class Team>
POISSON3D_HD void eliminate_block(const EliminationTask<T>& task, const EliminatedBlock& position, T* shared,
                                  Team& team) {
    using Part = Section<T, shape>;
    using Thread = EliminatingThread;
    constexpr bool rows = shape == LineShape::rows, part = of_part(work);
    const EliminationBlock<T, shape, part> block(task, position, shared);
    team.each([&](const Thread& t, Part& s) {
        block.place(t, s);
        rows ? block.load_row(t, s) : block.load_column(t, s);
        block.set_kappa(t, s);
        if (rows) block.stage_row(t, s);
    });
    if (rows) team.wait_for_group();
    if constexpr (multiplies(work)) {
        if (rows) team.each([&](const Thread& t, Part& s) { block.load_staged(t, s); });
        team.each([&](const Thread& t, Part& s) { block.show_ends(t, s); });
        team.wait();
        team.each([&](const Thread& t, Part& s) {
            block.multiply(t, s);
            if (rows) block.store_staged(t, s);
        });
    } else {
        team.each([&](const Thread& t, Part& s) { block.reduce(t, s); });
        team.wait();
        // body(run, line) for each of a level, a thread each
        const auto each_run = [&](int runs, const auto& body) {
            team.each([&](const Thread& t, Part&) {
                if (const int run = t.number >> task.line_shift; run < runs)
                    body(run, t.number & (task.block_lines() - 1));
            });
            team.wait();
        };
        Separators<T, rows, part> level = block.separators;
        int levels = 0;
        POISSON3D_ROLLED
        for (; !level.top(); ++levels) {
            const Separators<T, rows, part> above = level.next_level();
            each_run(above.count, [&](int run, int line) { above.set(run, line, level.reduce(run, line)); });
            level = above;
        }
        if constexpr (work == EliminationWork::reduce_part) {
            each_run(1, [&](int, int line) { block.write_planes(line, level.reduce_to_last(line)); });
        } else {
            each_run(1, [&](int, int line) {
                if constexpr (part)
                    level.substitute_from(block.from_plane(task.parts.left, line),
                                          block.from_plane(task.parts.right, line), line);
                else
                    level.solve(line);
            });
            POISSON3D_ROLLED
            for (; levels > 0; --levels) {
                level = block.separators;
                for (int l = 1; l < levels; ++l) level = level.next_level();
                const Separators<T, rows, part> above = level.next_level();
                each_run(above.count, [&](int run, int line) {
                    level.substitute(run, line, above.left_potential(run, line), above.at(potential, run, line));
                });
            }
            team.each([&](const Thread& t, Part& s) { block.substitute(t, s); });
        }
    }
    if constexpr (work == EliminationWork::reduce_part) return;  // the field stays as it is
    if constexpr (!rows) {
        team.each([&](const Thread& t, Part& s) { block.store_column(t, s); });
    } else {
        team.wait_for_group();
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

/// body.template operator()<shape, work>() with those of the task.
template <class T, class Body>
void with_elimination(const EliminationTask<T>& task, const Body& body) {
    using Work = EliminationWork;
    using enum LineShape;
    const auto whole = [&]<LineShape shape>() {
        task.multiply ? body.template operator()<shape, Work::multiply>()
                      : body.template operator()<shape, Work::divide>();
    };
    if (task.part && task.multiply) return body.template operator()<columns, Work::multiply_part>();
    if (task.part && task.parts.step == LineParts<T>::Step::reduce)
        return body.template operator()<columns, Work::reduce_part>();
    if (task.part) return body.template operator()<columns, Work::substitute_part>();
    if (task.rows) return whole.template operator()<rows>();
    if constexpr (sizeof(T) == 8)
        if (task.long_columns) return whole.template operator()<long_columns>();
    whole.template operator()<columns>();
}

}  // namespace poisson3d::fused
