// One launch for all planes of modes of z of padded lines (complex_planes.hpp). A plane goes through stages,
//
//     sums      what its rows know of the symbol (plane_symbol.hpp)
//     there     a: n → 2n modes                       blocks of columns, from the field of modes to a plane of a
//     ring middle    b: n → 2n, times −K, back to n        blocks of rows, where they are back      a: 2n → n
//     blocks of columns, from the ring to the field of modes
//
// and the ring has few planes, most of which the second-level cache holds: what is between stages crosses memory
// less.
//
// Blocks take numbers from a counter as they begin. In turn t of `per_turn()` numbers stages `sums` and `there` are
// done for plane t, `middle` for plane t − middle_lag, `back` for t − back_lag; what a block needs has smaller
// numbers, so that it has begun, and waiting for it ends. Host and device share this file.
#pragma once

#include "host_device.hpp"

namespace poisson3d::fused {

enum class PlaneStage : int { sums, there, middle, back };

/// What a number stands for; `plane` may be none of those that there are. `slot`: of the ring.
struct PlaneWork {
    PlaneStage stage;
    int plane, slot, block;
};

/// `count` blocks of a stage of a plane must have ended; none: count = 0.
struct PlaneNeed {
    PlaneStage stage;
    int plane, count;
};

struct PlaneSchedule {
    int planes = 0;
    int sums = 0, columns = 0, rows = 0;  ///< blocks of a plane: of stages sums, there and back each, and middle
    int ring = 4;                         ///< planes that exist at the same time, more than back_lag
    int middle_lag = 1, back_lag = 3;

    [[nodiscard]] POISSON3D_HD int per_turn() const { return sums + 2 * columns + rows; }
    [[nodiscard]] POISSON3D_HD int numbers() const { return (planes + back_lag) * per_turn(); }
    [[nodiscard]] POISSON3D_HD bool has(const PlaneWork& work) const {
        return work.plane >= 0 && work.plane < planes;
    }

    [[nodiscard]] POISSON3D_HD PlaneWork work(int number) const {
        const int turn = number / per_turn();
        int block = number % per_turn();
        const auto of = [&](PlaneStage stage, int lag) {
            return PlaneWork{stage, turn - lag, (turn - lag) % ring, block};
        };
        if (block < sums) return of(PlaneStage::sums, 0);
        block -= sums;
        if (block < columns) return of(PlaneStage::there, 0);
        block -= columns;
        if (block < rows) return of(PlaneStage::middle, middle_lag);
        block -= rows;
        return of(PlaneStage::back, back_lag);
    }
    /// A plane of the ring is written again when what was there has gone back.
    [[nodiscard]] POISSON3D_HD PlaneNeed need(const PlaneWork& work) const {
        switch (work.stage) {
            case PlaneStage::middle: return {PlaneStage::there, work.plane, sums + columns};
            case PlaneStage::back: return {PlaneStage::middle, work.plane, rows};
            default: return {PlaneStage::back, work.plane - ring, work.plane < ring ? 0 : columns};
        }
    }
    /// Counters: the next number, and for each plane how many blocks have ended of sums and there, middle, back.
    [[nodiscard]] POISSON3D_HD int counters() const { return 1 + 3 * planes; }
    [[nodiscard]] POISSON3D_HD int counter(PlaneStage stage, int plane) const {
        const int kind = stage == PlaneStage::back ? 2 : stage == PlaneStage::middle ? 1 : 0;
        return 1 + kind * planes + plane;
    }
};

}  // namespace poisson3d::fused
