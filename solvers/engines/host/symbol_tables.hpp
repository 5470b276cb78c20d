// The tables of a symbol (padded_symbol.hpp) as kernels read them, and the row of each slot of each axis.
#pragma once

#include <memory>

#include "free_faces.hpp"
#include "padded_symbol.hpp"
#include "planned_axis.hpp"

namespace poisson3d::host {

template <class T>
class SymbolTables {
public:
    SymbolTables(const Problem& problem, const std::array<std::shared_ptr<PlannedAxis<T>>, 3>& axes)
        : symbol_(padded_symbol<T>(problem, !takes_constant(problem))) {
        const Grid& grid = problem.grid;
        for (int axis = 0; axis < 3; ++axis)
            for (const Index mode : axes[axis]->mode_of())
                rows_[axis].push_back(static_cast<std::int32_t>(lines::symbol_row(grid.axes[axis], mode)));
        count_ = {symbol_rows(grid.axes[0]), symbol_rows(grid.axes[1]), symbol_rows(grid.axes[2])};
    }

    /// Lines along `along` in planes across z.
    [[nodiscard]] SymbolTask<T> task(int slow, int along, double factor) const {
        SymbolTask<T> task;
        task.slow = axis(slow), task.lines = axis(2), task.along = axis(along);
        task.terms = static_cast<int>(symbol_.terms);
        task.gaps = symbol_.free_axis >= 0 ? symbol_.gap.data() : nullptr;
        task.shift = symbol_.shift, task.early_shift = symbol_.early_shift;
        task.has_zero = symbol_.shift == T(0);
        task.zero = symbol_.zero;
        task.factor = static_cast<T>(factor);
        return task;
    }
    [[nodiscard]] const std::vector<std::int32_t>& rows(int axis) const { return rows_[axis]; }

private:
    [[nodiscard]] SymbolAxis<T> axis(int axis) const {
        SymbolAxis<T> tables{symbol_.late[axis].data(), symbol_.early[axis].data(), symbol_.eigenvalue[axis].data(),
                             rows_[axis].data(), count_[axis]};
        if (symbol_.free_axis < 0) return tables;
        tables.odd = axis == symbol_.free_axis;
        const int last = symbol_.free_axis == 2 ? 1 : 2;  // of the two that the gaps are of
        if (axis != symbol_.free_axis) tables.gap = axis == last ? 1 : count_[last];
        return tables;
    }

    PaddedSymbol<T> symbol_;
    std::array<std::vector<std::int32_t>, 3> rows_;
    std::array<Index, 3> count_{};
};

}  // namespace poisson3d::host
