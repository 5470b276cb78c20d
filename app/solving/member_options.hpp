// What members leave to nobody's choice.
#pragma once

#include <string>

#include "poisson3d/error.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::app {

/// Throws Error{unsupported} for options that ask members for another engine, middle axis, memory or precision than
/// they have. `on_devices`: they are on GPUs; `ranks`: they are ranks, which may have GPUs.
inline void require_member_options(const Options& options, bool mixed, bool on_devices, bool ranks = false) {
    const auto refuse = [&](const std::string& found) {
        throw Error(ErrorCode::unsupported,
                    std::string(on_devices ? "members on GPUs solve by a kernel a pass"
                                           : "members that share a box solve on processors") +
                        ", with one way through its passes: found " + found);
    };
    const Engine engine = on_devices ? Engine::fused : Engine::host;
    if (options.engine != Engine::automatic && options.engine != engine)
        refuse(std::string("--engine ") + name(options.engine) + ", wanted " + name(engine) +
               (on_devices ? ""
                : ranks    ? " or fused"
                           : "; --devices has members on GPUs"));
    if (options.middle != Middle::automatic)
        refuse(std::string("--middle ") + name(options.middle) + ", wanted automatic");
    if (options.memory != Memory::automatic)
        refuse(std::string("--memory ") + name(options.memory) + ", wanted automatic");
    if (mixed) refuse("--precision mixed, wanted double or single");
}

}  // namespace poisson3d::app
