// The words of `bench transpose` as values.
#include <algorithm>
#include <utility>

#include "command_line/spec.hpp"
#include "command_line/words.hpp"
#include "poisson3d/error.hpp"

namespace poisson3d::app {

namespace {

int parse_element(const std::string& option, const std::string& word) {
    return choose<int>(option, word, {{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"16", 16}});
}

Permutation parse_permutation(const std::string& option, const std::string& word) {
    return choose<Permutation>(option, word,
                               {{"yzx", rotation},
                                {"zxy", rotation_back},
                                {"xzy", {0, 2, 1}},
                                {"yxz", {1, 0, 2}},
                                {"zyx", {2, 1, 0}},
                                {"xyz", identity_order}});
}

BlockOrder parse_order(const std::string& option, const std::string& word) {
    return choose<BlockOrder>(option, word,
                              {{"row-major", BlockOrder::row_major},
                               {"column-major", BlockOrder::column_major},
                               {"v1bf", BlockOrder::v1bf}});
}

BlockOrder parse_triangular_order(const std::string& option, const std::string& word) {
    return choose<BlockOrder>(option, word,
                              {{"automatic", BlockOrder::automatic},
                               {"v1", BlockOrder::v1},
                               {"v1r", BlockOrder::v1r},
                               {"v2", BlockOrder::v2},
                               {"v1b", BlockOrder::v1b}});
}

/// The values whose names stand in `list`; `all` for all of them.
template <class Value>
std::vector<Value> parse_algorithms(const std::string& list, const std::vector<Value>& all) {
    if (list == "all") return all;
    std::vector<std::pair<std::string, Value>> names;
    for (const Value algorithm : all) names.emplace_back(name(algorithm), algorithm);
    return parse_list("--algorithm", list, [&](const std::string& option, const std::string& word) {
        return choose<Value>(option, word, names);
    });
}

const std::vector<Algorithm> out_of_place{Algorithm::naive,   Algorithm::tile,   Algorithm::padded_tile,
                                          Algorithm::slices,  Algorithm::banded, Algorithm::super_grid,
                                          Algorithm::aligned, Algorithm::thin,   Algorithm::automatic};
const std::vector<InPlaceAlgorithm> in_place{
    InPlaceAlgorithm::thread_wise, InPlaceAlgorithm::exchange, InPlaceAlgorithm::super_grid, InPlaceAlgorithm::cube,
    InPlaceAlgorithm::rectangle,   InPlaceAlgorithm::cycles,   InPlaceAlgorithm::automatic};

}  // namespace

BenchTransposeOptions bench_transpose_options(const Words& words) {
    BenchTransposeOptions options;
    options.points = parse_list("--points", words.points.value_or("512,511"), parse_points);
    options.elements = parse_list("--element", words.element.value_or("4,8,16"), parse_element);
    options.permutations = parse_list("--permutation", words.permutation.value_or("yzx"), parse_permutation);
    const std::string algorithms = words.algorithm.value_or("automatic");
    options.in_place = words.in_place;
    options.all_algorithms = algorithms == "all";
    if (options.in_place) {
        options.in_place_algorithms = parse_algorithms(algorithms, in_place);
        options.orders = parse_list("--order", words.order.value_or("automatic"), parse_triangular_order);
    } else {
        options.algorithms = parse_algorithms(algorithms, out_of_place);
        options.orders = parse_list("--order", words.order.value_or("v1bf"), parse_order);
    }
    options.bands = parse_list(
        "--band", words.band.value_or("0"),
        [](const std::string& option, const std::string& word) { return parse_integer(option, word, 0); });
    if (words.backend)
        options.backend =
            choose<Backend>("--backend", *words.backend, {{"host", Backend::host}, {"cuda", Backend::cuda}});
    const auto count = [](const std::string& option, const Word& word) {
        return word ? static_cast<int>(std::min<Index>(parse_integer(option, *word, 0), 1 << 20)) : 0;
    };
    options.device = count("--device", words.device);
    options.threads = count("--threads", words.threads);
    if (const int repeat = count("--repeat", words.repeat); repeat > 0) options.repeat = repeat;
    options.random = count("--random", words.random);
    if (words.seed) options.seed = static_cast<std::uint64_t>(parse_integer("--seed", *words.seed, 0));
    if (words.sides) {
        const auto sides = parse_list(
            "--sides", *words.sides,
            [](const std::string& option, const std::string& word) { return parse_integer(option, word, 1); });
        if (sides.size() != 2 || sides[0] > sides[1])
            throw Error(ErrorCode::usage,
                        "--sides: found '" + *words.sides + "', wanted two numbers that do not fall");
        options.sides = {sides[0], sides[1]};
    }
    if ((words.random || words.seed || words.sides) && !options.in_place)
        throw Error(ErrorCode::usage, "--random, --seed and --sides draw matrices for --in-place: give that too");
    if (options.random > 0 && (words.points || words.permutation))
        throw Error(ErrorCode::usage, "--random draws matrices and takes neither --points nor --permutation");
    if (options.in_place)
        for (const int element : options.elements)
            if (element < 4)
                throw Error(ErrorCode::usage,
                            "--element: found " + std::to_string(element) + ", wanted 4, 8 or 16 with --in-place");
    return options;
}

}  // namespace poisson3d::app
