// The gradient on a device in a build without CUDA: the same symbols, and the reason.
#include "device_gradient.hpp"

#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

void require_device_gradient(Engine engine) {
    throw Error(ErrorCode::unsupported, std::string("engine ") + name(engine) +
                                            " cannot be used: " + missing_driver() + "; use engine host");
}

template <class T>
void launch_gradient(const GradientTask<T>&, Stream) {
    require_device_gradient(Engine::cufft);
}

template void launch_gradient(const GradientTask<float>&, Stream);
template void launch_gradient(const GradientTask<double>&, Stream);

}  // namespace poisson3d
