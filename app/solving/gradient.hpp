// --gradient: the gradient of the solution, written beside it as /gradient/{x,y,z}, named by the labels of the
// axes.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "poisson3d/field_file.hpp"
#include "poisson3d/gradient.hpp"
#include "reporting/progress.hpp"
#include "solving/from_input.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"

namespace poisson3d::app {

/// All components of a few planes at a time: each plane of the solution is read from memory about once.
template <class T>
void write_in_slabs(FieldWriter& writer, const std::vector<std::string>& names, Gradient<T>& gradient,
                    SolveBackend<T>& backend, const BoundaryData<T>& boundary, ProgressBar& bar) {
    const Extents points = backend.solution().extents;
    const Index step = planes_of(points, 3 * sizeof(T));
    std::array<Field<T>, 3> slabs;
    for (Field<T>& slab : slabs) slab = Field<T>({step, points[1], points[2]});
    for_each_slab(points[0], step, [&](Index first, Index count) {
        std::array<FieldView<T>, 3> parts;
        for (int a = 0; a < 3; ++a) parts[a] = slabs[a].view().slab(0, count);
        backend.bring(first, count);
        gradient.evaluate_planes(backend.solution(), first, parts, boundary);
        for (int a = 0; a < 3; ++a) writer.write<T>(names[a], first, parts[a]);
        bar.update(first + count, points[0]);
    });
}

/// One whole component at a time. Along free axes it is made of the right-hand side, which is read into its place.
template <class T>
void write_whole(FieldWriter& writer, const std::vector<std::string>& names, Gradient<T>& gradient,
                 const Problem& problem, SolveBackend<T>& backend, const FieldReader& reader, T scale,
                 ProgressBar& bar) {
    const FieldView<const T> solution = backend.solution();
    const Extents points = solution.extents;
    backend.bring(0, points[0]);
    Field<T> component(points);
    const Index step = planes_of(points, sizeof(T));
    for (int a = 0; a < 3; ++a) {
        if (problem.grid.axes[a].unbounded())
            for_each_slab(points[0], step, [&](Index first, Index count) {
                reader.read(first, component.view().slab(first, count));
            });
        std::array<FieldView<T>, 3> parts;
        parts[a] = component.view();
        gradient.evaluate_with_source(solution, component.view(), scale, parts);
        for_each_slab(points[0], step, [&](Index first, Index count) {
            writer.write<T>(names[a], first, component.view().slab(first, count));
            bar.update(a * points[0] + first + count, 3 * points[0]);
        });
    }
}

inline Options options_of_gradient(int threads) {
    Options on_host;
    on_host.engine = Engine::host;
    on_host.threads = threads;
    return on_host;
}

/// Bytes of host memory that it takes beside the solution and slabs: one component with spectral, whose derivatives
/// need whole lines, and what solves with free faces take.
template <class T>
std::size_t gradient_bytes(const Problem& problem, int threads) {
    if (problem.discretization != Discretization::spectral) return 0;
    return field_bytes(problem, sizeof(T)) + Gradient<T>::workspace_bytes(problem, options_of_gradient(threads));
}

/// Makes the data sets /gradient/x, … in a group of the output, for as many fields as `leading` says; `units` are
/// those of the solution and of lengths. Returns their names.
template <class T>
std::vector<std::string> create_gradient(FieldWriter& writer, const Problem& problem, const Units& units,
                                         const std::string& group, const std::vector<Index>& leading) {
    std::vector<std::string> names;
    const std::string slope = units_of_gradient(units);
    for (const char label : problem.grid.labels) {
        names.push_back(group + "/gradient/" + label);
        writer.create<T>(names.back(), problem.grid, problem.helmholtz, leading);
        writer.attributes(names.back(),
                          attribute_list(Attribute{"description", "derivative of " + group + "/solution along " +
                                                                      label + ", in its units per unit of length"},
                                         Attribute{"discretization", name(problem.discretization)}));
        if (!slope.empty()) writer.attributes(names.back(), {{"units", slope}});
    }
    return names;
}

/// Computes it on the host and writes it, one slab or component at a time. `boundary` is what the solution was
/// solved with, in host memory; `reader` has its right-hand side.
template <class T>
void write_gradient(FieldWriter& writer, const std::vector<std::string>& names, const Problem& problem,
                    const SolveOptions& options, SolveBackend<T>& backend, const FieldReader& reader,
                    const BoundaryData<T>& boundary, ProgressBar& bar) {
    Gradient<T> gradient(problem, options_of_gradient(options.solver.threads));
    if (problem.discretization == Discretization::spectral)
        write_whole(writer, names, gradient, problem, backend, reader, static_cast<T>(options.scale), bar);
    else
        write_in_slabs(writer, names, gradient, backend, boundary, bar);
}

}  // namespace poisson3d::app
