// A rectangle in place by tiles on a CUDA device: what is planned, and the order of the launches.
#include "poisson3d/device_memory.hpp"
#include "rectangle/cuda_turns.hpp"
#include "rectangle/executors.hpp"

namespace poisson3d {

namespace {

using rectangle::LaggedCuts;

class CudaTileRectangle final : public InPlaceExecutor {
public:
    CudaTileRectangle(const DenseMatrices& m, const LaggedCuts& cuts)
        : m_(m),
          cuts_(cuts),
          moves_{cuts.tiles, m.rows >= m.columns, static_cast<Slot>(cuts.lag())},
          word_(static_cast<int>(m.item) * m.element_bytes) {
        const ChainPlan chains = plan_chains(moves_, cuts.longest);
        const Index edges = Index{cuts.tiles.fields()} * cuts.tiles.edge_room() * word_;
        const Index tile = Index{word_} << cuts.tiles.log();
        const Index lagging = moves_.lag * tile;
        scratch_ = DeviceBuffer(static_cast<std::size_t>(edges + lagging) + chains.saved.size() * tile);
        counters_ = DeviceBuffer(cuda::turn_counter_bytes(cuts));
        pieces_ = put(chains.pieces);
        saved_slots_ = put(chains.saved);
        auto* const bytes = static_cast<std::byte*>(scratch_.data());
        tables_.edges = bytes;
        tables_.lagging = bytes + edges;
        tables_.saved = bytes + edges + lagging;
        tables_.pieces = static_cast<const ChainPiece*>(pieces_.data());
        tables_.saved_slots = static_cast<const Slot*>(saved_slots_.data());
        tables_.piece_count = static_cast<Index>(chains.pieces.size());
        tables_.saved_count = static_cast<Index>(chains.saved.size());
    }

    void run(void* data, Stream stream) const override {
        for (Index b = 0; b < m_.batch; ++b)
            turn(static_cast<std::byte*>(data) + b * m_.batch_stride * m_.element_bytes, cuda::queue(stream));
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::rectangle; }
    [[nodiscard]] std::string description() const override {
        return "rectangle, tiles of " + std::to_string(Index{word_} << cuts_.tiles.log()) + " bytes, groups of " +
               std::to_string(cuts_.group_rows()) + " rows, a lag of " + std::to_string(cuts_.lag_groups) + ", " +
               std::to_string(tables_.piece_count) + " pieces of chains";
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override {
        return scratch_.size() + counters_.size() + pieces_.size() + saved_slots_.size();
    }

private:
    void turn(void* matrix, cudaStream_t queue) const {
        using cuda::Edges;
        auto* const counters = static_cast<unsigned*>(counters_.data());
        const auto edges = [&](Edges what) {  // of the arrays
            cuda::launch_structure_edges(cuts_.tiles, what, false, word_, matrix, tables_, queue);
        };
        if (moves_.aos_to_soa) {
            cuda::launch_turns(cuts_, true, word_, matrix, tables_, counters, queue);
            cuda::launch_structure_chains(moves_, word_, matrix, tables_, queue);
            edges(Edges::restore);
        } else {
            edges(Edges::save);
            cuda::launch_structure_chains(moves_, word_, matrix, tables_, queue);
            cuda::launch_turns(cuts_, false, word_, matrix, tables_, counters, queue);
        }
    }
    template <class T>
    static DeviceBuffer put(const std::vector<T>& values) {
        if (values.empty()) return {};
        DeviceBuffer buffer(values.size() * sizeof(T));
        copy_to_device(buffer.data(), values.data(), buffer.size());
        return buffer;
    }

    DenseMatrices m_;
    LaggedCuts cuts_;
    TileMoves moves_;
    int word_;  ///< bytes
    DeviceBuffer scratch_, counters_, pieces_, saved_slots_;
    cuda::StructureTables tables_;
};

/// Few columns or rows: structures, one matrix after the other.
class CudaStructureRectangle final : public InPlaceExecutor {
public:
    CudaStructureRectangle(const DenseMatrices& m, const StructureProblem& problem)
        : m_(m), structures_(make_cuda_structures(problem)) {}
    void run(void* data, Stream stream) const override {
        for (Index b = 0; b < m_.batch; ++b)
            structures_->run(static_cast<std::byte*>(data) + b * m_.batch_stride * m_.element_bytes, stream);
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::rectangle; }
    [[nodiscard]] std::string description() const override {
        return "rectangle, structures, " + structures_->description();
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return structures_->scratch_bytes(); }

private:
    DenseMatrices m_;
    std::unique_ptr<InPlaceMovement> structures_;
};

}  // namespace

std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_tiles(const DenseMatrices& m, Index tile_bytes) {
    constexpr Index usual_tile = 256;
    const Index word = m.item * m.element_bytes;
    if (word != 4 && word != 8 && word != 16) return nullptr;
    const Index n = std::max(m.rows, m.columns);
    const Index k = std::min(m.rows, m.columns);
    if (k <= max_fields && tile_bytes == 0) {
        const StructureMove move = m.rows >= m.columns ? StructureMove::aos_to_soa : StructureMove::soa_to_aos;
        return std::make_unique<CudaStructureRectangle>(
            m, StructureProblem{n, static_cast<int>(k), static_cast<int>(word), move});
    }
    const LaggedCuts cuts =
        rectangle::lagged_cuts(n, k, static_cast<int>(word), tile_bytes == 0 ? usual_tile : tile_bytes);
    if (k == 1 || cuts.tiles.blocks() == 0) return nullptr;
    return std::make_unique<CudaTileRectangle>(m, cuts);
}

}  // namespace poisson3d
