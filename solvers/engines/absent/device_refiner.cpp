// The sweeps of mixed precision on a device, in a build without CUDA: the reason.
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"
#include "refiner.hpp"

namespace poisson3d {

std::unique_ptr<Refiner> make_device_refiner(const Extents&, int, std::span<std::byte>) {
    throw Error(ErrorCode::unsupported, "engine cufft cannot be used: " + missing_driver() + "; use engine host");
}

}  // namespace poisson3d
