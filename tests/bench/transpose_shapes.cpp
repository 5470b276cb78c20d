// Transposes on a GPU at shapes that nobody chose: random boxes in all orders of the axes, by the algorithms of the
// library and by kernels of other shapes, as fractions of a copy of the same size measured right before. Prints the
// worst and the median of each, and the shapes of the worst.
//
//     transpose_shapes --random 200 --seed 7 --element 4,8,16 --json shapes.json
//     transpose_shapes --squares 4001,5003,16383 --json squares.json
//     transpose_shapes --check        every kernel against the naive one, bit by bit, on small boxes
#include "transpose_shapes.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>

#include "poisson3d/device.hpp"

namespace poisson3d::test {

Permutation permutation_of(const std::string& order) {
    Permutation p{};
    for (int i = 0; i < 3; ++i) p[i] = order[static_cast<std::size_t>(i)] - 'x';
    return p;
}

std::string text(const Extents& e) {
    return std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]);
}

namespace {

/// Sides between 3 and 100 000, each uniform in its logarithm, with as many elements as asked for together.
std::vector<Extents> random_boxes(const ShapeOptions& options) {
    std::mt19937_64 bits(options.seed);
    const auto side = [&] {
        const double x = static_cast<double>(bits() >> 11) * 0x1p-53;
        return static_cast<Index>(std::exp(std::log(3.0) + x * std::log(1e5 / 3.0)));
    };
    std::vector<Extents> all;
    while (all.size() < static_cast<std::size_t>(options.random)) {
        const Extents e{side(), side(), side()};
        const double count = static_cast<double>(e[0]) * static_cast<double>(e[1]) * static_cast<double>(e[2]);
        if (count >= options.least && count <= options.greatest) all.push_back(e);
    }
    return all;
}

}  // namespace

std::vector<Extents> boxes(const ShapeOptions& options) {
    if (options.random > 0) return random_boxes(options);
    std::vector<Extents> all;
    for (const std::string& p : options.points) {
        Extents e{};
        if (std::sscanf(p.c_str(), "%lldx%lldx%lld", reinterpret_cast<long long*>(&e[0]),
                        reinterpret_cast<long long*>(&e[1]), reinterpret_cast<long long*>(&e[2])) == 1)
            e[1] = e[2] = e[0];
        all.push_back(e);
    }
    return all;
}

TransposeProblem dense(const Extents& e, const std::string& order, int element) {
    const Permutation p = permutation_of(order);
    return {e, dense_strides(e), dense_strides(permute(e, p)), p, element};
}

std::vector<Candidate> candidates(const ShapeOptions& options, const TransposeProblem& problem) {
    std::vector<Candidate> all;
    for (const std::string& word : options.algorithms) {
        const std::size_t slash = word.find('/');  // banded/1: in bands of 1
        TransposeOptions chosen{Backend::cuda, parse_algorithm(word.substr(0, slash))};
        if (slash != std::string::npos) chosen.band = std::stoll(word.substr(slash + 1));
        auto plan = std::make_shared<Transpose>(problem, chosen);
        all.push_back({word, [plan](const void* in, void* out) { plan->execute(in, out); }});
    }
    if (options.variants)
        for (Candidate& c : shape_candidates(problem)) all.push_back(std::move(c));
    return all;
}

namespace {

int run(const ShapeOptions& options) {
    if (options.check) return check_kernels(options);
    const DeviceList list = find_devices();
    std::printf("%s\n", list.devices.front().name.c_str());
    if (options.squares.empty() && options.cubes.empty() && options.rectangles == 0 && !options.in_place)
        measure_boxes(options);
    else
        measure_in_place(options);
    return 0;
}

}  // namespace
}  // namespace poisson3d::test

int main(int argc, char** argv) {
    using namespace poisson3d::test;
    ShapeOptions options;
    CLI::App app("Times transposes on a GPU at random shapes against a plain copy.");
    app.add_option("--random", options.random, "random boxes")->check(CLI::NonNegativeNumber);
    app.add_option("--seed", options.seed, "of random boxes");
    app.add_option("--least", options.least, "elements of a random box at least [2^24]");
    app.add_option("--greatest", options.greatest, "and at most [2^26]");
    app.add_option("--points", options.points, "boxes instead: 511,97x1531x2003")->delimiter(',');
    app.add_option("--element", options.elements, "bytes [4,8,16]")
        ->delimiter(',')
        ->check(CLI::IsMember({1, 2, 4, 8, 16}));
    app.add_option("--order", options.orders, "of the axes [yzx,zxy,xzy,yxz,zyx]")
        ->delimiter(',')
        ->check(CLI::IsMember({"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"}));
    app.add_option("--algorithm", options.algorithms, "names, or banded/1 for bands of 1 tile")->delimiter(',');
    app.add_flag("--variants", options.variants, "kernels of other shapes as well");
    app.add_option("--squares", options.squares, "in place: sides of squares of xzy")->delimiter(',');
    app.add_option("--cubes", options.cubes, "in place: sides of cubes, in all orders asked for")->delimiter(',');
    app.add_option("--rectangles", options.rectangles, "in place: random matrices, sides from 1000 to 20000")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--in-place", options.in_place, "in place: the boxes of --points in all orders asked for");
    app.add_flag("--check", options.check, "compares with the naive kernel instead of measuring");
    app.add_option("--repeat", options.repeat, "measured runs [5]")->check(CLI::PositiveNumber);
    app.add_option("--worst", options.worst, "shapes named of each line [3]")->check(CLI::NonNegativeNumber);
    app.add_option("--json", options.json, "one row for each shape, element and order");
    CLI11_PARSE(app, argc, argv);
    if (poisson3d::find_devices().devices.empty()) {
        std::printf("skipped: %s\n", poisson3d::find_devices().reason.c_str());
        return 77;
    }
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "transpose_shapes: %s\n", error.what());
        return 1;
    }
}
