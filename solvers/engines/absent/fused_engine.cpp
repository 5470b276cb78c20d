// The fused engine is not in this version: the same symbols, and the reason.
#include "absent_engine.hpp"

namespace poisson3d {

namespace {
std::string why() {
    const std::string reason = missing_driver();
    return reason.empty() ? "this version does not have it yet" : reason;
}
}  // namespace

template <class T>
EngineEntry<T> fused_engine() {
    return absent_engine<T, &why>(Engine::fused);
}

template EngineEntry<float> fused_engine();
template EngineEntry<double> fused_engine();

}  // namespace poisson3d
