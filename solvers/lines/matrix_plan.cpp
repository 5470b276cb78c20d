#include "matrix_plan.hpp"

#include <algorithm>

#include "folded_matrix_plan.hpp"
#include "real_matrix_plan.hpp"

namespace poisson3d::lines {

namespace {

/// What a step takes, estimated: a warp's tasks are 8 units, whose elements go in by four. Matrices that are not in
/// shared memory take more. No warp has a task while others rest.
double step_cost(const MatrixWork::Step& step, int lines, int warps) {
    const MatrixShape shape = step.shape();
    const int tasks = (lines * step.units + 7) / 8, teams = warps / shape.warps;
    const double products = (step.is_complex ? 6.3 : 8.8) * (shape.in_shared() ? 1 : 2.4) * shape.tiles;
    const double task = step.is_complex ? 53 + shape.depth * (37 + products) : 56 + shape.depth * products;
    return (tasks + teams - 1) / teams * task;
}

/// Registers hold 16 warps, shared memory 227 KiB of blocks of 64 bytes of every element.
MatrixBlock block_of(const MatrixWork& work, int lines, int warps) {
    const int bytes = 64 * work.padded + static_cast<int>(work.table_bytes(sizeof(double))) + 1024;
    const int together = std::max(1, std::min(16 / warps, (227 << 10) / bytes));
    double cost = 0;
    for (const MatrixWork::Step& step : work.steps) cost += step_cost(step, lines, warps);
    return {warps, cost / (together * work.elements)};
}

}  // namespace

std::vector<int> matrix_radices(const AxisKind& kind) {
    return ends_as_real_dft(kind) ? real_matrix_radices(kind.unknowns) : folded_matrix_radices(kind);
}

MatrixWork matrix_work(const AxisKind& kind, const std::vector<int>& radices) {
    return ends_as_real_dft(kind) ? real_matrix_work(radices) : folded_matrix_work(kind, radices);
}

int MatrixWork::matrices() const {
    int numbers = 0;
    for (const Step& step : steps) numbers += step.shape().in_shared() ? step.shape().numbers : 0;
    return numbers;
}

MatrixBlock fastest_block(const MatrixWork& work, int lines) {
    return std::ranges::min({block_of(work, lines, 4), block_of(work, lines, 5), block_of(work, lines, 8)}, {},
                            &MatrixBlock::copies);
}

}  // namespace poisson3d::lines
