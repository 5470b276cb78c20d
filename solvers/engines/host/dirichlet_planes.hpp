// What Dirichlet nodes hold on whole planes of the two slower axes; the last pass does those at the ends of lines.
#pragma once

#include "boundary_terms.hpp"
#include "poisson3d/field.hpp"

namespace poisson3d::host {

/// The first axis last: its data stands where faces meet.
template <class T>
void write_dirichlet_planes(FieldView<T> u, const BoundaryTerms<T>& terms) {
    for (const int a : {1, 0})
        for (const int side : {0, 1}) {
            if (!terms.fixed[a][side]) continue;
            T* const plane = u.data + (side == 0 ? 0 : u.extents[a] - 1) * u.strides[a];
            for (Index r = 0; r < u.extents[1 - a]; ++r)
                for (Index k = 0; k < u.extents[2]; ++k)
                    plane[r * u.strides[1 - a] + k] = value_at(terms.face[a][side], r, k);
        }
}

}  // namespace poisson3d::host
