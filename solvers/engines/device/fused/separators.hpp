// The separators of the sections of an eliminated line (elimination_pass.hpp), one level of them: a chain or ring
// again. A thread eliminates a run of them but the last one, which is a separator of the next level. All stand in
// shared memory, and what eliminated ones leave behind takes the place of what they were.
//
// A chain or ring is closed: its last one is the left neighbour of its first. The left neighbour of a part is
// outside, the same one for all levels; what it gets from them adds up.
#pragma once

#include "elimination_task.hpp"

namespace poisson3d::fused {

template <class T, bool rows, bool part = false>
struct Separators {
    static constexpr int length = separator_run<T>;  ///< of a run
    T* memory;                                       ///< of shared memory; before it of a part what is outside
    int count, line_shift;

    T* outside;

    /// Level 0 has a separator for each section.
    POISSON3D_HD Separators(T* memory_, int sections, int line_shift_)
        : memory(memory_ + (part ? outside_numbers << line_shift_ : 0)),
          count(sections),
          line_shift(line_shift_),
          outside(memory_) {}

    [[nodiscard]] POISSON3D_HD int elements() const { return separator_elements<T>(count, line_shift); }
    [[nodiscard]] POISSON3D_HD int runs() const { return (count + length - 1) / length; }
    [[nodiscard]] POISSON3D_HD bool top() const { return count <= length; }

    /// Those that one level leaves to the next.
    [[nodiscard]] POISSON3D_HD Separators next_level() const {
        Separators next = *this;
        next.memory = memory + separator_numbers * elements();
        next.count = runs();
        return next;
    }

    /// The numbers of the node outside, 0 and 1 what it gets: excess and current, 2 its u.
    [[nodiscard]] POISSON3D_HD T& of_outside(int number, int line) const {
        return outside[(number << line_shift) + line];
    }
    /// u to the left of a separator.
    [[nodiscard]] POISSON3D_HD T left_potential(int j, int line) const {
        return part && j == 0 ? of_outside(2, line) : at(potential, before(j), line);
    }

    [[nodiscard]] POISSON3D_HD int before(int j) const { return j > 0 ? j - 1 : count - 1; }
    [[nodiscard]] POISSON3D_HD int last_of(int run) const {
        const int end = (run + 1) * length;
        return (end < count ? end : count) - 1;
    }

    /// Where the first number of a separator is; the others follow elements() apart. Neighbours are lines if
    /// neighbouring threads have these, else separators. Those of a run are `stride()` apart.
    [[nodiscard]] POISSON3D_HD T* cell(int j, int line) const {
        const int place = j + static_cast<int>(static_cast<unsigned>(j) / length);
        return memory + (rows ? line * (elements() >> line_shift) + place : (place << line_shift) + line);
    }
    [[nodiscard]] POISSON3D_HD int stride() const { return rows ? 1 : 1 << line_shift; }
    [[nodiscard]] POISSON3D_HD T& at(SeparatorNumber number, int j, int line) const {
        return cell(j, line)[number * elements()];
    }

    /// Eliminates all of a run but its last one.
    [[nodiscard]] POISSON3D_HD lines::Run<T> reduce(int run, int line) const {
        const int first = run * length, apart = elements();
        T* here = cell(first, line);
        const auto number = [&](SeparatorNumber which) -> T& { return here[which * apart]; };
        lines::Run<T> state{number(link), number(excess) + number(next_excess),
                            number(current) + number(next_current)};
        POISSON3D_ROLLED
        for (int more = last_of(run) - first; more > 0; --more) {
            T* const eliminated = here;
            here += stride();
            const lines::EliminatedNode<T> node = state.step(number(link), number(excess) + number(next_excess),
                                                             number(current) + number(next_current));
            eliminated[to_left * apart] = node.left;
            eliminated[to_next * apart] = node.next;
            eliminated[potential * apart] = node.rest;
        }
        return state;
    }

    /// What is left of a separator's node, and what it gives to its left neighbour.
    POISSON3D_HD void set(int j, int line, const lines::Run<T>& state) const {
        T* const here = cell(j, line);
        const int apart = elements();
        here[link * apart] = state.tie;
        here[excess * apart] = state.excess;
        here[current * apart] = state.current;
        T* const left = cell(before(j), line);
        const bool gives_outside = part && j == 0;
        left[next_excess * apart] = gives_outside ? T(0) : state.left_excess;
        left[next_current * apart] = gives_outside ? T(0) : state.left_current;
        if (gives_outside) give_outside(line, state);
    }
    POISSON3D_HD void give_outside(int line, const lines::Run<T>& state) const {
        of_outside(0, line) += state.left_excess;
        of_outside(1, line) += state.left_current;
    }

    /// u of a run, whose last one has `u`; `on_the_left` is that before its first one.
    POISSON3D_HD void substitute(int run, int line, T on_the_left, T u) const {
        const int last = last_of(run), apart = elements();
        T* here = cell(last, line);
        here[potential * apart] = u;
        POISSON3D_ROLLED
        for (int more = last - run * length; more > 0; --more) {
            here -= stride();
            u = here[potential * apart] + here[to_left * apart] * on_the_left + here[to_next * apart] * u;
            here[potential * apart] = u;
        }
    }

    /// Of a part: all that are left but the last one.
    [[nodiscard]] POISSON3D_HD lines::LineEnds<T> reduce_to_last(int line) const {
        const lines::Run<T> state = reduce(0, line);
        give_outside(line, state);
        return {state.tie, state.excess, state.current, of_outside(0, line), of_outside(1, line)};
    }
    /// u of all that are left of a part, from the last one's and that of the node outside.
    POISSON3D_HD void substitute_from(T left, T last, int line) const {
        static_cast<void>(reduce(0, line));
        of_outside(2, line) = left;
        substitute(0, line, left, last);
    }

    /// All that are left, a run: its last one is its own neighbour.
    POISSON3D_HD void solve(int line) const {
        const lines::Run<T> state = reduce(0, line);
        const T u = lines::quotient(state.current + state.left_current, state.excess + state.left_excess);
        substitute(0, line, u, u);
    }
};

}  // namespace poisson3d::fused
