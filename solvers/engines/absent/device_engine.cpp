// The cufft engine in a build without CUDA: the same symbols, and the reason.
#include "absent_engine.hpp"

namespace poisson3d {

template <class T>
EngineEntry<T> cufft_engine() {
    return absent_engine<T, &missing_driver>(Engine::cufft);
}

template EngineEntry<float> cufft_engine();
template EngineEntry<double> cufft_engine();

}  // namespace poisson3d
