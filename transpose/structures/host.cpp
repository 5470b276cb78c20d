// Structures and arrays in place on the host: by tiles (structures/host_tiles.hpp), small ones through scratch.
#include <cstring>

#include "out_of_place/executors.hpp"
#include "structures/host_tiles.hpp"

namespace poisson3d {

namespace {

using host_transpose::HostThreads;

class HostTiles final : public InPlaceMovement {
public:
    HostTiles(const StructureProblem& problem, const StructureCuts& cuts, int threads)
        : threads_(threads, 0),
          tiles_(cuts, problem.move, problem.word_bytes, threads_.team().size()),
          scratch_(tiles_.scratch_bytes()) {}

    void run(void* memory, Stream) const override {
        const auto lock = threads_.lock();
        tiles_.run(static_cast<char*>(memory), static_cast<char*>(scratch_.data()), &threads_.team());
    }
    [[nodiscard]] std::string description() const override { return tiles_.description(); }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override {
        return scratch_.size() + tiles_.table_bytes();
    }

private:
    HostThreads threads_;
    HostTileTranspose tiles_;
    HostBuffer scratch_;
};

/// All of it is copied to scratch and transposed back.
class HostThroughScratch final : public InPlaceMovement {
public:
    HostThroughScratch(const StructureProblem& problem, int threads)
        : bytes_(static_cast<std::size_t>(problem.count * problem.fields * problem.word_bytes)),
          back_(make_host_executor(classify(matrix_of(problem)), problem.word_bytes, {.threads = threads})),
          scratch_(1, static_cast<Index>(bytes_)) {}
    void run(void* data, Stream) const override {
        const auto lock = scratch_.lock();
        std::memcpy(scratch_.scratch(0), data, bytes_);
        back_->run(scratch_.scratch(0), data, {});
    }
    [[nodiscard]] std::string description() const override { return "through scratch, " + back_->description(); }
    [[nodiscard]] std::size_t scratch_bytes() const noexcept override { return bytes_; }

private:
    std::size_t bytes_;
    std::unique_ptr<Executor> back_;
    HostThreads scratch_;  ///< of the calling thread alone
};

}  // namespace

std::unique_ptr<InPlaceMovement> make_host_structures(const StructureProblem& problem, int threads) {
    if (nothing_to_move(problem)) return std::make_unique<NothingToMove>();
    if (fits_scratch(problem)) return std::make_unique<HostThroughScratch>(problem, threads);
    constexpr Index ranges_per_thread = 4;
    const Index ranges = ranges_per_thread * (threads == 0 ? available_threads() : threads);
    return make_host_structure_tiles(problem, choose_cuts(problem, ranges), threads);
}

std::unique_ptr<InPlaceMovement> make_host_structure_tiles(const StructureProblem& problem,
                                                           const StructureCuts& cuts, int threads) {
    return std::make_unique<HostTiles>(problem, cuts, threads);
}

}  // namespace poisson3d
