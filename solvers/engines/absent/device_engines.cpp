// The engines this version does not contain: the same symbols, and the reason.
#include "engine.hpp"

#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

namespace {

/// Asked in every automatic choice, so it must not wake the driver: that costs time and host memory.
std::string why() {
    const std::string reason = missing_driver();
    return reason.empty() ? "this version has no GPU engine yet" : reason;
}

template <class T>
std::unique_ptr<EngineBase<T>> refuse(const Problem&, const Options& options) {
    throw Error(ErrorCode::unsupported,
                std::string("engine ") + name(options.engine) + " cannot be used: " + why() + "; use engine host");
}

template <class T>
std::size_t refuse_bytes(const Problem& problem, const Options& options) {
    refuse<T>(problem, options);
    return 0;
}

}  // namespace

template <class T>
EngineEntry<T> cufft_engine() {
    return {Engine::cufft, &why, &refuse<T>, &refuse_bytes<T>};
}
template <class T>
EngineEntry<T> fused_engine() {
    return {Engine::fused, &why, &refuse<T>, &refuse_bytes<T>};
}

template EngineEntry<float> cufft_engine();
template EngineEntry<double> cufft_engine();
template EngineEntry<float> fused_engine();
template EngineEntry<double> fused_engine();

}  // namespace poisson3d
