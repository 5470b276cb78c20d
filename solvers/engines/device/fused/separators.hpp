// The separators of the sections of an eliminated line (elimination_pass.hpp): a chain or ring again. A thread
// eliminates a run of them but the last one, which is a separator of the top level, a run: links of both levels
// first, then currents. All stand in shared memory, and what eliminated ones leave behind takes the place of what
// they were.
//
// A chain or ring is closed: its last one is the left neighbour of its first. The left neighbour of a part is
// outside, the same one for both levels; what it gets from them adds up.
#pragma once

#include "elimination_task.hpp"

namespace poisson3d::fused {

template <class T, bool rows, bool part = false>
struct Separators {
    T* memory;   ///< of shared memory
    T* outside;  ///< what is outside of a part
    int count, length, line_shift;

    /// The lower level has a separator for each section.
    POISSON3D_HD Separators(T* memory_, int sections, int line_shift_)
        : memory(memory_ + (part ? outside_numbers << line_shift_ : 0)),
          outside(memory_),
          count(sections),
          length(separator_run<T>(sections, line_shift_)),
          line_shift(line_shift_) {}

    [[nodiscard]] POISSON3D_HD int elements() const { return separator_elements(count, line_shift); }
    [[nodiscard]] POISSON3D_HD int runs() const { return separator_runs(count, length); }

    /// Those that it leaves.
    [[nodiscard]] POISSON3D_HD Separators top() const {
        Separators above = *this;
        above.memory = memory + separator_numbers * elements();
        above.count = above.length = runs();
        return above;
    }

    /// The numbers of the node outside: what it gets, excess and current, and its u.
    [[nodiscard]] POISSON3D_HD T& of_outside(SeparatorNumber number, int line) const {
        const int place = number == potential ? 0 : number == next_excess ? 1 : 2;
        return outside[(place << line_shift) + line];
    }
    /// u to the left of a separator.
    [[nodiscard]] POISSON3D_HD T left_potential(int j, int line) const {
        return part && j == 0 ? of_outside(potential, line) : at(potential, before(j), line);
    }

    [[nodiscard]] POISSON3D_HD int before(int j) const { return j > 0 ? j - 1 : count - 1; }
    [[nodiscard]] POISSON3D_HD int last_of(int run) const {
        const int end = (run + 1) * length;
        return (end < count ? end : count) - 1;
    }

    /// Where the first number of a separator is; the others follow elements() apart. Neighbours are lines if
    /// neighbouring threads have these, else separators. Those of a run are `stride()` apart.
    [[nodiscard]] POISSON3D_HD T* cell(int j, int line) const {
        return memory + (rows ? line * (elements() >> line_shift) + j : (j << line_shift) + line);
    }
    [[nodiscard]] POISSON3D_HD int stride() const { return rows ? 1 : 1 << line_shift; }
    [[nodiscard]] POISSON3D_HD T& at(SeparatorNumber number, int j, int line) const {
        return cell(j, line)[number * elements()];
    }

    /// Eliminates the links of all of a run but its last one.
    [[nodiscard]] POISSON3D_HD lines::RunOfLinks<T> reduce_links(int run, int line) const {
        const int first = run * length, apart = elements();
        T* here = cell(first, line);
        const auto excess_here = [&] { return here[excess * apart] + here[next_excess * apart]; };
        lines::RunOfLinks<T> state{here[link * apart], excess_here()};
        POISSON3D_ROLLED
        for (int more = last_of(run) - first; more > 0; --more) {
            T* const eliminated = here;
            here += stride();
            const lines::EliminatedNode<T> node = state.step(here[link * apart], excess_here());
            eliminated[to_left * apart] = node.left;
            eliminated[to_next * apart] = node.next;
            eliminated[pivot * apart] = node.inverse;
        }
        return state;
    }
    /// Then their currents.
    [[nodiscard]] POISSON3D_HD lines::RunOfCurrents<T> reduce_currents(int run, int line) const {
        const int first = run * length, apart = elements();
        T* here = cell(first, line);
        const auto current_here = [&] { return here[current * apart] + here[next_current * apart]; };
        lines::RunOfCurrents<T> state{current_here()};
        POISSON3D_ROLLED
        for (int more = last_of(run) - first; more > 0; --more) {
            T* const eliminated = here;
            here += stride();
            const lines::EliminatedNode<T> node{eliminated[to_left * apart], eliminated[to_next * apart],
                                                eliminated[pivot * apart]};
            eliminated[potential * apart] = state.step(node, current_here());
        }
        return state;
    }

    /// What is left of a separator's node, and what it gives to its left neighbour.
    POISSON3D_HD void set_links(int j, int line, const lines::RunOfLinks<T>& state) const {
        at(link, j, line) = state.tie;
        at(excess, j, line) = state.excess;
        give(next_excess, j, line, state.left_excess);
    }
    POISSON3D_HD void set_currents(int j, int line, const lines::RunOfCurrents<T>& state) const {
        at(current, j, line) = state.current;
        give(next_current, j, line, state.left_current);
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

    /// Links of all that are left, a run. Its last one is its own neighbour, but that of a part.
    POISSON3D_HD void close(int line) const {
        const lines::RunOfLinks<T> state = reduce_links(0, line);
        at(link, count - 1, line) = state.tie;
        at(excess, count - 1, line) = part ? state.excess : state.excess + state.left_excess;
        if (part) of_outside(next_excess, line) += state.left_excess;
    }
    /// Then u of all.
    POISSON3D_HD void solve(int line) const {
        const lines::RunOfCurrents<T> state = reduce_currents(0, line);
        const T u = lines::quotient(state.current + state.left_current, at(excess, count - 1, line));
        substitute(0, line, u, u);
    }
    /// Of a part: what is left of the line.
    [[nodiscard]] POISSON3D_HD lines::LineEnds<T> reduce_to_last(int line) const {
        const lines::RunOfCurrents<T> state = reduce_currents(0, line);
        return {at(link, count - 1, line), at(excess, count - 1, line), state.current,
                of_outside(next_excess, line), of_outside(next_current, line) + state.left_current};
    }
    /// u of all that are left of a part, from the last one's and that of the node outside.
    POISSON3D_HD void substitute_from(T left, T last, int line) const {
        static_cast<void>(reduce_currents(0, line));
        of_outside(potential, line) = left;
        substitute(0, line, left, last);
    }

private:
    /// To the left neighbour; what several levels give to that of a part adds up.
    POISSON3D_HD void give(SeparatorNumber number, int j, int line, T value) const {
        if (part && j == 0) of_outside(number, line) += value;
        at(number, before(j), line) = part && j == 0 ? T(0) : value;
    }
};

}  // namespace poisson3d::fused
