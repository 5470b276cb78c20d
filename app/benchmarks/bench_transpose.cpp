// poisson3d bench transpose: each algorithm, in GB/s and as a fraction of a plain copy of the same size,
// measured in the same run.
#include "benchmarks/movement_rows.hpp"
#include "reporting/outcome.hpp"

namespace poisson3d::app {

namespace {

/// The orders and bands that make a difference to an algorithm.
std::vector<TransposeOptions> variants(const BenchTransposeOptions& options, Backend backend, Algorithm algorithm) {
    std::vector<TransposeOptions> all;
    const bool banded = algorithm == Algorithm::banded;
    const bool has_band = banded || algorithm == Algorithm::super_grid || algorithm == Algorithm::aligned;
    for (const BlockOrder order : options.orders)
        for (const Index band : options.bands) {
            if (!banded && order != options.orders.front()) continue;
            if (!has_band && band != options.bands.front()) continue;
            if (banded && order != BlockOrder::v1bf && order != BlockOrder::automatic &&
                band != options.bands.front())
                continue;
            all.push_back(
                {backend, algorithm, banded ? order : BlockOrder::automatic, has_band ? band : 0, options.threads});
        }
    return all;
}

}  // namespace

Outcome run_bench_transpose(const BenchTransposeOptions& options, const Reporting& reporting) {
    if (options.in_place) return run_bench_in_place(options, reporting);
    const Backend backend = chosen_backend(options);
    const int repeat = options.repeat;
    MovementRows rows(reporting);
    for (const Extents& points : options.points)
        for (const int element : options.elements) {
            RotatedFields fields = fields_to_move(backend, points, element, options.threads);
            const double copy = fields.copy_seconds(repeat);
            for (const Permutation& permutation : options.permutations)
                for (const Algorithm algorithm : options.algorithms)
                    for (const TransposeOptions& variant : variants(options, backend, algorithm)) {
                        const Extents out = permute(points, permutation);
                        const Transpose transpose(
                            {points, dense_strides(points), dense_strides(out), permutation, element}, variant);
                        const double seconds = fields.measure(
                            repeat, [&](const void* from, void* to) { transpose.execute(from, to); });
                        rows.add({points, element, permutation, name(algorithm), name(transpose.algorithm()),
                                  transpose.description(), seconds, copy});
                    }
        }
    return {.json = json_text(rows.report(backend, options.device))};
}

}  // namespace poisson3d::app
