// Solutions of pipelines with free faces against brute force in long double.
#pragma once

#include "free_mixes.hpp"
#include "free_space.hpp"
#include "pipeline_on_host.hpp"

namespace poisson3d::test {

constexpr double scale = -1.5;  ///< PipelineOnHost multiplies f with it

/// |u − scale · K f| in units of max |K f|.
template <class T>
double error_of(const Problem& problem, FieldView<const T> f, FieldView<const T> u) {
    const Field<Real> field = FreeSpace(problem).solve(f);
    const FieldView<const Real> expected = field.view();
    Real worst = 0, largest = 0;
    for (Index i = 0; i < u.extents[0]; ++i)
        for (Index j = 0; j < u.extents[1]; ++j)
            for (Index k = 0; k < u.extents[2]; ++k) {
                const Real wanted = static_cast<Real>(scale) * expected(i, j, k);
                worst = std::max(worst, std::abs(static_cast<Real>(u(i, j, k)) - wanted));
                largest = std::max(largest, std::abs(wanted));
            }
    return static_cast<double>(worst / largest);
}

}  // namespace poisson3d::test
