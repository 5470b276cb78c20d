#include <algorithm>
#include <cmath>

#include "boundary_terms.hpp"
#include "poisson3d/boundary_data.hpp"

namespace poisson3d {

template <class F>
double largest_rhs(const Grid& grid, const BoundaryData<double>& boundary, double scale, Index first,
                   FieldView<const F> rhs) {
    const BoundaryTerms<double> terms = make_boundary_terms(grid, boundary);
    const auto unknown = [&](int axis, Index i) { return i >= terms.first[axis] && i <= terms.last[axis]; };
    const auto at_end = [&](int axis, Index i) { return i == terms.first[axis] || i == terms.last[axis]; };
    double largest = 0.0;
    for (Index p = 0; p < rhs.extents[0]; ++p)
        for (Index j = 0; j < rhs.extents[1]; ++j) {
            const Index i = first + p;
            if (!unknown(0, i) || !unknown(1, j)) continue;
            const bool beside = at_end(0, i) || at_end(1, j);
            const F* const f = &rhs(p, j, 0);
            for (Index k = terms.first[2]; k <= terms.last[2]; ++k) {
                const bool met = terms.any && (beside || at_end(2, k));
                const double added = met ? terms(i, j, k) : 0.0;
                largest = std::max(largest, std::abs(scale * static_cast<double>(f[k]) + added));
            }
        }
    return largest;
}

template double largest_rhs(const Grid&, const BoundaryData<double>&, double, Index, FieldView<const float>);
template double largest_rhs(const Grid&, const BoundaryData<double>&, double, Index, FieldView<const double>);

}  // namespace poisson3d
