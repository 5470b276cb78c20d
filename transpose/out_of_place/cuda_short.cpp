#include "out_of_place/cuda_short.hpp"

#include <algorithm>

#include "cuda/launch.hpp"
#include "out_of_place/cuda_launchers.hpp"

namespace poisson3d::cuda {

namespace {

constexpr Index longest_short = 64;  // elements of an axis

constexpr int run_pitch(Index bytes) {
    return static_cast<int>(divide_up(bytes + 16, 128) * 128 + 16);
}

/// Short rows in another order.
bool plan_rows(const RowCopy& copy, Index size, ShortPlan& plan) {
    const Index line = 128 / size;
    ShortMove& m = plan.move;
    if (copy.length > longest_short * 8 / size) return false;
    Index x = 0, y = 0;
    for (int d = 0; d < 3; ++d) {
        if (copy.extents[d] == 1) continue;
        if (copy.out[d] == copy.length && x == 0)
            x = copy.extents[d], m.in_row = copy.in[d];
        else if (copy.in[d] == copy.length && y == 0)
            y = copy.extents[d], m.out_row = copy.out[d];
        else if (m.batch == 1)
            m.batch = copy.extents[d], m.in_batch = copy.in[d], m.out_batch = copy.out[d];
        else
            return false;
    }
    if (x == 0 || y == 0) return false;
    plan.kind = ShortKind::rows;
    m.inner = m.width = static_cast<int>(copy.length);
    m.elements = x * copy.length;
    m.others = y;
    // A tile near to a square: as long runs on both sides as fit.
    Index side = 1;
    const auto bytes = [&](Index n) {
        return (n + divide_up(line, copy.length)) * run_pitch(std::min(n, y) * copy.length * size);
    };
    while (side < 512 && bytes(side + 1) <= short_bytes) ++side;
    m.across = static_cast<int>(std::min(side, y));
    m.own = static_cast<int>(std::min(side, x) * copy.length);
    m.pitch = run_pitch(m.across * copy.length * size);
    plan.in_span = (x - 1) * m.in_row + y * copy.length;
    return true;
}

/// Planes of n1 × n3 that are moved whole; larger ones of 4-byte elements where n3 is the shorter side, but not so
/// short that a row is a fraction of a sector (docs/benchmarks.md).
bool planes_fit(Index n1, Index n3, Index size) {
    if (size == 4 && n3 >= 9 && n1 >= 2 * n3) return n1 <= 96 && n1 * n3 <= 2600;
    return std::max(n1, n3) <= longest_short && n1 * n3 <= 1024;
}

/// Batches of small matrices, and planes of which both sides are short.
bool plan_matrices(const MatrixBatch& q, Index size, ShortPlan& plan) {
    const Index line = 128 / size;
    ShortMove& m = plan.move;
    if (q.batch[1] < 2) return false;
    m.batch = q.batch[0];
    m.in_batch = q.in_batch[0];
    m.out_batch = q.out_batch[0];
    m.tiles_across = 1;
    m.in_row = q.in_pitch;
    m.out_row = q.out_pitch;
    const bool dense = q.in_pitch == q.columns && q.out_pitch == q.rows;
    if (dense && q.in_batch[1] == q.rows * q.columns && q.out_batch[1] == q.rows * q.columns) {
        if (std::min(q.rows, q.columns) > longest_short || q.rows * (q.columns * size + 16) > short_bytes - 160)
            return false;
        plan.kind = ShortKind::matrices;
        m.inner = static_cast<int>(q.rows * q.columns);
        m.middle = static_cast<int>(q.rows);
        m.width = static_cast<int>(q.columns);
        m.across = 1;
        m.others = 1;
        Index groups = std::max<Index>(1, 20 * 1024 / (m.inner * size));
        groups = std::min(groups, q.batch[1]);
        m.own = static_cast<int>(groups * m.inner);
        // Large matrices are not read twice for the sake of a line.
        m.overlap = m.inner * size >= 2048 ? 0 : static_cast<int>(line - 1);
        // Rows of whole words of 16 bytes would meet in few banks.
        m.pad = q.columns * size % 16 == 0 ? static_cast<int>(q.columns * size / 16) : 0;
        const Index held = groups + divide_up(m.overlap, m.inner);
        m.pitch = run_pitch(held * m.inner * size + (m.pad > 0 ? held * q.rows * 16 : 0));
        plan.in_span = q.batch[1] * m.inner;
    } else if (q.in_batch[1] == q.columns && q.out_batch[1] == q.rows) {
        if (!planes_fit(q.rows, q.columns, size)) return false;
        plan.kind = ShortKind::planes;
        m.inner = static_cast<int>(q.rows);
        m.width = static_cast<int>(q.columns);
        m.across = static_cast<int>(q.columns);
        m.others = q.columns;
        const auto bytes = [&](Index n) {
            return q.rows * run_pitch((n + divide_up(line, q.rows)) * q.columns * size);
        };
        Index groups = 1;
        while (groups < q.batch[1] && groups < 2048 && bytes(groups + 1) <= short_bytes) ++groups;
        m.own = static_cast<int>(groups * q.rows);
        m.pitch = run_pitch((groups + divide_up(line, q.rows)) * q.columns * size);
        plan.in_span = (q.rows - 1) * q.in_pitch + q.batch[1] * q.columns;
    } else {
        return false;
    }
    m.elements = q.batch[1] * m.inner;
    return true;
}

}  // namespace

bool plan_short(const Movement& movement, Index size, ShortPlan& plan) {
    if (size < 4) return false;
    ShortMove& m = plan.move;
    m = {};
    m.batch = 1;
    m.overlap = static_cast<int>(128 / size - 1);
    const bool fits =
        movement.is_copy ? plan_rows(movement.copy, size, plan) : plan_matrices(movement.matrix, size, plan);
    if (!fits) return false;
    const Index groups_held = m.own / m.inner + divide_up(m.overlap, m.inner);
    const Index runs = plan.kind == ShortKind::rows ? groups_held : plan.kind == ShortKind::planes ? m.inner : 1;
    if (runs * m.pitch > short_bytes) return false;
    m.tiles = divide_up(m.elements, m.own);
    m.tiles_across = divide_up(m.others, m.across);
    plan.in_span += (m.batch - 1) * m.in_batch;
    return true;
}

bool short_applies(const Movement& movement, int element_bytes) {
    ShortPlan plan{};
    return plan_short(movement, element_bytes, plan);
}

}  // namespace poisson3d::cuda
