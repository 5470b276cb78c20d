#pragma once

#include <string>

#include "poisson3d/error.hpp"

namespace poisson3d {

inline void require_members(int members) {
    if (members < 1)
        throw Error(ErrorCode::usage, "found " + std::to_string(members) + " members, wanted 1 or more");
}

}  // namespace poisson3d
