// A rectangle in place by tiles on a CUDA device: what is planned, and the order of the launches.
#include <algorithm>
#include <optional>

#include "poisson3d/device_memory.hpp"
#include "rectangle/cuda_turns.hpp"
#include "rectangle/executors.hpp"

namespace poisson3d {

namespace {

using rectangle::LaggedCuts;

/// On the device.
template <class T>
DeviceBuffer put(const std::vector<T>& values) {
    if (values.empty()) return {};
    DeviceBuffer buffer(values.size() * sizeof(T));
    copy_to_device(buffer.data(), values.data(), buffer.size());
    return buffer;
}

/// Chains, and the tiles that are saved where they are cut.
struct DeviceChains {
    DeviceBuffer pieces, saved_slots;

    DeviceChains(const ChainPlan& chains, cuda::StructureTables& tables)
        : pieces(put(chains.pieces)), saved_slots(put(chains.saved)) {
        tables.pieces = static_cast<const ChainPiece*>(pieces.data());
        tables.saved_slots = static_cast<const Slot*>(saved_slots.data());
        tables.piece_count = static_cast<Index>(chains.pieces.size());
        tables.saved_count = static_cast<Index>(chains.saved.size());
    }
    [[nodiscard]] std::size_t bytes() const { return pieces.size() + saved_slots.size(); }
};

class CudaTileRectangle final : public InPlaceExecutor {
public:
    CudaTileRectangle(const DenseMatrices& m, const LaggedCuts& cuts)
        : m_(m),
          cuts_(cuts),
          moves_{cuts.tiles, m.rows >= m.columns, static_cast<Slot>(cuts.lag())},
          word_(static_cast<int>(m.item) * m.element_bytes),
          counters_(cuda::turn_counter_bytes(cuts)) {
        const ChainPlan chains = plan_chains(moves_, cuts.longest);
        const Index edges = Index{cuts.tiles.fields()} * cuts.tiles.edge_room() * word_;
        const Index tile = Index{word_} << cuts.tiles.log();
        const Index lagging = moves_.lag * tile;
        scratch_ = DeviceBuffer(static_cast<std::size_t>(edges + lagging) + chains.saved.size() * tile);
        chains_.emplace(chains, tables_);
        auto* const bytes = static_cast<std::byte*>(scratch_.data());
        tables_.edges = bytes;
        tables_.lagging = bytes + edges;
        tables_.saved = bytes + edges + lagging;
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
        return scratch_.size() + counters_.size() + chains_->bytes();
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
    DenseMatrices m_;
    LaggedCuts cuts_;
    TileMoves moves_;
    int word_;  ///< bytes
    DeviceBuffer counters_, scratch_;
    cuda::StructureTables tables_;
    std::optional<DeviceChains> chains_;
};

/// Items of many elements: each is a tile by itself, and goes to its place in one sweep.
class CudaItemRectangle final : public InPlaceExecutor {
public:
    CudaItemRectangle(const DenseMatrices& m, Index allowed)
        : m_(m),
          moves_{StructureTiles(std::max(m.rows, m.columns), static_cast<int>(std::min(m.rows, m.columns)), 0),
                 m.rows >= m.columns} {
        const Index items = m.rows * m.columns;
        constexpr Index enough_pieces = 4096;
        const Index longest = std::max({Index{8}, items / enough_pieces, items * item_bytes() / (allowed / 2) + 1});
        const ChainPlan chains = plan_chains(moves_, static_cast<std::uint32_t>(longest));
        saved_ = DeviceBuffer(chains.saved.size() * static_cast<std::size_t>(item_bytes()));
        tables_.saved = saved_.data();
        chains_.emplace(chains, tables_);
    }

    void run(void* data, Stream stream) const override {
        for (Index b = 0; b < m_.batch; ++b)
            cuda::launch_structure_chains(moves_, item_bytes(),
                                          static_cast<std::byte*>(data) + b * m_.batch_stride * m_.element_bytes,
                                          tables_, cuda::queue(stream));
    }
    [[nodiscard]] InPlaceAlgorithm algorithm() const noexcept override { return InPlaceAlgorithm::rectangle; }
    [[nodiscard]] std::string description() const override {
        return "rectangle, items of " + std::to_string(item_bytes()) + " bytes along cycles, " +
               std::to_string(tables_.piece_count) + " pieces";
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return saved_.size() + chains_->bytes(); }

private:
    [[nodiscard]] Index item_bytes() const { return m_.item * m_.element_bytes; }

    DenseMatrices m_;
    TileMoves moves_;
    DeviceBuffer saved_;
    cuda::StructureTables tables_;
    std::optional<DeviceChains> chains_;
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

std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_items(const DenseMatrices& m, Index allowed) {
    const Index items = m.rows * m.columns;
    constexpr Index most_items = Index{1} << 28, most_elements = Index{1} << 24;
    if (m.item == 1 || m.item > most_elements || items > most_items) return nullptr;
    return std::make_unique<CudaItemRectangle>(m, allowed);
}

std::unique_ptr<InPlaceExecutor> make_cuda_rectangle_tiles(const DenseMatrices& m, Index tile_bytes,
                                                           Index allowed) {
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
        rectangle::lagged_cuts(n, k, static_cast<int>(word), tile_bytes == 0 ? usual_tile : tile_bytes, allowed);
    if (k == 1 || cuts.tiles.blocks() == 0) return nullptr;
    return make_cuda_lagged_rectangle(m, cuts);
}

std::unique_ptr<InPlaceExecutor> make_cuda_lagged_rectangle(const DenseMatrices& m, const LaggedCuts& cuts) {
    return std::make_unique<CudaTileRectangle>(m, cuts);
}

}  // namespace poisson3d
