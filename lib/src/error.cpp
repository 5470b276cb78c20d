#include "poisson3d/error.hpp"

namespace poisson3d {

const char* name(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::ok: return "ok";
        case ErrorCode::inaccurate: return "inaccurate";
        case ErrorCode::usage: return "usage";
        case ErrorCode::unsupported: return "unsupported";
        case ErrorCode::file: return "file";
        case ErrorCode::data: return "data";
        case ErrorCode::unsolvable: return "unsolvable";
        case ErrorCode::resonant: return "resonant";
        case ErrorCode::out_of_memory: return "out of memory";
        case ErrorCode::device: return "device";
        case ErrorCode::output: return "output";
        case ErrorCode::internal: return "internal";
    }
    return "unknown";
}

}  // namespace poisson3d
