#include "solving/preview_field.hpp"

#include <utility>

#include "solving/slabs.hpp"

namespace poisson3d::app {

bool draws_solution(const SolveOptions& options) {
    return !options.preview.empty() && options.preview_of != PreviewOf::rhs;
}

std::string title_of(const SolveOptions& options, double scale) {
    switch (options.preview_of.value_or(PreviewOf::solution)) {
        case PreviewOf::solution: return "solution";
        case PreviewOf::rhs: return scale == 1.0 ? "right-hand side" : "right-hand side, scaled";
        case PreviewOf::error: return "solution - exact";
    }
    return "";
}

template <class T>
MidPlanes preview_planes(const SolveOptions& options, const FieldReader& reader, FieldView<const T> solution,
                         const SolveReport& report, ProgressBar& bar) {
    MidPlanes planes(report.problem.grid.points());
    switch (options.preview_of.value_or(PreviewOf::solution)) {
        case PreviewOf::solution:
            planes.add(0, solution.extents[0],
                       [&](Index i, Index j, Index k) { return static_cast<double>(solution(i, j, k)); });
            break;
        case PreviewOf::rhs:
            for_each_slab_of(reader, options.dataset, [&](Index first, FieldView<const double> slab) {
                bar.update(first + slab.extents[0], reader.header().points[0]);
                planes.add(first, slab.extents[0],
                           [&](Index i, Index j, Index k) { return report.scale * slab(i, j, k); });
            });
            break;
        case PreviewOf::error: {
            const double constant = report.error ? report.error->constant : 0.0;
            for_each_slab_of(reader, options.exact, [&](Index first, FieldView<const double> slab) {
                bar.update(first + slab.extents[0], reader.header().points[0]);
                planes.add(first, slab.extents[0], [&](Index i, Index j, Index k) {
                    return static_cast<double>(solution(first + i, j, k)) - slab(i, j, k) - constant;
                });
            });
            break;
        }
    }
    return planes;
}

template MidPlanes preview_planes(const SolveOptions&, const FieldReader&, FieldView<const float>,
                                  const SolveReport&, ProgressBar&);
template MidPlanes preview_planes(const SolveOptions&, const FieldReader&, FieldView<const double>,
                                  const SolveReport&, ProgressBar&);

}  // namespace poisson3d::app
