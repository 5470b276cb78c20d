// Which executor a movement gets on the host.
#include "out_of_place/host.hpp"

#include <numeric>
#include <optional>
#include <vector>

#include "baselines/host.hpp"
#include "out_of_place/executors.hpp"

namespace poisson3d {

namespace host_transpose {

namespace {

constexpr Index short_row = 2048;                   // bytes
constexpr Index longest_panel = Index{16} << 10;    // of so many rows that they fill whole lines
constexpr Index shortest_output = Index{16} << 10;  // of rows of 512 bytes or more that lie behind each other

/// Short rows that lie densely behind each other on both sides, though in another order: the transpose of a matrix
/// whose elements are rows.
std::optional<MatrixBatch> matrix_of_rows(const RowCopy& copy, Index element) {
    const Index row = copy.length * element;
    if (row >= short_row || line_bytes / std::gcd(line_bytes, row) * row > longest_panel) return std::nullopt;
    MatrixBatch matrix;
    std::vector<int> rest;
    for (int d = 0; d < 3; ++d) {
        if (copy.extents[d] == 1) continue;
        if (copy.in[d] % copy.length != 0 || copy.out[d] % copy.length != 0) return std::nullopt;
        if (copy.out[d] == copy.length)
            matrix.rows = copy.extents[d], matrix.in_pitch = copy.in[d] / copy.length;
        else if (copy.in[d] == copy.length)
            matrix.columns = copy.extents[d], matrix.out_pitch = copy.out[d] / copy.length;
        else
            rest.push_back(d);
    }
    if (matrix.rows == 0 || matrix.columns == 0 || (row >= 512 && matrix.rows * row < shortest_output))
        return std::nullopt;
    for (std::size_t i = 0, at = 2 - rest.size(); i < rest.size(); ++i, ++at) {
        matrix.batch[at] = copy.extents[rest[i]];
        matrix.in_batch[at] = copy.in[rest[i]] / copy.length;
        matrix.out_batch[at] = copy.out[rest[i]] / copy.length;
    }
    return matrix;
}

}  // namespace

std::unique_ptr<Executor> make_executor(const Movement& movement, const Setting& setting,
                                        const TransposeOptions& options) {
    const bool automatic = options.algorithm == Algorithm::automatic;
    if (movement.is_copy)
        if (const auto matrix = matrix_of_rows(movement.copy, setting.element_bytes)) {
            Setting rows = setting;
            rows.element_bytes *= static_cast<int>(movement.copy.length);
            return is_thin(*matrix, rows.element_bytes) ? make_thin(*matrix, rows) : make_strips(*matrix, rows);
        }
    if (movement.is_copy)
        return make_row_copies(movement.copy, setting, automatic ? Algorithm::aligned : options.algorithm);
    const MatrixBatch& matrix = movement.matrix;
    switch (options.algorithm) {
        case Algorithm::naive: return make_naive(matrix, setting);
        case Algorithm::tile:
        case Algorithm::padded_tile:
        case Algorithm::slices:
        case Algorithm::banded:
        case Algorithm::super_grid: return make_tiles(matrix, setting, options);
        case Algorithm::wide_loads:
        case Algorithm::aligned: return make_strips(matrix, setting);
        case Algorithm::thin:
        case Algorithm::short_axes:
        case Algorithm::automatic: break;
    }
    return is_thin(matrix, setting.element_bytes) ? make_thin(matrix, setting) : make_strips(matrix, setting);
}

namespace {

/// From this output size on, lines are stored past the caches.
constexpr Index streaming_bytes = Index{4} << 20;

Index elements(const Movement& movement) {
    const MatrixBatch& m = movement.matrix;
    const RowCopy& c = movement.copy;
    return movement.is_copy ? c.extents[0] * c.extents[1] * c.extents[2] * c.length
                            : m.rows * m.columns * m.count();
}

}  // namespace
}  // namespace host_transpose

std::unique_ptr<Executor> make_host_executor(const Movement& movement, int element_bytes,
                                             const TransposeOptions& options) {
    const Index bytes = host_transpose::elements(movement) * element_bytes;
    const int threads = host_transpose::worthwhile_threads(options.threads, bytes);
    const bool stream = bytes >= host_transpose::streaming_bytes;
    return host_transpose::make_executor(movement, {element_bytes, threads, stream, best_instructions()}, options);
}

}  // namespace poisson3d
