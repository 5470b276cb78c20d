#include "in_place_executor.hpp"

namespace poisson3d {

namespace {

class ByCycles final : public InPlaceExecutor {
public:
    ByCycles(const DenseMatrices& matrices, int threads) : cycles_(make_host_cycles(matrices, threads)) {}
    void run(void* data, Stream stream) const override { cycles_->run(data, stream); }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::rectangle; }
    [[nodiscard]] std::string description() const override { return "rectangle, by cycles"; }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return cycles_->scratch_bytes(); }

private:
    std::unique_ptr<InPlaceExecutor> cycles_;
};

}  // namespace

std::unique_ptr<InPlaceExecutor> make_host_rectangle(const DenseMatrices& matrices, int threads) {
    return std::make_unique<ByCycles>(matrices, threads);
}

}  // namespace poisson3d
