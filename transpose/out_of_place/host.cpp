// Which executor a movement gets on the host.
#include "out_of_place/host.hpp"

#include "baselines/host.hpp"
#include "out_of_place/executors.hpp"

namespace poisson3d {

namespace host_transpose {

std::unique_ptr<Executor> make_executor(const Movement& movement, const Setting& setting,
                                        const TransposeOptions& options) {
    const bool automatic = options.algorithm == Algorithm::automatic;
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
        case Algorithm::aligned: return make_strips(matrix, setting);
        case Algorithm::thin:
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
