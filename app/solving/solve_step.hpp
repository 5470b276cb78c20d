// One right-hand side on its way: read, solve, write, compare, verify. What is planned once stands in solve.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "poisson3d/field_file.hpp"
#include "poisson3d/free_space.hpp"
#include "reporting/progress.hpp"
#include "reporting/report.hpp"
#include "reporting/table.hpp"
#include "solving/beside_free_faces.hpp"
#include "solving/boundary_values.hpp"
#include "solving/checks.hpp"
#include "solving/free_space.hpp"
#include "solving/solve_backend.hpp"
#include "solving/solve_outputs.hpp"
#include "solving/timing.hpp"
#include "solving/verify.hpp"

namespace poisson3d::app {

/// What all right-hand sides of a run share.
template <class T>
struct Solving {
    const SolveOptions& options;
    const Reporting& reporting;
    SolveBackend<T>& backend;
    SolveOutputs<T>& outputs;
    const BoundaryValues<T>& boundary;
    Range range;  ///< of what follows
};

/// Steps in order; each leaves its times in the report, whose part on right-hand sides is this one's.
template <class T>
class SolveStep {
public:
    SolveStep(const Solving<T>& solving, const FieldReader& reader, const RightHandSide& one, SolveReport& report)
        : options_(solving.options),
          reporting_(solving.reporting),
          backend_(solving.backend),
          outputs_(solving.outputs),
          boundary_(solving.boundary),
          range_(solving.range),
          reader_(reader),
          one_(one),
          report_(report) {}

    void run() {
        read();
        solve();
        judge_mean();
        measure_copies();
        write();
        take_faces();
        // Before verifying, which may give up the solution.
        outputs_.differentiate(backend_, reader_, faces_->data(), report_);
        outputs_.write_for_vtk(backend_, report_);
        compare();
        outputs_.draw(backend_, reader_, report_);
        verify();
        stop_if_interrupted();
        reader_.require_unchanged();  // comparing, drawing and verifying read again
    }

private:
    [[nodiscard]] bool variable() const { return report_.variable.has_value(); }
    [[nodiscard]] bool spectral() const { return report_.problem.discretization == Discretization::spectral; }
    [[nodiscard]] bool has_free_faces() const { return unbounded_axes(report_.problem.grid) > 0; }

    void read() {
        const Stopwatch watch;
        ProgressBar bar(reporting_.progress, "reading");
        std::optional<SourceMeter> meter;
        if (has_free_faces()) meter.emplace(report_.problem, options_.scale, boundary_.in_double());
        if (!read_by_all(bar))
            backend_.read([&](Index first, FieldView<T> slab) {
                reader_.read(first, slab);
                max_rhs_ = std::max(max_rhs_, largest_rhs(report_.problem.grid, boundary_.in_double(),
                                                          options_.scale, first, FieldView<const T>(slab)));
                if (meter) meter->add(first, FieldView<const T>(slab));
                bar.update(first + slab.extents[0], report_.problem.grid.points()[0]);
                if (judges_mean() && report_.boundary_values.empty()) measure_range(slab);
            });
        reader_.require_unchanged();
        report_.seconds.read = watch.seconds();
        require_rhs_in_range(max_rhs_, range_, report_.precision);
        if (!meter) return;
        report_.source = meter->result();
        if (options_.strict)
            require_bounded(report_.problem, report_.source->mean, max_rhs_, std::numeric_limits<T>::epsilon());
    }

    [[nodiscard]] bool read_by_all(ProgressBar& bar) {
        const FieldHeader& header = reader_.header();
        if (!backend_.shares_files() || has_free_faces() || !report_.boundary_values.empty()) return false;
        if (header.format != "HDF5" || !header.leading.empty()) return false;
        const std::string path = std::filesystem::absolute(header.path).string();
        const std::optional<RhsNumbers> found = backend_.read_shared(path, header.dataset, options_.scale);
        if (!found) return false;
        bar.update(1, 1);
        max_rhs_ = found->largest;
        if (judges_mean()) least_ = found->least, greatest_ = found->greatest;
        return true;
    }

    /// Of S f, all of whose points are unknowns in a singular problem.
    void measure_range(FieldView<const T> slab) {
        for (Index i = 0; i < slab.extents[0]; ++i)
            for (Index j = 0; j < slab.extents[1]; ++j) {
                const auto [least, greatest] =
                    std::minmax_element(&slab(i, j, 0), &slab(i, j, 0) + slab.extents[2]);
                for (const T value : {*least, *greatest}) {
                    const double scaled = options_.scale * static_cast<double>(value);
                    least_ = std::min(least_, scaled);
                    greatest_ = std::max(greatest_, scaled);
                }
            }
    }

    void solve() {
        stop_if_interrupted();
        ProgressBar bar(reporting_.progress, "solving");
        bar.count_seconds();
        const Solved solved = backend_.solve(static_cast<T>(options_.scale));
        report_.result = solved.result;
        report_.seconds.solve = solved.seconds;
        report_.passes = solved.passes;
        report_.plan = backend_.planned().description;  // with what the coefficient has chosen
        report_.fields = reader_.header().variable;
        report_.variable = solved.variable;
        if (variable()) judge_variable();
    }

