// A block of lines along an eliminated axis, whole ones or parts (kernels.hpp). Included by kernels.cpp, which is
// compiled once per instruction set (POISSON3D_ISA names the namespace).
#pragma once

#include "elimination.hpp"
#include "line_walk.hpp"

namespace poisson3d::POISSON3D_ISA {

namespace {

/// κ of a block of lines: minus the sums of eigenvalues, which do not depend on which axis lines lie across.
template <class T>
BlockValue<T> kappas_of(const ModeSpace<T>& modes, Index slow, Index line, int lines, bool constant) {
    T kappas[element_lines<T>];
    for (int l = 0; l < element_lines<T>; ++l) {
        kappas[l] = l < lines ? -((modes.slow[slow] + modes.lanes[line + l]) + modes.shift) : T(1);
        if (kappas[l] < T(0)) kappas[l] = T(0);  // no κ is, but for rounding beside λ < 0
    }
    if (constant) kappas[0] = T(1);  // of a line that is solved apart
    return load_lines(kappas, element_lines<T>);
}

/// What reduce leaves of parts of lines.
template <class T>
void write_planes(const LineParts<T>& parts, const lines::LineEnds<BlockValue<T>>& ends, Index plane, int lines) {
    store_lines(ends.current, lines, parts.current + plane);
    store_lines(ends.left_current, lines, parts.left_current + plane);
    if (parts.tie == nullptr) return;
    store_lines(ends.tie, lines, parts.tie + plane);
    store_lines(ends.excess, lines, parts.excess + plane);
    store_lines(ends.left_excess, lines, parts.left_excess + plane);
}

/// The currents that a part leaves, from the nodes near its ends alone.
template <class T>
void reduce_from_ends(const PassTask<T>& task, Index slow, Index line, int lines, RowsIn<T> in) {
    const lines::ChainView<T>& chain = task.eliminated->chain;
    const lines::Reach reach = task.eliminated->reach[slow];
    const BlockValue<T> kappa = kappas_of(task.modes, slow, line, lines, false);
    const auto current = [&](int j) {
        const Element<T> value = in.read(j);
        return (-task.modes.factor * chain.volumes[j]) * BlockValue<T>{value.re, value.im};
    };
    lines::LineEnds<BlockValue<T>> ends{};
    ends.current = lines::reduce_near_end<true>(chain, kappa, reach.last, current);
    ends.left_current = lines::reduce_near_end<false>(chain, kappa, reach.first, current);
    write_planes(*task.eliminated->parts, ends, slow * task.lines + line, lines);
}

/// In the place of a transform there and back: u of a block of lines. What comes out is `out`; `rows` is used in
/// between. Whether there is something to write.
template <class T>
bool eliminate_block(const PassTask<T>& task, Index slow, Index line, int lines, RowsIn<T> in, Element<T>* rows,
                     Element<T>* work, RowsOut<T> out) {
    const lines::ChainView<T>& chain = task.eliminated->chain;
    const LineParts<T>* const parts = task.eliminated->parts;
    const Index plane = slow * task.lines + line;
    const ModeSpace<T>& modes = task.modes;
    const int n = chain.nodes;
    auto* const values = reinterpret_cast<BlockValue<T>*>(rows);
    auto* const free = reinterpret_cast<BlockValue<T>*>(work);
    const bool reduces = parts != nullptr && parts->step == LineParts<T>::Step::reduce;
    const bool divide = modes.operation == ModeOperation::divide;
    const bool constant = divide && task.eliminated->constant != nullptr && slow == 0 && line == 0;
    if (reduces && divide && !constant && parts->tie == nullptr && task.eliminated->reach != nullptr &&
        task.eliminated->reach[slow].last > 0) {
        reduce_from_ends(task, slow, line, lines, in);
        return false;
    }
    const BlockValue<T> kappa = kappas_of(modes, slow, line, lines, constant);
    T* const apart = parts != nullptr ? parts->constant : reinterpret_cast<T*>(free + lines::elimination_work(n));
    for (int j = 0; j < n; ++j) {
        const Element<T> value = in.read(j);
        if (constant && (parts == nullptr || reduces)) apart[j] = modes.factor * value.re.v[0];
        const T times = divide ? -modes.factor * chain.volumes[j] : T(1);
        values[j] = times * BlockValue<T>{value.re, value.im};
    }
    if (divide) {
        const lines::NodesOfChain<T, BlockValue<T>> nodes{chain, kappa, values};
        const lines::LineEnds<BlockValue<T>> ends = lines::reduce_line(nodes, n, values, free);
        if (reduces) {
            write_planes(*parts, ends, plane, lines);
            return false;
        }
        const BlockValue<T> right =
            parts == nullptr ? lines::last_potential(ends) : load_lines(parts->right + plane, lines);
        const BlockValue<T> left = parts == nullptr ? right : load_lines(parts->left + plane, lines);
        lines::substitute_line(n, left, right, values, free);
    } else {
        if (reduces) {
            store_lines(values[n - 1], lines, parts->current + plane);
            store_lines(values[0], lines, parts->left_current + plane);
            return false;
        }
        const BlockValue<T> before = parts == nullptr ? values[n - 1] : load_lines(parts->left + plane, lines);
        const BlockValue<T> after = parts == nullptr ? values[0] : load_lines(parts->right + plane, lines);
        lines::for_each_current(chain, kappa, values, before, after, [&](int j, BlockValue<T> current) {
            free[j] = (-modes.factor / chain.volumes[j]) * current;
        });
        for (int j = 0; j < n; ++j) values[j] = free[j];
    }
    if (constant) {
        if (parts == nullptr) {
            const T mean = lines::solve_whole(*task.eliminated->constant, apart);
            if (modes.singular || task.eliminated->constant->grows()) *modes.removed = mean;
        }
        for (int j = 0; j < n; ++j) values[j].first.v[0] = apart[j];
    }
    if (out.base != reinterpret_cast<T*>(rows))
        for (int j = 0; j < n; ++j) out.write(j, {values[j].first, values[j].second});
    return true;
}

}  // namespace

}  // namespace poisson3d::POISSON3D_ISA
