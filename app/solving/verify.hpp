// Judging a solution: its residual, and its distance from an exact one. Both read the input again, slab by slab.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "poisson3d/field_file.hpp"
#include "poisson3d/residual.hpp"
#include "poisson3d/square_sum.hpp"
#include "reporting/progress.hpp"
#include "reporting/report.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"

namespace poisson3d::app {

/// bring(first, count) before planes are compared.
template <class T, class Bring>
Residual add_slabs(const FieldReader& reader, ResidualMeter<T> meter, const Bring& bring, ProgressBar& bar) {
    for_each_slab_of(reader, reader.header().dataset, [&](Index first, FieldView<const double> slab) {
        bring(first, slab.extents[0]);
        meter.add(first, slab);
        bar.update(first + slab.extents[0], reader.header().points[0]);
    });
    return meter.result();
}

/// ½ at a Neumann node, where half of the point's cell lies outside the box. (No Dirichlet node: only asked for
/// problems that leave a constant open.)
inline double weight_at(const Axis& axis, Index j) {
    if (axis.centering != Centering::node || axis.periodic()) return 1.0;
    const double lower = j == 0 && axis.lower != Boundary::free ? 0.5 : 1.0;
    return j == axis.points - 1 && axis.upper != Boundary::free ? 0.5 * lower : lower;
}

/// A constant that the gauge decides, and the far field does not.
inline bool constant_open(const Problem& problem) {
    return singular(problem) || (grows_far_away(problem) && (problem.gauge.point || problem.gauge.mean));
}

/// body(difference, weight) at every point.
template <class T, class Body>
void for_each_difference(const FieldReader& reader, const std::string& dataset, const Grid& grid,
                         SolveBackend<T>& backend, const Body& body) {
    const Extents points = grid.points();
    const FieldView<const T> solution = backend.solution();
    for_each_slab_of(reader, dataset, [&](Index first, FieldView<const double> exact) {
        backend.bring(first, exact.extents[0]);
        for (Index i = 0; i < exact.extents[0]; ++i)
            for (Index j = 0; j < points[1]; ++j) {
                const double line = weight_at(grid.axes[0], first + i) * weight_at(grid.axes[1], j);
                for (Index k = 0; k < points[2]; ++k)
                    body(static_cast<double>(solution(first + i, j, k)) - exact(i, j, k),
                         line * weight_at(grid.axes[2], k));
            }
    });
}

/// The residual in double precision; `boundary` is in host memory. The second-order stencil needs one slab beside
/// the solution, of which seen(first, count) is told; spectral needs L u, for which the backend may give up the
/// solution.
template <class T, class Seen>
Residual measure_residual(const FieldReader& reader, const Problem& problem, const BoundaryData<double>& boundary,
                          double scale, double mean, double max_solution, SolveBackend<T>& backend,
                          ProgressBar& bar, const Seen& seen) {
    if (problem.discretization == Discretization::second_order)
        return add_slabs(
            reader, ResidualMeter<T>(problem, backend.solution(), scale, mean, boundary),
            [&](Index first, Index count) {
                backend.bring(first, count);
                seen(first, count);
            },
            bar);
    std::optional<ResidualMeter<T>> meter;
    const Index step = reader.planes_per_slab();
    Field<double> memory({step, problem.grid.points()[1], problem.grid.points()[2]});
    backend.apply_operator([&](FieldView<const double> product, Index from, Index planes) {
        if (!meter) meter.emplace(problem, product, max_solution, scale, mean);
        for_each_slab(planes, step, [&](Index at, Index count) {
            const FieldView<double> slab = memory.view().slab(0, count);
            reader.read(from + at, slab);
            meter->add(from + at, slab);
            bar.update(from + at + count, problem.grid.points()[0]);
        });
    });
    return meter->result();
}

/// Compares with `dataset` of the input. A problem that leaves a constant open fixes its solution up to that: the
/// weighted mean of the difference is taken out before max and root mean square, and told.
template <class T>
SolutionError compare_exact(const FieldReader& reader, const std::string& dataset, const Problem& problem,
                            SolveBackend<T>& backend) {
    SolutionError error{dataset};
    if (constant_open(problem)) {
        // The sum of large numbers may be none.
        const double unit = std::ldexp(1.0, -std::ilogb(static_cast<double>(problem.grid.size())));
        double sum = 0.0;
        double weights = 0.0;
        for_each_difference(reader, dataset, problem.grid, backend, [&](double difference, double weight) {
            sum += unit * weight * difference;
            weights += unit * weight;
        });
        error.constant = sum / weights;
    }
    SquareSum squares;
    for_each_difference(reader, dataset, problem.grid, backend, [&](double difference, double) {
        const double distance = std::fabs(difference - error.constant);
        // Written so that a difference that is not a number is not overlooked.
        error.max = distance <= error.max ? error.max : distance;
        squares.expect(distance);
        squares.add(distance);
    });
    error.l2 = squares.root_mean(static_cast<double>(problem.grid.size()));
    if (error.l2 != error.l2) error.max = error.l2;
    return error;
}

}  // namespace poisson3d::app
