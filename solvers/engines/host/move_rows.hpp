// Rows of one view into those of another that shares memory with it.
//
// Row r of `from` begins at f(r), of `to` at u(r), both rising with r. A row that moves down overwrites rows r' ≤
// r, one that moves up rows r' ≥ r. Where the distance u(r) − f(r) only rises with r, or only falls, the rows that
// move up and those that move down are two parts of the range, and no part is written where the other is read. So:
// those that move down, first to last; then those that move up, last to first.
#pragma once

#include <cstring>

#include "poisson3d/error.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d::host {

/// Throws Error{usage} before anything is moved if there is no such order.
template <class T>
void move_rows(FieldView<const T> from, FieldView<T> to) {
    if (from.data == to.data && from.strides == to.strides) return;
    // From a row to the next, and from the last row of a plane to the first of the next.
    const Index last = from.extents[1] - 1;
    const Index along = last == 0 ? 0 : to.strides[1] - from.strides[1];
    const Index across = from.extents[0] == 1 ? 0 : to.strides[0] - from.strides[0] - last * along;
    if ((along < 0 && across > 0) || (along > 0 && across < 0))
        throw Error(
            ErrorCode::usage,
            "fields f and u overlap in memory, and the rows of one lie wider within planes, those of the other "
            "between planes: f cannot be moved to u then; give them one layout, or memory of their own");
    const Index rows = from.extents[0] * from.extents[1];
    const auto move = [&](Index row, bool up) {
        const Index i = row / from.extents[1];
        const Index j = row % from.extents[1];
        const T* const source = &from(i, j, 0);
        T* const target = &to(i, j, 0);
        if (up == (target > source))
            std::memmove(target, source, static_cast<std::size_t>(from.extents[2]) * sizeof(T));
    };
    for (Index row = 0; row < rows; ++row) move(row, false);
    for (Index row = rows - 1; row >= 0; --row) move(row, true);
}

}  // namespace poisson3d::host
