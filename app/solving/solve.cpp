// poisson3d --input: plan, then read, solve, write and verify one right-hand side after the other. One field, in
// which the solution takes the place of the right-hand side, beside the workspace of the plan, in host memory or in
// that of a GPU; what else is needed comes in slabs or after something went.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "poisson3d/field_file.hpp"
#include "poisson3d/free_space.hpp"
#include "poisson3d/text.hpp"
#include "process/machine.hpp"
#include "process/out_of_memory.hpp"
#include "reporting/outcome.hpp"
#include "reporting/report.hpp"
#include "reporting/table.hpp"
#include "solving/boundary_values.hpp"
#include "solving/from_input.hpp"
#include "solving/gradient.hpp"
#include "solving/right_hand_sides.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"
#include "solving/solve_outputs.hpp"
#include "solving/solve_step.hpp"
#include "solving/timing.hpp"
#include "solving/variable_backend.hpp"

namespace poisson3d::app {

namespace {

/// The work on fields of one precision.
template <class T>
class Run {
public:
    Run(const SolveOptions& options, const Reporting& reporting, Ranks& ranks, RightHandSides& sides,
        const Problem& problem)
        : options_(options),
          reporting_(reporting),
          ranks_(ranks),
          sides_(sides),
          outputs_(options, reporting, problem.grid, sides),
          boundary_(sides.reader(), problem) {
        report_.input = options.input;
        report_.dataset = sides.dataset();
        report_.notes = sides.header().notes;
        report_.units = units_of_solution(sides.header(), options.scale);
        report_.output = options.output;
        report_.boundary_values = sides.header().boundary_values;
        report_.preview = options.preview;
        report_.vtk = options.vtk;
        report_.problem = problem;
        report_.scale = options.scale;
        report_.precision = mixed() ? "mixed" : sizeof(T) == 8 ? "double" : "single";
        report_.tolerance = options.tolerance.value_or(!variable()      ? 64.0 * std::numeric_limits<T>::epsilon()
                                                       : sizeof(T) == 4 ? 1e-5
                                                                        : 1e-8);
        if (sides.many() && options.step) report_.steps_chosen = options.step->text;
    }

    Outcome run() {
        check();
        plan();
        outputs_.require_space();  // after plan(), so that missing memory is named first
        const double planning = report_.seconds.plan;
        for (const RightHandSide& one : sides_.all()) solve(one);
        report_.seconds.plan = planning;
        if (sides_.many()) sum_up();
        std::vector<OutputFile> files = outputs_.finish(*backend_, report_);
        return {.status = report_.status,
                .text = to_table(report_, reporting_.verbose),
                .message = report_.message,
                .warning = report_.warning,
                .json = json_text(report_),
                .outputs = std::move(files)};
    }

private:
    [[nodiscard]] bool mixed() const { return options_.precision == Precision::mixed; }

    [[nodiscard]] bool variable() const { return sides_.header().variable.any(); }

    [[nodiscard]] bool spectral() const { return report_.problem.discretization == Discretization::spectral; }
    [[nodiscard]] bool has_free_faces() const { return unbounded_axes(report_.problem.grid) > 0; }

    /// Each rank is one, or each GPU; a method is one of members.
    [[nodiscard]] int members() const {
        if (ranks_.size() > 1) return ranks_.size();
        if (!options_.devices.empty()) return static_cast<int>(options_.devices.size());
        const int in_grid = options_.decomposition ? std::max(1, options_.decomposition->members()) : 0;
        return options_.members.value_or(options_.method ? std::max(1, in_grid) : in_grid);
    }

    [[nodiscard]] MemberGrid member_grid() const { return options_.decomposition.value_or(MemberGrid{}); }

