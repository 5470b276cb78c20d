// poisson3d --input: read, plan, solve, write, verify. One field, in which the solution takes the place of the
// right-hand side, beside the workspace of the plan, in host memory or in that of a GPU; what else is needed comes
// in slabs or after something went.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "poisson3d/field_file.hpp"
#include "poisson3d/free_space.hpp"
#include "poisson3d/text.hpp"
#include "process/machine.hpp"
#include "reporting/outcome.hpp"
#include "reporting/progress.hpp"
#include "reporting/report.hpp"
#include "reporting/table.hpp"
#include "solving/boundary_values.hpp"
#include "solving/checks.hpp"
#include "solving/free_space.hpp"
#include "solving/from_input.hpp"
#include "solving/gradient.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"
#include "solving/solve_outputs.hpp"
#include "solving/timing.hpp"
#include "solving/variable_backend.hpp"
#include "solving/verify.hpp"

namespace poisson3d::app {

namespace {

/// The work on fields of one precision. Steps in order; each leaves its times in the report.
template <class T>
class Run {
public:
    Run(const SolveOptions& options, const Reporting& reporting, Ranks& ranks, const FieldReader& reader,
        const Problem& problem)
        : options_(options),
          reporting_(reporting),
          ranks_(ranks),
          reader_(reader),
          outputs_(options, reporting, problem.grid, reader.header()),
          boundary_(reader, problem) {
        report_.input = options.input;
        report_.dataset = reader.header().dataset;
        report_.notes = reader.header().notes;
        report_.units = units_of_solution(reader.header(), options.scale);
        report_.output = options.output;
        report_.boundary_values = reader.header().boundary_values;
        report_.preview = options.preview;
        report_.vtk = options.vtk;
        report_.problem = problem;
        report_.scale = options.scale;
        report_.precision = mixed() ? "mixed" : sizeof(T) == 8 ? "double" : "single";
        report_.tolerance = options.tolerance.value_or(!variable()      ? 64.0 * std::numeric_limits<T>::epsilon()
                                                       : sizeof(T) == 4 ? 1e-5
                                                                        : 1e-8);
    }

    Outcome run() {
        check();
        plan();
        outputs_.require_space();  // after plan(), so that missing memory is named first
        read();
        solve();
        judge_mean();
        if (!reporting_.quiet || !reporting_.json.empty()) measure_copies();
        write();
        take_faces();
        // Before verifying, which may give up the solution.
        outputs_.differentiate(*backend_, faces_->data(), report_);
        outputs_.write_for_vtk(*backend_, report_);
        compare();
        outputs_.draw(*backend_, reader_, report_);
        verify();
        stop_if_interrupted();
        reader_.require_unchanged();  // comparing, drawing and verifying read again
        std::vector<OutputFile> files = outputs_.finish(report_);
        return {.status = report_.status,
                .text = to_table(report_, reporting_.verbose),
                .message = report_.message,
                .warning = report_.warning,
                .json = json_text(report_),
                .outputs = std::move(files)};
    }

private:
    [[nodiscard]] bool mixed() const { return options_.precision == Precision::mixed; }

    [[nodiscard]] bool variable() const { return reader_.header().has_coefficient; }

    [[nodiscard]] bool spectral() const { return report_.problem.discretization == Discretization::spectral; }
    [[nodiscard]] bool has_free_faces() const { return unbounded_axes(report_.problem.grid) > 0; }

    /// What the solver finds on free faces is a boundary value of what comes after it.
    [[nodiscard]] bool wants_faces() const {
        return has_free_faces() && !spectral() && (options_.gradient || !options_.no_verify);
    }

    /// Each rank is one; a method is one of members.
    [[nodiscard]] int members() const {
        if (ranks_.size() > 1) return ranks_.size();
        const int in_grid = options_.decomposition ? std::max(1, options_.decomposition->members()) : 0;
        return options_.members.value_or(options_.method ? std::max(1, in_grid) : in_grid);
    }

    void check() {
        if (options_.gradient && spectral() && has_free_faces())
            throw Error(ErrorCode::unsupported,
                        "--gradient: found free faces and --discretization spectral, whose gradient takes the box "
                        "for all there is; wanted second-order");
        if (!std::isfinite(static_cast<T>(options_.scale)))
            throw Error(ErrorCode::usage, "--scale: found " + format_number(options_.scale) +
                                              ", which single precision cannot hold: use --precision double");
        if (options_.members && ranks_.size() > 1 && *options_.members != ranks_.size())
            throw Error(ErrorCode::usage, "--members: found " + std::to_string(*options_.members) + ", but of " +
                                              std::to_string(ranks_.size()) +
                                              " ranks each is a member; leave the option out");
        if (options_.device && members() > 0)
            throw Error(ErrorCode::unsupported,
                        "--device names a GPU, and members that share a box solve on processors: leave it out");
        if (variable()) require_variable();
        if (options_.exact.empty()) return;
        // One plane shows now whether the data set is there and fits, instead of after the solve.
        const Extents points = report_.problem.grid.points();
        Field<double> plane({1, points[1], points[2]});
        reader_.read_from(options_.exact, 0, plane.view());
    }

    void require_variable() const {
        const std::string found = mixed() ? "--precision mixed, wanted double or single"
                                  : members() > 0
                                      ? "members that share the box, wanted one process and no --members"
                                      : "";
        if (!found.empty())
            throw Error(ErrorCode::unsupported, options_.input +
                                                    ": /coefficient makes the problem one with a "
                                                    "variable coefficient: found " +
                                                    found);
        if (report_.tolerance == 0.0)
            throw Error(ErrorCode::usage, "--tolerance: found 0, wanted above 0: conjugate gradients end there");
    }

