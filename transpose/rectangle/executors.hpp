// Any matrices in place by C2R or R2C. For CUDA require_cuda() must pass.
#pragma once

#include "common/executor.hpp"
#include "common/matrices.hpp"

namespace poisson3d {

namespace rectangle {
struct LaggedCuts;
}

/// Bytes that a plan may always have.
constexpr Index usual_scratch = Index{64} << 20;

std::unique_ptr<InPlaceExecutor> make_host_rectangle(const DenseMatrices& matrices, int threads);
/// About `allowed` bytes of scratch memory may be taken; with less than 16 MiB by C2R or R2C, or items along
/// cycles.
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle(const DenseMatrices& matrices, Index allowed = usual_scratch);

// The ways that a rectangle on a device can go.

/// C2R or R2C: any matrices.
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_sweeps(const DenseMatrices& matrices);
/// Any permutation of small fields, as the next one.
std::unique_ptr<InPlaceExecutor> make_cuda_through_scratch(const InPlaceProblem& problem, Index allowed);
/// Transposed to scratch memory and copied back, as many matrices at a time as fit; null if one does not.
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_through_scratch(const DenseMatrices& matrices,
                                                                     Index allowed = usual_scratch);
/// Items of more than one element along their cycles, one sweep; null where items are elements or very many.
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_items(const DenseMatrices& matrices,
                                                           Index allowed = usual_scratch);
/// By tiles of `tile_bytes`, a power of two, 0: chosen (lagged_tiles.hpp; structures/tiles.hpp for sides up to 64
/// unless a length was asked for). Null where items are not words, or a side is shorter than a tile.
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_tiles(const DenseMatrices& matrices, Index tile_bytes = 0,
                                                           Index allowed = usual_scratch);
/// The same, cut as a test wants it: items are words, and the longer side has a whole block.
std::unique_ptr<InPlaceExecutor> make_cuda_lagged_rectangle(const DenseMatrices& matrices,
                                                            const rectangle::LaggedCuts& cuts);

}  // namespace poisson3d
