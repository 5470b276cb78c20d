// The fused engine in a build without CUDA: the same symbols, and the reason.
#include "absent_engine.hpp"

namespace poisson3d {

template <class T>
EngineEntry<T> fused_engine() {
    return absent_engine<T, &missing_driver>(Engine::fused);
}

template EngineEntry<float> fused_engine();
template EngineEntry<double> fused_engine();

}  // namespace poisson3d
