// Which algorithm moves a field on a CUDA device. Plain C++: kernels and launchers are in the .cu files.
#include "baselines/cuda_launchers.hpp"
#include "out_of_place/cuda_choice.hpp"
#include "out_of_place/cuda_launchers.hpp"
#include "out_of_place/executors.hpp"

namespace poisson3d {

namespace {

/// In tiles. Measured on an H200 (docs/benchmarks.md): 8 is never more than 2 % behind rows, and far ahead at odd
/// sizes.
constexpr Index default_band = 8;
constexpr Index default_region = 32;

bool has_short_axes(const Movement& movement, int element_bytes) {
    return cuda::short_applies(movement, element_bytes) || cuda::merged_applies(movement, element_bytes);
}

/// What was asked for, where it applies.
Algorithm choose(const Movement& movement, int element_bytes, Algorithm wanted) {
    if (wanted == Algorithm::short_axes && !has_short_axes(movement, element_bytes)) wanted = Algorithm::automatic;
    if (wanted == Algorithm::automatic) return cuda::choose_algorithm(movement, element_bytes);
    if (wanted == Algorithm::short_axes || wanted == Algorithm::wide_loads) return wanted;
    if (movement.is_copy) return Algorithm::aligned;
    const bool thin = cuda::thin_applies(movement.matrix, element_bytes);
    return wanted == Algorithm::thin && !thin ? Algorithm::aligned : wanted;
}

class CudaExecutor final : public Executor {
public:
    CudaExecutor(const Movement& movement, int element_bytes, const TransposeOptions& options)
        : movement_(movement),
          bytes_(element_bytes),
          algorithm_(choose(movement, element_bytes, options.algorithm)),
          band_(options.band) {
        const Index width = options.band > 0 ? options.band : default_band;
        switch (algorithm_) {
            case Algorithm::tile: tile_.padded = false; break;
            case Algorithm::super_grid: tile_.region = options.band > 0 ? options.band : default_region; break;
            case Algorithm::banded:
                tile_.band = options.order == BlockOrder::row_major      ? 0
                             : options.order == BlockOrder::column_major ? 1
                                                                         : width;
                break;
            default: break;
        }
    }

    void run(const void* in, void* out, Stream stream) const override {
        const auto queue = cuda::queue(stream);
        if (algorithm_ == Algorithm::short_axes) {
            const bool whole = cuda::short_applies(movement_, bytes_);
            return (whole ? cuda::launch_short : cuda::launch_merged)(movement_, bytes_, in, out, queue);
        }
        if (movement_.is_copy) {
            const bool wide = algorithm_ == Algorithm::wide_loads;
            return (wide ? cuda::launch_wide_row_copy : cuda::launch_row_copy)(movement_.copy, bytes_, in, out,
                                                                               queue);
        }
        const MatrixBatch& matrix = movement_.matrix;
        switch (algorithm_) {
            case Algorithm::naive: return cuda::launch_naive(matrix, bytes_, in, out, queue);
            case Algorithm::tile:
            case Algorithm::padded_tile:
            case Algorithm::banded:
            case Algorithm::super_grid: return cuda::launch_tile(matrix, tile_, bytes_, in, out, queue);
            case Algorithm::slices: return cuda::launch_slices(matrix, bytes_, in, out, queue);
            case Algorithm::thin: return cuda::launch_thin(matrix, bytes_, in, out, queue);
            case Algorithm::wide_loads: return cuda::launch_wide_loads(matrix, band_, bytes_, in, out, queue);
            default: return cuda::launch_strips(matrix, band_, bytes_, in, out, queue);
        }
    }

    [[nodiscard]] Algorithm algorithm() const noexcept override { return algorithm_; }

    [[nodiscard]] std::string description() const override {
        std::string text = name(algorithm_);
        if (algorithm_ == Algorithm::short_axes)
            return text + (cuda::short_applies(movement_, bytes_) ? ", tiles of whole ones" : ", merged with y");
        if (movement_.is_copy)
            return algorithm_ == Algorithm::wide_loads ? "rows copied by wide loads" : "rows copied";
        if (algorithm_ == Algorithm::aligned) text += ", " + cuda::describe_strips(movement_.matrix, bytes_);
        if (algorithm_ == Algorithm::wide_loads) text += ", " + cuda::describe_wide_loads(movement_.matrix, bytes_);
        if (algorithm_ == Algorithm::banded)
            text += tile_.band == 0 ? ", row-major" : ", bands of " + std::to_string(tile_.band) + " tiles";
        if (algorithm_ == Algorithm::super_grid) text += ", regions of " + std::to_string(tile_.region) + " tiles";
        return text;
    }

private:
    Movement movement_;
    int bytes_;
    Algorithm algorithm_;
    cuda::TileOptions tile_;
    Index band_;
};

}  // namespace

std::unique_ptr<Executor> make_cuda_executor(const Movement& movement, int element_bytes,
                                             const TransposeOptions& options) {
    return std::make_unique<CudaExecutor>(movement, element_bytes, options);
}

}  // namespace poisson3d
