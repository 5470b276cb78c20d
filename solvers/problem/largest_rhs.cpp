#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "boundary_terms.hpp"
#include "poisson3d/boundary_data.hpp"

namespace poisson3d {

template <class F>
double largest_rhs(const Grid& grid, const BoundaryData<double>& boundary, double scale, Index first,
                   FieldView<const F> rhs) {
    const BoundaryTerms<double> terms = make_boundary_terms<double>(grid).with_data(boundary);
    const auto unknown = [&](int axis, Index i) { return i >= terms.first[axis] && i <= terms.last[axis]; };
    std::vector<double> row(static_cast<std::size_t>(rhs.extents[2]));
    double largest = 0.0;
    for (Index p = 0; p < rhs.extents[0]; ++p)
        for (Index j = 0; j < rhs.extents[1]; ++j) {
            const Index i = first + p;
            if (!unknown(0, i) || !unknown(1, j)) continue;
            const F* const f = &rhs(p, j, 0);
            for (Index k = terms.first[2]; k <= terms.last[2]; ++k) row[k] = scale * static_cast<double>(f[k]);
            if (terms.any) for_each_term(terms, i, j, [&](Index k, double added) { row[k] += added; });
            double most = 0.0;
            double sum = 0.0;
            for (Index k = terms.first[2]; k <= terms.last[2]; ++k) {
                most = std::max(most, std::abs(row[k]));
                sum += 0.0 * row[k];  // 0, or not a number where one is none
            }
            largest = std::max(largest, sum == 0.0 ? most : std::numeric_limits<double>::infinity());
        }
    return largest;
}

template double largest_rhs(const Grid&, const BoundaryData<double>&, double, Index, FieldView<const float>);
template double largest_rhs(const Grid&, const BoundaryData<double>&, double, Index, FieldView<const double>);

}  // namespace poisson3d
