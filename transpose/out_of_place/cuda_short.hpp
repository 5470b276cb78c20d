// Movements of which two axes, or the rows that stay together, are short: how they are cut into tiles
// (cuda_short.cu).
#pragma once

#include "out_of_place/movement.hpp"

namespace poisson3d::cuda {

constexpr int short_bytes = 44 * 1024;  // of shared memory a block: five on a processor

enum class ShortKind { rows, planes, matrices };

/// Element e of an output row is element `e % inner` of its group `e / inner`; a group is one x, y or x.
struct ShortMove {
    Index in_row, out_row;  ///< elements from one row to the next, on both sides
    Index elements;         ///< of an output row
    Index others;           ///< rows: how many output rows there are in all
    Index batch, in_batch, out_batch;
    int inner, width;  ///< rows: n3 twice; planes: n1, n3; matrices: n2 · n3, n3
    int middle;        ///< matrices: n2
    int own;           ///< output elements of a tile in each output row, a multiple of inner
    int across;        ///< output rows of a tile
    int pitch;         ///< bytes of a run in shared memory
    int pad;           ///< matrices: words of 16 bytes of a row, behind each of which one is left free; 0: none
    int overlap;       ///< elements behind `own` that may be needed: none where a tile ends within a line
    Index tiles, tiles_across;
};

struct ShortPlan {
    ShortKind kind;
    ShortMove move;
    Index in_span;
};

/// Whether a movement of elements of `size` bytes is one of the three, and how it is cut.
bool plan_short(const Movement& movement, Index size, ShortPlan& plan);

}  // namespace poisson3d::cuda
