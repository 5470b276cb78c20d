#include "coefficients.hpp"

#include <algorithm>
#include <string>

#include "axis_numbers.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

namespace {

const std::string conductances = "/conductances", weights = "/weights";

Count count_conductances(Index n) {
    return {n - 1, n + 1,
            std::to_string(n + 1) + " numbers for cells, of which the first and the last lead to the walls, or " +
                std::to_string(n - 1) + ", between nodes (of periodic ones " + std::to_string(n) + ")"};
}

Count count_weights(Index n) {
    return {n, n, std::to_string(n) + (n == 1 ? " number" : " numbers") + ", one for each point"};
}

template <class Good>
void require_all(const Subject& subject, const std::vector<double>& values, Good good, const char* wanted) {
    const auto bad = std::find_if_not(values.begin(), values.end(), good);
    if (bad != values.end())
        subject.fail(ErrorCode::data, "found " + format_number(*bad) + " at index " +
                                          std::to_string(bad - values.begin()) + ", wanted " + wanted);
}

}  // namespace

std::array<Coefficients, 3> read_coefficients(const Input& input, const std::array<char, 3>& labels,
                                              const Extents& points) {
    const auto g =
        read_axis_group(input, {conductances, "conductances of axes", count_conductances}, labels, points);
    const auto d =
        read_axis_group(input, {weights, "weights of the points of axes", count_weights}, labels, points);
    std::array<Coefficients, 3> all;
    for (std::size_t a = 0; a < 3; ++a) {
        if (g[a].empty() != d[a].empty()) {
            const std::string& there = d[a].empty() ? conductances : weights;
            const std::string& missing = d[a].empty() ? weights : conductances;
            axis_subject(input, there, labels[a])
                .fail(ErrorCode::data, "found without " + missing + "/" + labels[a] + ", wanted both or neither");
        }
        require_all(
            axis_subject(input, conductances, labels[a]), g[a], [](double x) { return x >= 0.0; },
            "numbers above 0, or 0 at a Neumann face of cells");
        require_all(
            axis_subject(input, weights, labels[a]), d[a], [](double x) { return x > 0.0; }, "numbers above 0");
        all[a] = {g[a], d[a]};
    }
    return all;
}

}  // namespace poisson3d::h5
