// A chain or ring in units where none of its numbers is far from 1, and where its eigenvalues lie.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "chain.hpp"
#include "ladder.hpp"

namespace poisson3d::lines {

/// Powers of two that make the greatest conductance and volume about 1.
struct ScaledChain {
    std::vector<double> links, volumes;
    LadderView view{};
    double unit;  ///< of eigenvalues

    explicit ScaledChain(const Chain& chain) : links(chain.links), volumes(chain.volumes) {
        const double link = std::max({std::ranges::max(links), chain.ground[0], chain.ground[1]});
        const int of_links = link > 0.0 ? std::ilogb(link) : 0;
        const int of_volumes = std::ilogb(std::ranges::max(volumes));
        for (double& each : links) each = std::ldexp(each, -of_links);
        for (double& each : volumes) each = std::ldexp(each, -of_volumes);
        view = {static_cast<int>(volumes.size()),
                links.data(),
                volumes.data(),
                {std::ldexp(chain.ground[0], -of_links), std::ldexp(chain.ground[1], -of_links)}};
        unit = std::ldexp(1.0, of_links - of_volumes);
    }

    /// No eigenvalue but 0 is less: |u|² is nowhere more than the energy Σ g (Δu)² times the resistance to where
    /// u is 0, which is ground, or a place between.
    [[nodiscard]] double lower_bound() const {
        const auto last = links.end() - 1;
        double resistance = 0.0;
        for (auto link = links.begin() + 1; link < last; ++link) resistance += 1.0 / *link;
        const double ground = std::max(view.ground[0], view.ground[1]);
        if (ground > 0.0) resistance += 1.0 / ground;
        return std::max(0.5 / (resistance * std::accumulate(volumes.begin(), volumes.end(), 0.0)), 0x1p-1000);
    }
    [[nodiscard]] double upper_bound() const {
        double bound = 0.0;
        for (int j = 0; j < view.nodes; ++j) {
            const double ground = (j == 0 ? view.ground[0] : 0.0) + (j + 1 == view.nodes ? view.ground[1] : 0.0);
            bound = std::max(bound, (links[j] + links[j + 1] + ground) / volumes[j]);
        }
        return 2.001 * bound;
    }
};

}  // namespace poisson3d::lines