    void check() {
        if (!std::isfinite(static_cast<T>(options_.scale)))
            throw Error(ErrorCode::usage, "--scale: found " + format_number(options_.scale) +
                                              ", which single precision cannot hold: use --precision double");
        if (options_.members && ranks_.size() > 1 && *options_.members != ranks_.size())
            throw Error(ErrorCode::usage, "--members: found " + std::to_string(*options_.members) + ", but of " +
                                              std::to_string(ranks_.size()) +
                                              " ranks each is a member; leave the option out");
        if (!options_.devices.empty() && ranks_.size() > 1)
            throw Error(ErrorCode::unsupported,
                        "--devices is of one process that has all GPUs: found " + std::to_string(ranks_.size()) +
                            " ranks, which have a GPU each by --engine fused; start one, or leave the option out");
        if (options_.device && members() > 0)
            throw Error(ErrorCode::unsupported,
                        "--device names one GPU for all of the box, of which members have parts: leave it out");
        if (sides_.all().size() > 1 && (!options_.preview.empty() || !options_.vtk.empty()))
            throw Error(ErrorCode::usage, (options_.preview.empty() ? "--vtk: found " : "--preview: found ") +
                                              std::to_string(sides_.all().size()) +
                                              " right-hand sides, wanted one, which --step or --dataset chooses");
        if (options_.disk || options_.max_memory > 0) require_one_process();
        if (variable()) require_variable();
        if (options_.exact.empty()) return;
        // One plane shows now whether the data set is there and fits, instead of after the solve.
        const Extents points = report_.problem.grid.points();
        Field<double> plane({1, points[1], points[2]});
        sides_.reader().read_from(sides_.all().front().exact, 0, plane.view());
    }

    void require_one_process() const {
        const std::string option = options_.disk ? "--memory disk" : "--max-memory";
        if (members() > 0)
            throw Error(ErrorCode::unsupported, option +
                                                    " is of one process that has all of the box: found members, "
                                                    "wanted none");
    }

    void require_variable() const {
        const std::string found = options_.disk ? "--memory disk, wanted another, since it is solved in memory"
                                  : mixed()     ? "--precision mixed, wanted double or single"
                                  : members() > 0
                                      ? "members that share the box, wanted one process and no --members"
                                      : "";
        if (!found.empty())
            throw Error(ErrorCode::unsupported,
                        options_.input + (sides_.header().variable.helmholtz ? ": /lambda" : ": /coefficient") +
                            " makes the problem one with a variable coefficient: found " + found);
        if (sides_.header().variable.helmholtz && options_.problem.helmholtz)
            throw Error(ErrorCode::usage, options_.input + ": /lambda says λ at every point: found --helmholtz " +
                                              format_number(*options_.problem.helmholtz) + ", wanted none");
        if (report_.tolerance == 0.0)
            throw Error(ErrorCode::usage, "--tolerance: found 0, wanted above 0: conjugate gradients end there");
    }

    /// What varies, by the names that the file has for it.
    [[nodiscard]] VariableSource<T> variable_source() {
        const auto read = [this](const std::string& dataset) {
            return [this, dataset](Index first, FieldView<T> planes) {
                sides_.reader().read_from(dataset, first, planes);
            };
        };
        const FieldHeader& header = sides_.header();
        VariableSource<T> source;
        if (header.variable.at_points) source.at_points = read("/coefficient");
        for (std::size_t a = 0; header.variable.on_faces && a < 3; ++a)
            source.on_faces[a] = read(std::string("/coefficient/") + header.labels[a]);
        if (header.variable.helmholtz) source.helmholtz = read("/lambda");
        source.changes = header.variable.stepped;
        source.where = printable_name(header.path);
        return source;
    }

