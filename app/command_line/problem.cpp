#include "command_line/problem.hpp"

#include <string>
#include <vector>

namespace poisson3d::app {

namespace {

template <class Value>
std::array<std::optional<Value>, 3> said(const std::optional<PerAxis<Value>>& option,
                                         const std::array<char, 3>& labels) {
    return option ? option->resolve(labels) : std::array<std::optional<Value>, 3>{};
}

[[noreturn]] void missing(const FieldHeader& header, const char* what, const char* option, const char* example,
                          char label) {
    const std::string lacks = header.format == "HDF5" ? header.dataset + " has no attribute '" + what + "'"
                                                      : "a file of format " + header.format + " has no " + what;
    throw Error(ErrorCode::data, header.path + ": " + lacks + " and the options leave axis " + label +
                                     " open; it is never guessed: give it with " + option + ", for example " +
                                     option + " " + example);
}

/// Positions, and what stands for them where one spacing and one origin are shown.
void place(Axis& axis, const std::vector<double>& positions) {
    axis.positions = positions;
    axis.origin = positions.front();
    axis.spacing = axis.step();
}

/// Everything but the spacing.
Grid lay_out(const FieldHeader& header, const ProblemOptions& options) {
    Grid grid;
    grid.labels = header.labels;
    const auto boundary = said(options.boundary, header.labels);
    const auto centering = said(options.centering, header.labels);
    const auto origin = said(options.origin, header.labels);
    for (std::size_t a = 0; a < 3; ++a) {
        Axis& axis = grid.axes[a];
        axis.points = header.points[a];
        axis.origin = origin[a].value_or(header.origin[a]);
        axis.centering = centering[a].value_or(header.centering[a]);
        if (!boundary[a] && !header.boundary)
            missing(header, "boundary", "--boundary", "dirichlet", header.labels[a]);
        Walls walls = boundary[a] ? *boundary[a] : Walls{(*header.boundary)[a], {}};
        for (std::size_t side = 0; side < 2; ++side) {
            if (walls.faces[side] != Boundary::robin || walls.robin[side]) continue;
            walls.robin[side] = header.robin[a][side];
            if (walls.robin[side] || header.path.empty()) continue;
            const std::string attribute =
                std::string("robin_") + header.labels[a] + (side == 0 ? "_lower" : "_upper");
            missing(header, attribute.c_str(), "--boundary", "robin:1:0.5", header.labels[a]);
        }
        give_faces(axis, walls);
    }
    return grid;
}

Problem finish(const Grid& grid, double helmholtz, const ProblemOptions& options) {
    Problem problem{grid,
                    options.discretization.value_or(Discretization::second_order),
                    options.helmholtz.value_or(helmholtz),
                    {}};
    if (options.gauge) problem.gauge = choose_gauge("--gauge", *options.gauge, problem);
    validate(problem);
    return problem;
}

}  // namespace

Problem build_problem(const FieldHeader& header, const ProblemOptions& options) {
    Grid grid = lay_out(header, options);
    const auto spacing = said(options.spacing, header.labels);
    for (std::size_t a = 0; a < 3; ++a) {
        grid.axes[a].custom = header.coefficients[a];
        if (!spacing[a] && !header.positions[a].empty()) {
            place(grid.axes[a], header.positions[a]);
            continue;
        }
        if (!spacing[a] && !header.spacing)
            missing(header, "spacing", "--spacing", "0.1,0.1,0.1", header.labels[a]);
        Axis& axis = grid.axes[a];
        axis.spacing = spacing[a] ? *spacing[a] : (*header.spacing)[a];
        if (header.origin_is_point && axis.centering == Centering::cell) axis.origin -= 0.5 * axis.spacing;
    }
    try {
        return finish(grid, header.helmholtz, options);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::data) throw;
        throw Error(ErrorCode::data, header.path + ": " + error.what());
    }
}

Problem build_problem(const Extents& points, const std::string& default_boundary, double default_length,
                      const ProblemOptions& options) {
    try {
        FieldHeader header;
        header.points = points;
        const auto defaults = parse_boundaries("--boundary", default_boundary).resolve(header.labels);
        header.boundary.emplace();
        const Walls dirichlet{{Boundary::dirichlet, Boundary::dirichlet}, {}};
        for (std::size_t a = 0; a < 3; ++a) {
            const Walls walls = defaults[a].value_or(dirichlet);
            (*header.boundary)[a] = walls.faces;
            header.robin[a] = walls.robin;
        }
        Grid grid = lay_out(header, options);
        const auto spacing = said(options.spacing, header.labels);
        const auto length = said(options.length, header.labels);
        const auto stretch = said(options.stretch, header.labels);
        for (std::size_t a = 0; a < 3; ++a) {
            Axis& axis = grid.axes[a];
            axis.spacing = 1.0;
            if (axis.points < fewest_points(axis)) validate(grid);  // says so; below it would divide by nothing
            // With spacing 1 the length counts the intervals of the axis.
            axis.spacing = spacing[a] ? *spacing[a] : length[a].value_or(default_length) / axis.length();
            if (stretch[a]) place(axis, stretched(axis, *stretch[a]));
        }
        return finish(grid, 0.0, options);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::data) throw;
        throw Error(ErrorCode::usage, error.what());
    }
}

}  // namespace poisson3d::app
