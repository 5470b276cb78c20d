#include "chain_modes.hpp"

#include <limits>
#include <optional>
#include <string>

#include "jacobi_modes.hpp"
#include "ladder_modes.hpp"
#include "poisson3d/error.hpp"
#include "ring_modes.hpp"

namespace poisson3d::lines {

ChainModes make_chain_modes(const Chain& chain, ThreadTeam* team) {
    const std::size_t n = chain.volumes.size();
    if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()) / 2)
        throw Error(ErrorCode::unsupported,
                    "an axis of " + std::to_string(n) + " points has too many for matrices");
    std::optional<ChainModes> modes = ring_ladder_modes(chain, team);
    if (!modes) modes = chain.ring ? jacobi_modes(chain) : ladder_modes(chain, team);
    if (!modes)
        throw Error(ErrorCode::internal, "the modes of an axis of " + std::to_string(n) + " points were not found");
    return *std::move(modes);
}

}  // namespace poisson3d::lines
