#include "poisson3d/adjoint.hpp"

#include <algorithm>

#include "boundary_terms.hpp"
#include "chain.hpp"
#include "free_faces.hpp"

namespace poisson3d {

Adjoint adjoint(const Problem& problem) {
    const Grid& grid = problem.grid;
    validate(grid);
    Adjoint found;
    const BoundaryTerms<double> terms = make_boundary_terms<double>(grid);
    for (std::size_t a = 0; a < 3; ++a) {
        const std::vector<double> volumes = make_chain(grid.axes[a]).volumes;
        found.volumes[a].assign(static_cast<std::size_t>(grid.axes[a].points), 0.0);
        std::copy(volumes.begin(), volumes.end(), found.volumes[a].begin() + terms.first[a]);
        if (problem.discretization == Discretization::spectral) continue;
        for (int side = 0; side < 2; ++side)
            if (!is_free(grid.axes[a], side)) found.data[a][side] = terms.factor[a][side];
    }
    return found;
}

}  // namespace poisson3d
