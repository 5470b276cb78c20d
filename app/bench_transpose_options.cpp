// The words of `bench transpose` as values.
#include <algorithm>
#include <utility>

#include "spec.hpp"
#include "words.hpp"

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

std::vector<Algorithm> parse_algorithms(const std::string& list) {
    const std::vector<Algorithm> all{Algorithm::naive,   Algorithm::tile,   Algorithm::padded_tile,
                                     Algorithm::slices,  Algorithm::banded, Algorithm::super_grid,
                                     Algorithm::aligned, Algorithm::thin,   Algorithm::automatic};
    if (list == "all") return all;
    std::vector<std::pair<std::string, Algorithm>> names;
    for (const Algorithm algorithm : all) names.emplace_back(name(algorithm), algorithm);
    return parse_list("--algorithm", list, [&](const std::string& option, const std::string& word) {
        return choose<Algorithm>(option, word, names);
    });
}

}  // namespace

BenchTransposeOptions bench_transpose_options(const Words& words) {
    BenchTransposeOptions options;
    options.points = parse_list("--points", words.points.value_or("512,511"), parse_points);
    options.elements = parse_list("--element", words.element.value_or("4,8,16"), parse_element);
    options.permutations = parse_list("--permutation", words.permutation.value_or("yzx"), parse_permutation);
    options.algorithms = parse_algorithms(words.algorithm.value_or("automatic"));
    options.orders = parse_list("--order", words.order.value_or("v1bf"), parse_order);
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
    options.repeat = count("--repeat", words.repeat);
    return options;
}

}  // namespace poisson3d::app
