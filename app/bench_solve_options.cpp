// The words of `bench solve` as values.
#include "machine.hpp"
#include "peer.hpp"
#include "words.hpp"

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

std::string parse_peer(const std::string& option, const std::string& word) {
    std::vector<std::pair<std::string, std::string>> names{{every_peer, every_peer}};
    for (const PeerKind& peer : all_peers()) names.emplace_back(peer.name, peer.name);
    return choose<std::string>(option, word, names);
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
    if (options.solver.batch > 1 && words.compare)
        throw Error(ErrorCode::usage, "--compare measures one field at a time: leave out --batch");
    if (words.repeat) options.repeat = parse_count("--repeat", *words.repeat);
    if (!words.compare) return options;
    options.compare = parse_list("--compare", *words.compare, parse_peer);
    if (on_gpu(options.solver.engine) || words.device)
        throw Error(ErrorCode::usage, std::string("--compare measures on the processor and ") +
                                          (words.device ? "--device names a GPU"
                                                        : std::string("--engine ") + name(options.solver.engine) +
                                                              " solves on a GPU") +
                                          ": give --engine host with it");
    options.solver.engine = Engine::host;
    return options;
}

}  // namespace poisson3d::app
