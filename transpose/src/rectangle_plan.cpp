#include "rectangle_plan.hpp"

#include <algorithm>

#include "poisson3d/error.hpp"

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

}  // namespace

std::vector<Sweep> plan_sweeps(const DenseMatrices& d, const Capacity&) {
    std::vector<Sweep> sweeps;
    if (d.rows <= 1 || d.columns <= 1) return sweeps;
    Matrices matrices;
    matrices.item = d.item;
    matrices.batch = {1, d.batch};
    matrices.batch_stride = {0, d.batch_stride};
    add_steps(d.rows, d.columns, matrices, sweeps);
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
        const char* const words[] = {"columns", "rows", "whole"};
        text += std::string(&s == &sweeps.front() ? ": " : ", ") + words[static_cast<int>(s.kind)] + " of " +
                std::to_string(s.matrices.m) + " × " + std::to_string(s.matrices.n);
    }
    return text;
}

}  // namespace poisson3d::rectangle
