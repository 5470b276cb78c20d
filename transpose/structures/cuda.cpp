// Structures and arrays in place on a CUDA device: what is planned, and the order of the launches.
#include "out_of_place/executors.hpp"
#include "poisson3d/device_memory.hpp"
#include "structures/cuda_launchers.hpp"

namespace poisson3d {

namespace {

class CudaTiles final : public InPlaceMovement {
public:
    CudaTiles(const StructureProblem& problem, const StructureCuts& cuts)
        : cuts_(cuts), moves_{cuts.tiles, problem.move == StructureMove::aos_to_soa}, bytes_(problem.word_bytes) {
        const ChainPlan chains = plan_chains(moves_, cuts.longest);
        const StructureScratch room(cuts, chains);
        scratch_ = DeviceBuffer(static_cast<std::size_t>(room.words() * bytes_));
        auto* const words = static_cast<std::byte*>(scratch_.data());
        tables_.edges = words;
        tables_.halos = words + room.edges * bytes_;
        tables_.saved = words + (room.edges + room.halos) * bytes_;
        pieces_ = put(chains.pieces);
        saved_slots_ = put(chains.saved);
        tables_.pieces = static_cast<const ChainPiece*>(pieces_.data());
        tables_.saved_slots = static_cast<const Slot*>(saved_slots_.data());
        tables_.piece_count = static_cast<Index>(chains.pieces.size());
        tables_.saved_count = static_cast<Index>(chains.saved.size());
    }

    void run(void* data, Stream stream) const override {
        using cuda::Edges;
        const auto queue = cuda::queue(stream);
        const bool aos_to_soa = moves_.aos_to_soa;
        const auto edges = [&](Edges what, bool of_structures) {
            cuda::launch_structure_edges(cuts_.tiles, what, of_structures, bytes_, data, tables_, queue);
        };
        const auto shear = [&] { cuda::launch_structure_shear(cuts_, aos_to_soa, bytes_, data, tables_, queue); };
        edges(Edges::save, aos_to_soa);
        if (aos_to_soa) shear();
        cuda::launch_structure_chains(moves_, bytes_, data, tables_, queue);
        if (!aos_to_soa) shear();
        edges(Edges::restore, !aos_to_soa);
    }

    [[nodiscard]] std::string description() const override {
        return "tiles of " + std::to_string(cuts_.tiles.length() * bytes_) + " bytes, " +
               std::to_string(tables_.piece_count) + " pieces of chains, " + std::to_string(cuts_.ranges) +
               (cuts_.tiles.sheared() ? " ranges of blocks" : " blocks");
    }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override {
        return scratch_.size() + pieces_.size() + saved_slots_.size();
    }

private:
    template <class T>
    static DeviceBuffer put(const std::vector<T>& values) {
        if (values.empty()) return {};
        DeviceBuffer buffer(values.size() * sizeof(T));
        copy_to_device(buffer.data(), values.data(), buffer.size());
        return buffer;
    }

    StructureCuts cuts_;
    TileMoves moves_;
    int bytes_;
    DeviceBuffer scratch_, pieces_, saved_slots_;
    cuda::StructureTables tables_;
};

/// All of it is copied to scratch and transposed back.
class CudaThroughScratch final : public InPlaceMovement {
public:
    explicit CudaThroughScratch(const StructureProblem& problem)
        : back_(make_cuda_executor(classify(matrix_of(problem)), problem.word_bytes, {})),
          scratch_(static_cast<std::size_t>(problem.count * problem.fields * problem.word_bytes)) {}
    void run(void* data, Stream stream) const override {
        copy_on_device(scratch_.data(), data, scratch_.size(), stream);
        back_->run(scratch_.data(), data, stream);
    }
    [[nodiscard]] std::string description() const override { return "through scratch, " + back_->description(); }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return scratch_.size(); }

private:
    std::unique_ptr<Executor> back_;
    DeviceBuffer scratch_;
};

}  // namespace

std::unique_ptr<InPlaceMovement> make_cuda_structures(const StructureProblem& problem) {
    if (nothing_to_move(problem)) return std::make_unique<NothingToMove>();
    if (fits_scratch(problem)) return std::make_unique<CudaThroughScratch>(problem);
    const Index ranges = cuda::concurrent_shear_blocks(problem.fields, problem.word_bytes);
    return make_cuda_structure_tiles(problem, choose_cuts(problem, ranges));
}

std::unique_ptr<InPlaceMovement> make_cuda_structure_tiles(const StructureProblem& problem,
                                                           const StructureCuts& cuts) {
    return std::make_unique<CudaTiles>(problem, cuts);
}

}  // namespace poisson3d
