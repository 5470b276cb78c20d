// poisson3d make: files with right-hand sides whose solution is known.
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "poisson3d/field_file.hpp"
#include "poisson3d/known_fields.hpp"
#include "poisson3d/residual.hpp"
#include "poisson3d/text.hpp"
#include "process/version.hpp"
#include "reporting/outcome.hpp"
#include "reporting/progress.hpp"
#include "reporting/report.hpp"
#include "reporting/table.hpp"
#include "solving/slabs.hpp"

namespace poisson3d::app {

namespace {

Problem problem_to_make(const MakeOptions& options, const KnownField& field) {
    const double length = field.name == "taylor-green" ? 2.0 * std::numbers::pi : 1.0;
    const Problem problem = build_problem(options.points, field.boundary, length, options.problem);
    if (field.any_boundary) return problem;
    ProblemOptions own = options.problem;
    own.boundary.reset();
    if (build_problem(options.points, field.boundary, length, own).grid != problem.grid)
        throw Error(ErrorCode::usage, "--boundary: the formula of " + field.name + " has boundary " +
                                          field.boundary +
                                          " and no other; choose another field or leave the option out");
    return problem;
}

/// Formulas are evaluated slab by slab: the file may be larger than the memory.
template <class T>
void write_formulas(const MakeOptions& options, const KnownField& field, const Problem& problem,
                    FieldWriter& writer, ProgressBar& bar) {
    const Extents points = problem.grid.points();
    const Index step = planes_of(points, sizeof(T));
    const Extents shape{step, points[1], points[2]};
    Field<T> rhs(shape);
    Field<T> exact(field.has_exact ? shape : Extents{});
    writer.create<T>("/rhs", problem.grid, problem.helmholtz);
    if (field.has_exact) writer.create<T>("/exact", problem.grid, problem.helmholtz);
    for_each_slab(points[0], step, [&](Index first, Index count) {
        const FieldView<T> f = rhs.view().slab(0, count);
        const FieldView<T> u = field.has_exact ? exact.view().slab(0, count) : FieldView<T>();
        fill_known_field(field.name, problem, options.seed, first, f, u);
        writer.write("/rhs", first, FieldView<const T>(f));
        if (field.has_exact) writer.write("/exact", first, FieldView<const T>(u));
        bar.update(first + count, points[0]);
    });
}

bool on_dirichlet_node(const Axis& axis, Index j) {
    return axis.centering == Centering::node && ((j == 0 && axis.lower == Boundary::dirichlet) ||
                                                 (j == axis.points - 1 && axis.upper == Boundary::dirichlet));
}

/// The u of a discrete problem: the formula where there is one, else noise; 0 at Dirichlet nodes; rounded to the
/// precision of the file, since the right-hand side shall belong to the very numbers that are stored.
template <class T>
Field<double> discrete_solution(const MakeOptions& options, const KnownField& field, const Problem& problem) {
    const Grid& grid = problem.grid;
    Field<double> u(grid.points());
    for_each_slab(u.extents()[0], planes_of(u.extents(), sizeof(double)), [&](Index first, Index count) {
        const FieldView<double> slab = u.view().slab(first, count);
        if (field.has_exact)
            fill_known_field(field.name, problem, options.seed, first, FieldView<double>(), slab);
        else
            fill_known_field(field.name, problem, options.seed, first, slab, FieldView<double>());
        for (Index i = 0; i < count; ++i)
            for (Index j = 0; j < slab.extents[1]; ++j)
                for (Index k = 0; k < slab.extents[2]; ++k) {
                    const bool fixed = on_dirichlet_node(grid.axes[0], first + i) ||
                                       on_dirichlet_node(grid.axes[1], j) || on_dirichlet_node(grid.axes[2], k);
                    slab(i, j, k) = fixed ? 0.0 : static_cast<double>(static_cast<T>(slab(i, j, k)));
                }
    });
    return u;
}

template <class T>
void write_rounded(FieldWriter& writer, const std::string& dataset, const Problem& problem,
                   const Field<double>& field, ProgressBar& bar) {
    const Extents points = field.extents();
    const Index step = planes_of(points, sizeof(T));
    Field<T> rounded({step, points[1], points[2]});
    writer.create<T>(dataset, problem.grid, problem.helmholtz);
    for_each_slab(points[0], step, [&](Index first, Index count) {
        const FieldView<const double> from = field.view().slab(first, count);
        const FieldView<T> to = rounded.view().slab(0, count);
        for (Index i = 0; i < from.size(); ++i) to.data[i] = static_cast<T>(from.data[i]);
        writer.write(dataset, first, FieldView<const T>(to));
        bar.update(first + count, points[0]);
    });
}

template <class T>
void write_discrete(const MakeOptions& options, const KnownField& field, const Problem& problem,
                    FieldWriter& writer, ProgressBar& bar) {
    Field<double> u = discrete_solution<T>(options, field, problem);
    Field<double> f(problem.grid.points());
    Options on_host;  // the fields are there, and the same file is made everywhere
    on_host.engine = Engine::host;
    if (problem.discretization == Discretization::second_order)
        apply_stencil<double>(problem, std::as_const(u).view(), f.view());
    else
        Solver<double>(problem, on_host).apply(std::as_const(u).view(), f.view());
    write_rounded<T>(writer, "/rhs", problem, f, bar);
    write_rounded<T>(writer, "/exact", problem, u, bar);
}

void write_boundary_data(const KnownField& field, const Problem& problem, FieldWriter& writer) {
    if (!field.has_boundary_data) return;
    const Extents points = problem.grid.points();
    for (int axis = 0; axis < 3; ++axis) {
        if (problem.grid.axes[static_cast<std::size_t>(axis)].periodic()) continue;
        for (int side = 0; side < 2; ++side)
            writer.write_boundary_values(face_name(problem.grid, axis, side), extents_of_face(points, axis),
                                         known_face_values(field.name, problem, axis, side));
    }
}

template <class T>
void write_fields(const MakeOptions& options, const KnownField& field, const Problem& problem, FieldWriter& writer,
                  ProgressBar& bar) {
    if (options.discrete)
        write_discrete<T>(options, field, problem, writer, bar);
    else
        write_formulas<T>(options, field, problem, writer, bar);
    write_boundary_data(field, problem, writer);
}

}  // namespace

Outcome run_make(const MakeOptions& options, const Reporting& reporting) {
    const KnownField& field = known_field(options.name);
    if (options.discrete && field.has_boundary_data)
        throw Error(ErrorCode::unsupported, "make " + field.name +
                                                " --discrete: the operator is applied to fields without boundary "
                                                "data, and this one has some; leave the option out, or make " +
                                                "mixed or random");
    const Problem problem = problem_to_make(options, field);
    if (options.discrete && unbounded_axes(problem.grid) > 0)
        throw Error(ErrorCode::unsupported,
                    "make --discrete: found free faces, beyond which the field would have to "
                    "go on; wanted walls or periodic axes, or no --discrete");
    const bool exact = field.has_exact || options.discrete;
    const std::string made_of = options.discrete ? std::string("the ") + name(problem.discretization) +
                                                       " operator applied to /exact, which is " + field.description
                                                 : field.description;
    FieldWriter writer(options.output);
    {
        ProgressBar bar(reporting.progress, "writing");
        if (options.precision == Precision::double_precision)
            write_fields<double>(options, field, problem, writer, bar);
        else
            write_fields<float>(options, field, problem, writer, bar);
    }
    writer.attributes("/rhs",
                      attribute_list(Attribute{"known_field", field.name}, Attribute{"description", made_of},
                                     Attribute{"seed", static_cast<long long>(options.seed)},
                                     Attribute{"program", version_text()}));
    writer.link_vtk(problem.grid,
                    exact ? std::vector<std::string>{"/rhs", "/exact"} : std::vector<std::string>{"/rhs"});
    std::vector<OutputFile> outputs;
    outputs.push_back(writer.finish());

    Table table;
    table.title("poisson3d " + version() + " · made " + options.output);
    table.line("equation", equation(problem.helmholtz, 1.0));
    table.line("field", field.name + ": " + made_of);
    table.line("points", dimensions(problem.grid.points()) + " = " + std::to_string(problem.grid.size()));
    add_box(table, problem.grid);
    table.line("data sets", std::string(exact ? "/rhs and /exact" : "/rhs") + ", " + name(options.precision) +
                                " precision" + (field.has_boundary_data ? ", and /boundary_values" : ""));
    return {.text = table.text(),
            .json = json_text(Json{{"status", 0},
                                   {"version", version()},
                                   {"revision", revision()},
                                   {"output", options.output},
                                   {"field", field.name},
                                   {"description", made_of},
                                   {"problem", to_json(problem, name(options.precision))},
                                   {"seed", static_cast<long long>(options.seed)},
                                   {"exact", exact},
                                   {"boundary_values", field.has_boundary_data}}),
            .outputs = std::move(outputs)};
}

}  // namespace poisson3d::app
