// poisson3d bench transpose --in-place: transposes in place against a plain copy of the same size, in the same run.
//
// Matrices for a picture over order and block order, or random ones whose median is the figure to know: a
// rectangle's speed depends on how its sides divide each other, and no single shape says much.
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "benchmarks/movement_rows.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/in_place.hpp"
#include "reporting/outcome.hpp"

namespace poisson3d::app {

namespace {

constexpr Permutation swap_yz{0, 2, 1};

/// Matrices whose sides are drawn between two bounds, the same on every machine.
std::vector<Extents> random_matrices(const BenchTransposeOptions& options) {
    std::mt19937_64 bits(options.seed.value_or(0));
    const auto [least, greatest] = options.sides.value_or(std::pair<Index, Index>{1000, 20000});
    const auto side = [&] {
        return least + static_cast<Index>(bits() % static_cast<std::uint64_t>(greatest - least + 1));
    };
    std::vector<Extents> all;
    for (int i = 0; i < options.random.value_or(0); ++i) {
        const Index rows = side();
        all.push_back({1, rows, side()});
    }
    return all;
}

/// The orders and bands that make a difference to an algorithm.
std::vector<InPlaceOptions> variants(const BenchTransposeOptions& options, Backend backend,
                                     InPlaceAlgorithm algorithm) {
    const bool super_grid = algorithm == InPlaceAlgorithm::super_grid;
    const bool exchange = algorithm == InPlaceAlgorithm::exchange || super_grid;
    std::vector<InPlaceOptions> all;
    for (const BlockOrder order : options.orders)
        for (const Index band : options.bands) {
            if (!exchange && (order != options.orders.front() || band != options.bands.front())) continue;
            const bool banded = super_grid || order == BlockOrder::v1b || order == BlockOrder::automatic;
            if (!banded && band != options.bands.front()) continue;
            all.push_back({backend, algorithm, exchange ? order : BlockOrder::automatic,
                           exchange && banded ? band : 0, options.threads});
        }
    return all;
}

/// With --algorithm all, what does not fit a shape is left out.
std::unique_ptr<TransposeInPlace> plan(const InPlaceProblem& problem, const InPlaceOptions& variant, bool all) {
    try {
        return std::make_unique<TransposeInPlace>(problem, variant);
    } catch (const Error& error) {
        if (all && error.code() == ErrorCode::unsupported) return nullptr;
        throw;
    }
}

/// Medians over the shapes, one for every element and algorithm.
class Medians {
public:
    void add(const MovementRow& row) {
        auto& [fractions, rates] = values_[{row.element, row.asked}];
        fractions.push_back(row.fraction());
        rates.push_back(row.rate());
    }
    [[nodiscard]] Json json() const {
        Json list = Json::array();
        for (const auto& [key, samples] : values_)
            list.push_back(Json{{"element_bytes", key.first},
                                {"algorithm", key.second},
                                {"cases", samples.first.size()},
                                {"fraction_of_copy", median(samples.first)},
                                {"gigabytes_per_second", median(samples.second)}});
        return list;
    }

private:
    std::map<std::pair<int, std::string>, std::pair<std::vector<double>, std::vector<double>>> values_;
};

}  // namespace

Outcome run_bench_in_place(const BenchTransposeOptions& options, const Reporting& reporting) {
    const Backend backend = chosen_backend(options);
    MovementRows rows(reporting);
    Medians medians;
    const bool random = options.random.value_or(0) > 0;
    const auto permutations = random ? std::vector<Permutation>{swap_yz} : options.permutations;
    const std::vector<Extents> shapes = random ? random_matrices(options) : options.points;
    for (const Extents& points : shapes)
        for (const int element : options.elements) {
            RotatedFields fields = fields_to_move(backend, points, element, options.threads);
            const double copy = fields.copy_seconds(options.repeat);
            for (const Permutation& permutation : permutations)
                for (const InPlaceAlgorithm algorithm : options.in_place_algorithms)
                    for (const InPlaceOptions& variant : variants(options, backend, algorithm)) {
                        const auto transpose =
                            plan({points, permutation, element}, variant, options.all_algorithms);
                        if (transpose == nullptr) continue;
                        const double seconds = fields.measure_in_place(
                            options.repeat, [&](void* field) { transpose->execute(field); });
                        const MovementRow row{points,
                                              element,
                                              permutation,
                                              name(algorithm),
                                              name(transpose->algorithm()),
                                              transpose->description(),
                                              seconds,
                                              copy};
                        medians.add(row);
                        rows.add(row, Json{{"in_place", true},
                                           {"order", name(variant.order)},
                                           {"band", variant.band},
                                           {"scratch_bytes", transpose->scratch_bytes()}});
                    }
        }
    Json report = rows.report(backend, options.device);
    if (random) {
        report["seed"] = options.seed.value_or(0);
        report["median"] = medians.json();
    }
    return {.json = json_text(report)};
}

}  // namespace poisson3d::app
