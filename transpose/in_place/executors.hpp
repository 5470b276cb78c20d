// The executors of squares and cubes in place. For CUDA require_cuda() must pass.
#pragma once

#include "common/executor.hpp"
#include "common/matrices.hpp"

namespace poisson3d {

/// Dense cubes of side³ elements: (a, b, c) becomes (b, c, a), or (c, a, b) if `back`.
struct Cubes {
    Index side = 0;
    bool back = false;
    int element_bytes = 8;
    Index batch = 1, batch_stride = 0;  ///< in elements

    friend bool operator==(const Cubes&, const Cubes&) = default;
};

/// thread_wise, exchange or super_grid, the last two in options.order and options.band.
std::unique_ptr<InPlaceExecutor> make_host_exchange(const Squares& squares, const InPlaceOptions& options);
std::unique_ptr<InPlaceExecutor> make_cuda_exchange(const Squares& squares, const InPlaceOptions& options);

std::unique_ptr<InPlaceExecutor> make_host_cube(const Cubes& cubes, int threads);
/// About `allowed` bytes of scratch memory may be taken.
std::unique_ptr<InPlaceExecutor> make_cuda_cube(const Cubes& cubes, Index allowed);
/// By turns (in_place/cube_turns.hpp), whatever the size; null without 5 to 10 MiB of scratch memory.
std::unique_ptr<InPlaceExecutor> make_cuda_cube_turns(const Cubes& cubes, Index allowed);

}  // namespace poisson3d
