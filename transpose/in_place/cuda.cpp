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

/// Wide tiles of which one waits in registers: rows that begin anywhere, where there are blocks enough. 0.82 to
/// 0.89 of a copy instead of 0.78 to 0.86 on an H100 (docs/benchmarks.md).
bool held_pays(const Squares& s) {
    constexpr Index most = cuda::exchange_held_tile_side;
    const Index tiles = (s.side + most - 1) / most;
    return s.element_bytes == 4 && s.item == 1 && s.side >= 250 && s.pitch % 4 != 0 &&
           tiles * (tiles + 1) / 2 * s.count() >= 2000;
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
            std::to_string(held_ ? cuda::exchange_held_tile_side : cuda::exchange_tile_side(squares_));
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
    explicit CudaCube(const Cubes& cubes) : cubes_(cubes) {}

    void run(void* data, Stream stream) const override { cuda::launch_cube(cubes_, data, cuda::queue(stream)); }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::cube; }
    [[nodiscard]] std::string description() const override {
        return "cube, bricks of side " + std::to_string(cuda::cube_brick_side(cubes_.element_bytes));
    }

private:
    Cubes cubes_;
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

/// Measured on an H100 (docs/benchmarks.md): odd sides, whose rows begin anywhere, and rows of 4-byte elements that
/// begin at lines. Bricks are faster for all others, and for small cubes.
bool turns_pay(const Cubes& cubes) {
    if (cubes.element_bytes == 4) return cubes.side >= 500 && (cubes.side % 2 != 0 || cubes.side % 32 == 0);
    return cubes.side >= 400 && cubes.side % 2 != 0;
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
