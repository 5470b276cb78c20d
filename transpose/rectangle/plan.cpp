#include "rectangle/plan.hpp"

#include <algorithm>
#include <cmath>

namespace poisson3d::rectangle {

namespace {

/// The three steps, or two of coprime sides. The longer side is the length of the rows, since a column must fit on
/// chip many at a time.
void add_steps(const Index rows, const Index columns, Matrices matrices, std::vector<Sweep>& sweeps) {
    const Direction direction = columns >= rows ? Direction::c2r : Direction::r2c;
    matrices.m = std::min(rows, columns);
    matrices.n = std::max(rows, columns);
    const Maps maps(matrices.m, matrices.n);
    Sweep step{.direction = direction, .matrices = matrices};
    std::array<Sweep, 3> steps{step, step, step};
    steps[0].kind = Kind::columns;
    steps[0].divisor = maps.b * matrices.item;
    steps[2].kind = Kind::columns;
    steps[2].permuted = true;
    steps[2].divisor = matrices.item;
    const std::size_t first = maps.c > 1 ? 0 : 1;
    if (direction == Direction::c2r)
        sweeps.insert(sweeps.end(), steps.begin() + first, steps.end());
    else
        sweeps.insert(sweeps.end(), steps.rbegin(), steps.rend() - first);
}

/// Sweeps of m × n.
Index steps(Index m, Index n) {
    return m == 1 || n == 1 ? 0 : std::gcd(m, n) == 1 ? 2 : 3;
}

}  // namespace

Cut cut_rows(Index m, Index n, Index item_bytes, Index piece_bytes) {
    // Rows of n/length pieces, and rows of length items, are equally long at `even`.
    const auto even = static_cast<Index>(
        std::sqrt(static_cast<double>(n) * static_cast<double>(piece_bytes) / static_cast<double>(item_bytes)));
    Cut best;
    Index best_cost = 0;
    for (Index length = std::max<Index>(even / 2, 2); length <= std::min(2 * even, n / 2); ++length) {
        const Cut cut{n / length, length, n % length};
        const Index cost = steps(m, cut.blocks) + steps(m, length) + (cut.rest > 0 ? 1 : 0);
        if (best_cost == 0 || cost < best_cost || (cost == best_cost && cut.rest < best.rest))
            best = cut, best_cost = cost;
    }
    return best;
}

std::vector<Sweep> plan_sweeps(const DenseMatrices& d, const Capacity& capacity) {
    std::vector<Sweep> sweeps;
    if (d.rows <= 1 || d.columns <= 1) return sweeps;
    Matrices all;
    all.m = std::min(d.rows, d.columns);
    all.n = std::max(d.rows, d.columns);
    all.item = d.item;
    all.batch = {1, d.batch};
    all.batch_stride = {0, d.batch_stride};
    const Index item_bytes = d.item * d.element_bytes;
    if (all.n * std::min(item_bytes, capacity.piece) <= capacity.row) {
        add_steps(d.rows, d.columns, all, sweeps);
        return sweeps;
    }
    // m × (blocks · length) = items of `length` items first, m × blocks of them, then the blocks by themselves; the
    // other way round in the other direction.
    const bool wide = d.columns >= d.rows;
    const Cut cut = cut_rows(all.m, all.n, item_bytes, std::max(item_bytes, capacity.piece));
    Sweep rest{.kind = Kind::save_rest, .direction = wide ? Direction::c2r : Direction::r2c, .matrices = all};
    rest.matrices.n = cut.blocks * cut.length;
    rest.rest = cut.rest;
    Matrices blocks = all;
    blocks.item = cut.length * all.item;
    Matrices within = all;
    within.batch = {d.batch, cut.blocks};
    within.batch_stride = {d.batch_stride, all.m * cut.length * all.item};
    if (cut.rest > 0) sweeps.push_back(rest);
    if (wide) {
        add_steps(all.m, cut.blocks, blocks, sweeps);
        add_steps(all.m, cut.length, within, sweeps);
    } else {
        add_steps(cut.length, all.m, within, sweeps);
        add_steps(cut.blocks, all.m, blocks, sweeps);
    }
    rest.kind = Kind::restore_rest;
    if (cut.rest > 0) sweeps.push_back(rest);
    return sweeps;
}

std::vector<std::uint32_t> row_order(const Matrices& matrices) {
    const Maps maps(matrices.m, matrices.n);
    std::vector<std::uint32_t> order(static_cast<std::size_t>(matrices.m));
    for (Index k = 0; k < matrices.m; ++k)
        order[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(maps.q(k));
    return order;
}

std::string describe(const std::vector<Sweep>& sweeps) {
    std::string text = std::to_string(sweeps.size()) + (sweeps.size() == 1 ? " sweep" : " sweeps");
    for (const Sweep& s : sweeps) {
        const char* const words[] = {"columns", "rows", "rest saved", "rest restored"};
        text += std::string(&s == &sweeps.front() ? ": " : ", ") + words[static_cast<int>(s.kind)] + " of " +
                std::to_string(s.matrices.m) + " × " + std::to_string(s.matrices.n);
    }
    return text;
}

}  // namespace poisson3d::rectangle
