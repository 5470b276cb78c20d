// Which field --preview-of names, and where its middle planes come from.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "command_line/options.hpp"
#include "pictures/slices.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/text.hpp"
#include "reporting/progress.hpp"
#include "reporting/report.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"

namespace poisson3d::app {

/// A picture is wanted, and of something that the solution goes into.
inline bool draws_solution(const SolveOptions& options) {
    return !options.preview.empty() && options.preview_of != PreviewOf::rhs;
}

/// As a picture names it.
inline std::string name_of(PreviewOf what, double scale) {
    switch (what) {
        case PreviewOf::solution: return "solution";
        case PreviewOf::rhs: return scale == 1.0 ? "right-hand side" : "right-hand side, scaled";
        case PreviewOf::error: return "solution − exact";
    }
    return "";
}

/// The planes of that field. The solution is there already (not asked for where a right-hand side is drawn);
/// right-hand side, times the scale, and exact solution are read once, slab by slab. `error` less the constant
/// that compare_exact() took out.
template <class T>
Sections preview_planes(const SolveOptions& options, const FieldReader& reader, SolveBackend<T>& backend,
                        const SolveReport& report, ProgressBar& bar) {
    const Extents points = report.problem.grid.points();
    Sections planes = mid_planes(points);
    const FieldView<const T> solution = draws_solution(options) ? backend.solution() : FieldView<const T>();
    switch (options.preview_of.value_or(PreviewOf::solution)) {
        case PreviewOf::solution:
            for_each_slab(points[0], planes_of(points, sizeof(T)), [&](Index first, Index count) {
                backend.bring(first, count);
                planes.add(first, count, [&](Index i, Index j, Index k) {
                    return static_cast<double>(solution(first + i, j, k));
                });
            });
            break;
        case PreviewOf::rhs:
            for_each_slab_of(reader, reader.header().dataset, [&](Index first, FieldView<const double> slab) {
                bar.update(first + slab.extents[0], reader.header().points[0]);
                planes.add(first, slab.extents[0],
                           [&](Index i, Index j, Index k) { return report.scale * slab(i, j, k); });
            });
            break;
        case PreviewOf::error: {
            const double constant = report.error ? report.error->constant : 0.0;
            for_each_slab_of(reader, report.error->dataset, [&](Index first, FieldView<const double> slab) {
                bar.update(first + slab.extents[0], reader.header().points[0]);
                backend.bring(first, slab.extents[0]);
                planes.add(first, slab.extents[0], [&](Index i, Index j, Index k) {
                    return static_cast<double>(solution(first + i, j, k)) - slab(i, j, k) - constant;
                });
            });
            break;
        }
    }
    return planes;
}

/// All of the picture; the planes are those of preview_planes().
inline FieldSlices preview_slices(const SolveOptions& options, const SolveReport& report, Sections planes) {
    const PreviewOf what = options.preview_of.value_or(PreviewOf::solution);
    const std::string name = name_of(what, report.scale);
    const std::string& file = what == PreviewOf::rhs ? options.input : options.output;
    const Units& units = report.units;
    return {.title = name + " · " + printable(std::filesystem::path(file).filename().string()),
            .name = name,
            .unit = what == PreviewOf::rhs ? (report.scale == 1.0 ? units.field : std::string()) : units.solution,
            .axis_units = {units.length, units.length, units.length},
            .grid = report.problem.grid,
            .planes = std::move(planes)};
}

}  // namespace poisson3d::app
