// The rotation of a cube in place by turns: bricks larger than a processor holds, a plane at a time.
//
// Of an orbit's three bricks, P → Q → R → P (cube_orbits.hpp), one is set aside; then each of the others goes to
// where one has left:
//
//     stage 0   P → scratch memory        stage 2   Q → R
//     stage 1   R → P                     stage 3   scratch memory → Q
//
// Every stage is out of place, and a plane of a brick moves by itself: the rotation takes (a, b, c) to (b, c, a),
// which with b fixed is the transpose of a matrix of a × c. So no block holds more than a plane, whose rows are as
// long as a brick. (The rotation back takes (a, b, c) to (c, a, b): with a fixed, a matrix of b × c.)
//
// Planes take turns in an order in which nothing waits long: step t is stage 0 of orbit t, stage 1 of orbit t − 1,
// stage 2 of orbit t − 2 and stage 3 of orbit t − 3, plane by plane. A stage stores where the stage before it has
// read, a whole step earlier, and what was set aside comes back three steps later, so that scratch memory for five
// orbits is enough, and a second-level cache may hold it. An orbit of one brick has stages 0 and 3 only.
#pragma once

#include "in_place/cube_orbits.hpp"

namespace poisson3d {

struct CubeTurn {
    Index orbit = -1;  ///< −1: none
    int stage = 0, plane = 0;
};

struct CubeTurns {
    static constexpr int stages = 4;
    static constexpr int slots = stages + 1;  ///< orbits that are set aside at one time

    Index orbits = 0;  ///< of all cubes of a batch
    int planes = 0;    ///< of a brick, at most

    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index count() const {
        return (orbits + stages - 1) * stages * planes;
    }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD CubeTurn turn(Index number) const {
        const Index row = number / planes;
        const Index step = row / stages;
        const int stage = static_cast<int>(row - step * stages);
        const Index orbit = step - stage;
        if (orbit < 0 || orbit >= orbits) return {};
        return {orbit, stage, static_cast<int>(number - row * planes)};
    }
    // What is counted: turns taken; then for each orbit the planes read in each stage, and those set aside.
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index counters() const { return 1 + orbits * (stages + 1); }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index read_counter(Index orbit, int stage) const {
        return 1 + orbit * (stages + 1) + stage;
    }
    [[nodiscard]] constexpr POISSON3D_BLOCK_HD Index aside_counter(Index orbit) const {
        return read_counter(orbit, stages);
    }
};

/// Of the bricks P, Q and R of an orbit, 0, 1 and 2, the one that a stage reads, and the one it stores to; 3: what
/// was set aside.
constexpr POISSON3D_BLOCK_HD int brick_read(int stage) {
    return stage == 0 ? 0 : stage == 1 ? 2 : stage == 2 ? 1 : 3;
}
constexpr POISSON3D_BLOCK_HD int brick_stored(int stage) {
    return stage == 0 ? 3 : stage == 1 ? 0 : stage == 2 ? 2 : 1;
}

}  // namespace poisson3d
