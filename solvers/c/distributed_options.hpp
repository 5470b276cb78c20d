// The options of distributed solvers as C gives them: how members solve, and which boxes they have.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "poisson3d.h"
#include "poisson3d/distributed.hpp"

namespace poisson3d::c {

struct ReadOptions {
    DistributedOptions options;
    std::optional<Decomposition> parts;
    std::vector<Box> own;  ///< of my members, if there are no parts: of those the members tell each other
};

/// `given` may be null, `planes` too. Throws Error{usage} for numbers that name nothing, and what Decomposition
/// does.
ReadOptions read_options(const poisson3d_distributed_options* given, const Extents& points,
                         const Communicator& members, const std::int64_t* planes);

}  // namespace poisson3d::c
