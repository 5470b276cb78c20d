#include "matrix_plan.hpp"

#include <algorithm>
#include <cmath>

#include "folded_matrix_plan.hpp"
#include "real_matrix_plan.hpp"

namespace poisson3d::lines {

namespace {

/// Cycles of a step, estimated: a warp's tasks are 8 units, whose elements go in by four and whose results come out
/// by as many. `whole`: no warp has a task while others rest.
double step_cycles(const MatrixWork::Step& step, int lines, int warps, bool whole) {
    const MatrixShape shape(2 * step.half - 2, step.is_complex ? most_complex_tiles : most_real_tiles);
    const int teams = warps / shape.warps;
    const double in = step.is_complex ? 100 : 60, out = step.is_complex ? 130 : 52,
                 begin = step.is_complex ? 250 : 80;
    const double products = 32.0 * shape.tiles * (step.is_complex ? 2 : 1);
    const double rounds = (lines * step.units + 7) / 8 / static_cast<double>(teams);
    return (whole ? std::ceil(rounds) : std::max(rounds, 1.0)) *
           (begin + shape.depth * (in + products + out / shape.warps));
}

/// Registers hold 16 warps, and blocks of 64 bytes of every element have to leave room to the first-level cache,
/// which keeps matrices, and elements on their way.
MatrixBlock block_of(const MatrixWork& work, int lines, int warps, bool whole) {
    const int bytes = 64 * work.padded + 1024, blocks = 16 / warps;
    const int together = std::max(1, std::min(blocks, (blocks == 4 ? 180 << 10 : 196 << 10) / bytes));
    double cycles = 90.0 * work.elements * lines / (32 * warps);
    for (const MatrixWork::Step& step : work.steps) cycles += step_cycles(step, lines, warps, whole);
    return {warps, cycles / together};
}

}  // namespace

std::vector<int> matrix_radices(const AxisKind& kind) {
    return ends_as_real_dft(kind) ? real_matrix_radices(kind.unknowns) : folded_matrix_radices(kind);
}

MatrixWork matrix_work(const AxisKind& kind, const std::vector<int>& radices) {
    return ends_as_real_dft(kind) ? real_matrix_work(radices) : folded_matrix_work(kind, radices);
}

MatrixBlock fastest_block(const MatrixWork& work, int lines) {
    // As measured: of folded lines the longer ones have larger blocks, which take a fifth more than these cycles.
    if (!work.steps[1].is_complex) {
        MatrixBlock block = block_of(work, lines, work.padded < 500 ? 4 : work.padded < 620 ? 5 : 8, false);
        if (block.warps == 8) block.cycles *= 1.2;
        return block;
    }
    return std::ranges::min(
        {block_of(work, lines, 4, true), block_of(work, lines, 5, true), block_of(work, lines, 8, true)}, {},
        &MatrixBlock::cycles);
}

}  // namespace poisson3d::lines
