// An engine this build does not contain: it says why, and refuses.
#pragma once

#include "engine.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d {

template <std::string (*why)()>
[[noreturn]] void refuse(const Options& options) {
    throw Error(ErrorCode::unsupported,
                std::string("engine ") + name(options.engine) + " cannot be used: " + why() + "; use engine host");
}

/// `why` is asked in every automatic choice, so it must not wake a driver: that costs time and host memory.
template <class T, std::string (*why)()>
EngineEntry<T> absent_engine(Engine kind) {
    return {kind, why,
            [](const Problem&, const Options& options) -> std::unique_ptr<EngineBase<T>> { refuse<why>(options); },
            [](const Problem&, const Options& options) -> std::size_t { refuse<why>(options); }};
}

}  // namespace poisson3d