    /// Before anything is read, so that missing memory costs nothing.
    void plan() {
        const Stopwatch watch;
        SolveTask task{report_.problem, options_.solver};
        task.read_planes = sides_.reader().planes_per_slab();
        task.write_planes = planes_of(report_.problem.grid.points(), sizeof(T));
        task.mixed = mixed();
        task.faces = needs_faces(options_, report_.problem);
        if (members() > 0)
            task.shape = member_grid().decomposition(report_.problem.grid.points(), members()).shape();
        task.devices = options_.devices;
        task.method = options_.method.value_or(Method::automatic);
        task.max_memory = options_.max_memory;
        task.disk = options_.disk;
        task.output = options_.output;
        task.scale = options_.scale;
        task.keep = !options_.no_verify || !options_.exact.empty() || outputs_.take_solution();
        task.apply = !options_.no_verify && spectral() && !has_free_faces();
        if (options_.gradient) task.extra_bytes = gradient_bytes<T>(report_.problem, options_.solver.threads);
        ChosenBackend<T> chosen;
        if (variable())
            chosen.backend =
                std::make_unique<VariableBackend<T>>(task, boundary_.data(), report_.tolerance, variable_source());
        else
            chosen = choose_backend(ranks_, task, boundary_.data());
        backend_ = std::move(chosen.backend);
        backend_->use_output([this](Index first, FieldView<T> planes) { outputs_.read_back(first, planes); });
        const Planned plan = backend_->planned();
        report_.seconds.plan = watch.seconds();
        report_.engine = plan.engine;
        report_.device = options_.devices.empty() ? device_name(plan.engine, options_.solver.device)
                                                  : device_names(options_.devices);
        report_.fallback =
            chosen.fallback.empty() ? fallback_reason(options_.solver.engine, plan.engine) : chosen.fallback;
        report_.plan = plan.description;
        report_.memory = plan.memory;
        report_.workspace = plan.workspace;
        report_.refinements = plan.refinements;
        report_.members = plan.members;
        report_.disk = plan.disk;
        range_ = plan.range;
        if (plan.disk && !reporting_.quiet)
            write_line(warning_of(*plan.disk, static_cast<Index>(sides_.all().size())).c_str());
    }

    /// Complaints name it, where there are many.
    void solve(const RightHandSide& one) {
        StepReport& report = report_;
        report = {};
        if (sides_.many()) report.name = one.name;
        report.step = one.step;
        report.dataset = one.dataset;
        report.solution = outputs_.begin(one);
        try {
            const Solving<T> solving{options_, reporting_, *backend_, outputs_, boundary_, range_};
            SolveStep<T>(solving, sides_.open(one), one, report_).run();
        } catch (const OutputIsInput&) {
            throw;
        } catch (const Error& error) {
            if (!sides_.many()) throw;
            throw Error(error.code(), one.name + ": " + error.what());
        }
        outputs_.describe(report_);
        if (sides_.many()) report_.steps.push_back(report_);
    }

    void sum_up() {
        report_.dataset = sides_.dataset();
        app::sum_up(report_);
    }

    const SolveOptions& options_;
    const Reporting& reporting_;
    Ranks& ranks_;
    RightHandSides& sides_;
    SolveOutputs<T> outputs_;
    BoundaryValues<T> boundary_;  ///< read before the field: it is small, and may be refused
    SolveReport report_;
    std::unique_ptr<SolveBackend<T>> backend_;
    Range range_;  ///< of what follows
};

}  // namespace

Outcome run_solve(const SolveOptions& options, const Reporting& reporting, Ranks& ranks) {
    RightHandSides sides(options, reporting);
    if (!options.output_named) refuse_other_dataset(options.output, sides.dataset());
    const FieldHeader header = sides.header();
    const Problem problem = build_problem(header, options.problem);
    if (options.device) require_device(options.solver.device);
    if (!options.devices.empty() && ranks.size() == 1) require_devices(options.devices);
    const bool wide = options.precision ? *options.precision != Precision::single_precision
                                        : header.type_bytes > static_cast<int>(sizeof(float));
    return wide ? Run<double>(options, reporting, ranks, sides, problem).run()
                : Run<float>(options, reporting, ranks, sides, problem).run();
}

}  // namespace poisson3d::app
