// What may move a field in tests/bench/transpose_shapes: the algorithms of the library by name, and on a GPU
// kernels of other shapes than those that the library chooses.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/matrices.hpp"
#include "in_place/executors.hpp"
#include "poisson3d/in_place.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d::test {

struct Candidate {
    std::string name;
    std::function<void(const void* in, void* out)> run;
};

/// Tiles by wide loads and strips of several shapes, in narrow and wide bands, named after their parameters; none
/// where a field's rows are copied.
std::vector<Candidate> shape_candidates(const TransposeProblem& problem);

struct InPlaceCandidate {
    std::string name;
    std::function<void(void* data)> run;
};

/// Rotations of a cube by bricks of a block, and by turns.
std::vector<InPlaceCandidate> cube_candidates(Index side, bool back, int element_bytes);
/// Squares by tiles in shared memory; of 4-byte elements also by wide tiles of which one waits in registers.
std::vector<InPlaceCandidate> square_candidates(const Squares& squares);
/// Rectangles by C2R or R2C, through scratch memory, by tiles of several lengths: those that apply.
std::vector<InPlaceCandidate> rectangle_candidates(const DenseMatrices& matrices);

}  // namespace poisson3d::test
