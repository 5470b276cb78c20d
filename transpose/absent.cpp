// What a build without CUDA has in the place of the CUDA files. Plans call require_cuda() before they ask for an
// executor.
#include "common/executor.hpp"
#include "in_place/executors.hpp"
#include "out_of_place/executors.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"
#include "rectangle/executors.hpp"
#include "structures/executors.hpp"

namespace poisson3d {

void require_cuda(const std::string& what) {
    throw Error(ErrorCode::unsupported,
                what + " on a CUDA device was asked for: " + missing_device() + "; use Backend::host");
}

std::unique_ptr<Executor> make_cuda_executor(const Movement&, int, const TransposeOptions&) {
    return nullptr;
}
std::unique_ptr<InPlaceExecutor> make_cuda_exchange(const Squares&, const InPlaceOptions&) {
    return nullptr;
}
std::unique_ptr<InPlaceExecutor> make_cuda_cube(const Cubes&, Index) {
    return nullptr;
}
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle(const DenseMatrices&, Index) {
    return nullptr;
}
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_sweeps(const DenseMatrices&) {
    return nullptr;
}
std::unique_ptr<InPlaceExecutor> make_cuda_through_scratch(const InPlaceProblem&, Index) {
    return nullptr;
}
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_through_scratch(const DenseMatrices&, Index) {
    return nullptr;
}
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_items(const DenseMatrices&, Index) {
    return nullptr;
}
std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_tiles(const DenseMatrices&, Index, Index) {
    return nullptr;
}
std::unique_ptr<InPlaceExecutor> make_cuda_lagged_rectangle(const DenseMatrices&, const rectangle::LaggedCuts&) {
    return nullptr;
}
std::unique_ptr<InPlaceMovement> make_cuda_structures(const StructureProblem&) {
    return nullptr;
}
std::unique_ptr<InPlaceMovement> make_cuda_structure_tiles(const StructureProblem&, const StructureCuts&) {
    return nullptr;
}

}  // namespace poisson3d
