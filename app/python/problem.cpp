#include "problem.hpp"

#include "command_line/spec.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::python {

namespace {

template <class Value>
std::array<Value, 3> all_axes(const std::string& argument, const app::PerAxis<Value>& spec, const Grid& grid) {
    const auto found = spec.resolve(grid.labels);
    std::array<Value, 3> values{};
    for (std::size_t a = 0; a < 3; ++a) {
        if (!found[a])
            throw Error(ErrorCode::usage, argument + ": nothing is said of axis " + grid.labels[a] +
                                              ", wanted one value for all axes or one for each");
        values[a] = *found[a];
    }
    return values;
}

}  // namespace

Problem make_problem(const Arguments& arguments) {
    Problem problem;
    Grid& grid = problem.grid;
    const auto spacing = all_axes("spacing", app::parse_lengths("spacing", arguments.spacing), grid);
    const auto boundary = all_axes("boundary", app::parse_boundaries("boundary", arguments.boundary), grid);
    const auto centering = all_axes("centering", app::parse_centerings("centering", arguments.centering), grid);
    const auto origin = all_axes("origin", app::parse_numbers("origin", arguments.origin), grid);
    for (std::size_t a = 0; a < 3; ++a) {
        grid.axes[a] = {arguments.shape[a], spacing[a], origin[a], centering[a]};
        app::give_faces(grid.axes[a], boundary[a]);
        grid.axes[a].positions = arguments.positions[a];
        grid.axes[a].widths = arguments.widths[a];
        grid.axes[a].custom = {arguments.conductances[a], arguments.weights[a]};
    }
    problem.discretization = app::NameOf{Discretization::second_order, Discretization::spectral}(
        "discretization", arguments.discretization);
    problem.helmholtz = arguments.helmholtz;
    if (!arguments.gauge.empty())
        problem.gauge = app::choose_gauge("gauge", app::parse_gauge("gauge", arguments.gauge), problem);
    validate(problem);
    return problem;
}

Options make_options(const Arguments& arguments) {
    Options options;
    options.engine =
        app::NameOf{Engine::automatic, Engine::host, Engine::cufft, Engine::fused}("engine", arguments.engine);
    options.memory =
        app::NameOf{Memory::automatic, Memory::fast, Memory::standard, Memory::low}("memory", arguments.memory);
    options.middle =
        app::NameOf{Middle::automatic, Middle::transform, Middle::eliminate}("middle", arguments.middle);
    options.threads = arguments.threads;
    options.device = arguments.device;
    options.batch = arguments.batch;
    return options;
}

}  // namespace poisson3d::python
