// The words of `bench solve` as values.
#include "command_line/words.hpp"

namespace poisson3d::app {

namespace {

/// One of each kind of transform, those of the two ends of an axis that differ, and what channels and ducts have.
const std::vector<std::string> all_mixes{
    "dirichlet",
    "neumann",
    "dirichlet:neumann",
    "periodic",
    "periodic,periodic,dirichlet",
    "periodic,dirichlet,neumann",
};

std::vector<std::string> boundaries(const Words& words) {
    if (words.boundaries.empty()) return {"dirichlet"};
    std::vector<std::string> list;
    for (const std::string& boundary : words.boundaries) {
        if (boundary == "all") {
            list.insert(list.end(), all_mixes.begin(), all_mixes.end());
            continue;
        }
        parse_boundaries("--boundary", boundary);
        list.push_back(boundary);
    }
    return list;
}

std::vector<PerAxis<Centering>> centerings(const Words& words) {
    std::vector<PerAxis<Centering>> list;
    for (const std::string& centering : words.centerings)
        list.push_back(parse_centerings("--centering", centering));
    if (list.empty()) list.push_back(parse_centerings("--centering", "cell"));
    return list;
}

}  // namespace

BenchSolveOptions bench_solve_options(const Words& words) {
    BenchSolveOptions options;
    options.points = parse_list("--points", words.points.value_or("64,128,256"), parse_points);
    options.boundaries = boundaries(words);
    options.centerings = centerings(words);
    options.precisions = parse_list("--precision", words.precision.value_or("double"), parse_precision);
    options.problem = problem_options(words);
    options.solver = solver_options(words);
    options.device_given = words.device.has_value();
    if (words.batch) options.solver.batch = parse_count("--batch", *words.batch);
    if (words.repeat) options.repeat = parse_count("--repeat", *words.repeat);
    return options;
}

}  // namespace poisson3d::app