    /// Before anything is read, so that missing memory costs nothing.
    void plan() {
        const Stopwatch watch;
        SolveTask task{report_.problem, options_.solver};
        task.read_planes = reader_.planes_per_slab();
        task.write_planes = planes_of(report_.problem.grid.points(), sizeof(T));
        task.mixed = mixed();
        task.faces = wants_faces();
        if (members() > 0)
            task.shape = options_.decomposition.value_or(MemberGrid{})
                             .decomposition(report_.problem.grid.points(), members())
                             .shape();
        task.method = options_.method.value_or(Method::automatic);
        task.keep = !options_.no_verify || !options_.exact.empty() || outputs_.take_solution();
        task.apply = !options_.no_verify && spectral() && !has_free_faces();
        if (options_.gradient) task.extra_bytes = gradient_bytes<T>(report_.problem);
        ChosenBackend<T> chosen;
        if (variable())
            chosen.backend = std::make_unique<VariableBackend<T>>(
                task, boundary_.data(), report_.tolerance,
                [this](Index first, FieldView<T> planes) { reader_.read_from("/coefficient", first, planes); },
                report_.variable.emplace());
        else
            chosen = choose_backend(ranks_, task, boundary_.data());
        backend_ = std::move(chosen.backend);
        const Planned plan = backend_->planned();
        report_.seconds.plan = watch.seconds();
        report_.engine = plan.engine;
        report_.device = device_name(plan.engine, options_.solver.device);
        report_.fallback =
            chosen.fallback.empty() ? fallback_reason(options_.solver.engine, plan.engine) : chosen.fallback;
        report_.plan = plan.description;
        report_.memory = plan.memory;
        report_.workspace = plan.workspace;
        report_.refinements = plan.refinements;
        report_.members = plan.members;
        range_ = plan.range;
    }

    void read() {
        const Stopwatch watch;
        ProgressBar bar(reporting_.progress, "reading");
        std::optional<SourceMeter> meter;
        if (has_free_faces()) meter.emplace(report_.problem, options_.scale, boundary_.in_double());
        backend_->read([&](Index first, FieldView<T> slab) {
            reader_.read(first, slab);
            max_rhs_ = std::max(max_rhs_, largest_rhs(report_.problem.grid, boundary_.in_double(), options_.scale,
                                                      first, FieldView<const T>(slab)));
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
        const Solved solved = backend_->solve(static_cast<T>(options_.scale));
        report_.result = solved.result;
        report_.seconds.solve = solved.seconds;
        report_.passes = solved.passes;
        report_.plan = backend_->planned().description;  // with what the coefficient has chosen
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
        return singular(report_.problem) && (options_.strict || options_.no_verify);
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
        if (report_.memory == Memory::low) return;  // which says that there is no second field to copy to
        const double seconds = backend_->copy_seconds();
        if (seconds > 0.0) report_.copies = report_.seconds.solve / seconds;
    }

    void write() {
        max_solution_ = outputs_.write(*backend_, report_);
        const bool may_vanish = max_rhs_ == 0.0 || singular(report_.problem);
        require_solution_in_range(max_solution_, may_vanish, range_, report_.precision);
    }

    void take_faces() {
        faces_.emplace(report_.problem.grid, wants_faces() ? backend_->faces(boundary_.data()) : boundary_.data(),
                       boundary_.in_double());
    }

    void compare() {
        if (options_.exact.empty()) return;
        const Stopwatch watch;
        report_.error = compare_exact(reader_, options_.exact, report_.problem, *backend_);
        report_.seconds.verify = watch.seconds();
    }

    void verify() {
        if (options_.no_verify || variable()) return;
        report_.verified = true;
        if (has_free_faces() && spectral()) return;
        const Stopwatch watch;
        ProgressBar bar(reporting_.progress, "verifying");
        if (has_free_faces())
            if (const double found = freeness(report_.problem, backend_->solution(), faces_->data());
                found == found)
                report_.freeness = found;
        report_.residual = measure_residual(reader_, report_.problem, faces_->in_double(), options_.scale,
                                            report_.result.mean_removed, max_solution_, *backend_, bar);
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
    Ranks& ranks_;
    const FieldReader& reader_;
    SolveOutputs<T> outputs_;
    BoundaryValues<T> boundary_;  ///< read before the field: it is small, and may be refused
    SolveReport report_;
    std::unique_ptr<SolveBackend<T>> backend_;
    std::optional<FacesAfterSolve<T>> faces_;
    Range range_;  ///< of what follows
    double max_rhs_ = 0.0, max_solution_ = 0.0;
    double least_ = std::numeric_limits<double>::infinity(), greatest_ = -least_;  ///< of S f, if judges_mean()
};

}  // namespace

Outcome run_solve(const SolveOptions& options, const Reporting& reporting, Ranks& ranks) {
    const FieldReader reader(options.input, {.dataset = options.dataset,
                                             .exact = options.exact,
                                             .allow_fill = options.allow_fill,
                                             .outputs = {{"--output", options.output},
                                                         {"--preview", options.preview},
                                                         {"--vtk", options.vtk},
                                                         {"--json", reporting.json}}});
    if (!options.output_named) refuse_other_dataset(options.output, reader.header().dataset);
    const Problem problem = build_problem(reader.header(), options.problem);
    if (options.device) require_device(options.solver.device);
    const bool wide = options.precision ? *options.precision != Precision::single_precision
                                        : reader.header().type_bytes > static_cast<int>(sizeof(float));
    return wide ? Run<double>(options, reporting, ranks, reader, problem).run()
                : Run<float>(options, reporting, ranks, reader, problem).run();
}

}  // namespace poisson3d::app
