// Chooses and runs a transpose in place on a CUDA device. Plain C++: kernels and launchers are in the .cu files.
#include "in_place/cuda_launchers.hpp"

#include "baselines/cuda_launchers.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d {

namespace {

/// In tiles. Measured on an H200 (docs/benchmarks.md).
constexpr Index default_band = 8;
constexpr Index default_region = 128;

/// Smaller squares do not fill a tile: threads exchange their elements one by one.
constexpr Index least_side = 25;

/// Wide tiles of which one waits in registers: rows that begin anywhere, where there are blocks enough.
bool held_pays(const Squares& s) {
    const Index tiles = s.side / 128;
    return s.element_bytes == 4 && s.item == 1 && s.side >= 400 && s.pitch % 4 != 0 &&
           tiles * tiles / 2 * s.count() >= 500;
}

class CudaExchange final : public InPlaceExecutor {
public:
    CudaExchange(const Squares& squares, const InPlaceOptions& options)
        : squares_(squares),
          algorithm_(options.algorithm),
          rows_(cuda::exchanges_rows(squares)),
          held_(!rows_ && held_pays(squares)) {
        if (algorithm_ == InPlaceAlgorithm::automatic)
            algorithm_ =
                squares.side < least_side && !rows_ ? InPlaceAlgorithm::thread_wise : InPlaceAlgorithm::exchange;
        order_.order = options.order != BlockOrder::automatic ? options.order
                       : rows_                                ? BlockOrder::v1
                                                              : BlockOrder::v1b;
        order_.band = options.band > 0 ? options.band : default_band;
        if (algorithm_ == InPlaceAlgorithm::super_grid) {
            order_.region = options.band > 0 ? options.band : default_region;
            order_.band = default_band;
        }
    }

    void run(void* data, Stream stream) const override {
        const auto queue = cuda::queue(stream);
        if (algorithm_ == InPlaceAlgorithm::thread_wise) return cuda::launch_thread_wise(squares_, data, queue);
        if (rows_) return cuda::launch_exchange_rows(squares_, order_, data, queue);
        (held_ ? cuda::launch_exchange_held : cuda::launch_exchange)(squares_, order_, data, queue);
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return algorithm_; }
    [[nodiscard]] std::string description() const override {
        std::string text = name(algorithm_);
        if (algorithm_ == InPlaceAlgorithm::thread_wise) return text + ", order v1";
        const std::string side =
            std::to_string((held_ ? cuda::exchange_held_tile_side : cuda::exchange_tile_side)(squares_));
        text += rows_ ? ", rows" : ", tiles of " + side + " × " + side;
        text += std::string(" in order ") + name(order_.order);
        if (order_.order == BlockOrder::v1b) text += ", band " + std::to_string(order_.band);
        if (order_.region > 0) text += ", regions of " + std::to_string(order_.region);
        return text;
    }

private:
    Squares squares_;
    InPlaceAlgorithm algorithm_;
    bool rows_, held_;
    cuda::TriangleOrder order_;
};

class CudaCube final : public InPlaceExecutor {
public:
    explicit CudaCube(const Cubes& cubes)
        : cubes_(cubes), clusters_(clusters_pay(cubes) && cuda::cube_clusters_run()) {}

    void run(void* data, Stream stream) const override {
        (clusters_ ? cuda::launch_cube_clusters : cuda::launch_cube)(cubes_, data, cuda::queue(stream));
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::cube; }
    [[nodiscard]] std::string description() const override {
        if (clusters_) return "cube, clusters, bricks of side " + std::to_string(cuda::cube_clusters_brick_side());
        return "cube, bricks of side " + std::to_string(cuda::cube_brick_side(cubes_.element_bytes));
    }

private:
    /// Rows that do not begin at lines: 0.71 instead of 0.67 of a copy on an H100 (docs/benchmarks.md).
    static bool clusters_pay(const Cubes& cubes) {
        return cubes.element_bytes == 16 && cubes.side % 8 != 0 && cubes.side >= 400;
    }

    Cubes cubes_;
    bool clusters_;
};

/// By turns: bricks that fit no processor, a plane at a time.
class CudaCubeTurns final : public InPlaceExecutor {
public:
    CudaCubeTurns(const Cubes& cubes, const cuda::CubeTurnsNeed& need)
        : cubes_(cubes), side_(need.side), counters_(need.counter_bytes), aside_(need.aside_bytes) {}

    void run(void* data, Stream stream) const override {
        cuda::launch_cube_turns(cubes_, counters_.data(), aside_.data(), data, cuda::queue(stream));
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::cube; }
    [[nodiscard]] std::string description() const override {
        return "cube, by turns, bricks of side up to " + std::to_string(side_);
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return counters_.size() + aside_.size(); }

private:
    Cubes cubes_;
    int side_;
    DeviceBuffer counters_, aside_;
};

bool turns_pay(const Cubes& cubes) {
    const bool lines = cubes.side * cubes.element_bytes % 128 == 0;
    return cubes.side >= 400 && (cubes.element_bytes == 4 || !lines);
}

}  // namespace

std::unique_ptr<InPlaceExecutor> make_cuda_exchange(const Squares& squares, const InPlaceOptions& options) {
    return std::make_unique<CudaExchange>(squares, options);
}

std::unique_ptr<InPlaceExecutor> make_cuda_cube(const Cubes& cubes, Index allowed) {
    if (turns_pay(cubes))
        if (auto turns = make_cuda_cube_turns(cubes, allowed)) return turns;
    return std::make_unique<CudaCube>(cubes);
}

std::unique_ptr<InPlaceExecutor> make_cuda_cube_turns(const Cubes& cubes, Index allowed) {
    const cuda::CubeTurnsNeed need = cuda::cube_turns_need(cubes);
    if (static_cast<Index>(need.counter_bytes + need.aside_bytes) > allowed) return nullptr;
    return std::make_unique<CudaCubeTurns>(cubes, need);
}

}  // namespace poisson3d