    /// The solver has measured the residual of the solution.
    void judge_variable() {
        report_.verified = true;
        report_.mean_relative = relative_mean(report_.result.mean_removed, max_rhs_);
        if (report_.variable->converged) return;
        report_.status = exit_code(ErrorCode::inaccurate);
        report_.message = "not converged: after " + std::to_string(report_.variable->iterations) +
                          " iterations the relative residual " + brief(report_.variable->residual) +
                          " is above the tolerance " + brief(report_.tolerance) +
                          "; the solution was written all the same";
    }

    /// Verifying judges the mean, too, but later.
    [[nodiscard]] bool judges_mean() const {
        const bool without_lambda = singular(report_.problem) && !reader_.header().variable.helmholtz;
        return (without_lambda || report_.result.singular) && (options_.strict || options_.no_verify);
    }

    void judge_mean() {
        if (!judges_mean()) return;
        const double mean = report_.result.mean_removed;
        report_.mean_relative = relative_mean(mean, max_rhs_);
        if (least_ <= greatest_) warn(std::max(greatest_ - mean, mean - least_));
        if (options_.strict) require_solvable(mean, max_rhs_, std::numeric_limits<T>::epsilon());
    }

    void warn(double max_rest) {
        report_.warning =
            all_mean_warning(report_.result.mean_removed, max_rest, std::numeric_limits<T>::epsilon());
    }

    void measure_copies() {
        if (reporting_.quiet && reporting_.json.empty()) return;
        if (report_.copies == report_.copies || report_.memory == Memory::low)
            return;  // which says that there is no second field to copy to
        const double seconds = backend_.copy_seconds();
        if (seconds > 0.0) report_.copies = report_.seconds.solve / seconds;
    }

    void write() {
        const bool stays = options_.no_verify || !spectral();  // verifying takes its place
        max_solution_ = outputs_.write(backend_, report_, stays && one_.group.empty());
        const bool may_vanish = max_rhs_ == 0.0 || singular(report_.problem);
        require_solution_in_range(max_solution_, may_vanish, range_, report_.precision);
    }

    void take_faces() {
        faces_.emplace(report_.problem.grid,
                       needs_faces(options_, report_.problem) ? backend_.faces(boundary_.data()) : boundary_.data(),
                       boundary_.in_double());
    }

    void compare() {
        if (one_.exact.empty()) return;
        const Stopwatch watch;
        report_.error = compare_exact(reader_, one_.exact, report_.problem, backend_);
        report_.seconds.verify = watch.seconds();
    }

    void verify() {
        if (options_.no_verify || variable()) return;
        report_.verified = true;
        if (has_free_faces() && spectral()) return;
        const Stopwatch watch;
        ProgressBar bar(reporting_.progress, "verifying");
        BesideFreeFaces<T> inside(report_.problem.grid);
        report_.residual =
            measure_residual(reader_, report_.problem, faces_->in_double(), options_.scale,
                             report_.result.mean_removed, max_solution_, backend_, bar,
                             [&](Index first, Index count) { inside.take(backend_.solution(), first, count); });
        if (has_free_faces())
            if (const double found = freeness(report_.problem, inside.data(), max_solution_, faces_->data());
                found == found)
                report_.freeness = found;
        report_.mean_relative = relative_mean(report_.result.mean_removed, report_.residual->max_rhs);
        if (report_.result.singular) warn(report_.residual->max_rest);
        report_.seconds.verify += watch.seconds();
        judge();
    }

    /// Written so that what is not a number is inaccurate, too.
    void judge() {
        std::string what;
        if (const double backward = report_.residual->backward; !(backward <= report_.tolerance))
            what = "the backward error " + brief(backward);
        else if (report_.freeness.value_or(0.0) > report_.tolerance)
            what =
                "the values on free faces are not those of empty space: their freeness " + brief(*report_.freeness);
        else
            return;
        report_.status = exit_code(ErrorCode::inaccurate);
        report_.message = what + " is above the tolerance " + brief(report_.tolerance) +
                          why_inaccurate(max_solution_, range_, report_.precision) +
                          "; the solution was written all the same";
    }

    const SolveOptions& options_;
    const Reporting& reporting_;
    SolveBackend<T>& backend_;
    SolveOutputs<T>& outputs_;
    const BoundaryValues<T>& boundary_;
    Range range_;
    const FieldReader& reader_;
    const RightHandSide& one_;
    SolveReport& report_;
    std::optional<FacesAfterSolve<T>> faces_;
    double max_rhs_ = 0.0, max_solution_ = 0.0;
    double least_ = std::numeric_limits<double>::infinity(), greatest_ = -least_;  ///< of S f, if judges_mean()
};

}  // namespace poisson3d::app
