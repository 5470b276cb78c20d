#include "poisson3d/structures.hpp"

#include <algorithm>

#include "common/checks.hpp"
#include "structures/executors.hpp"

namespace poisson3d {

namespace {

constexpr const char* who = "structures";

const StructureProblem& validated(const StructureProblem& p) {
    if (p.count <= 0) refuse(who, "found a count of " + std::to_string(p.count) + ", wanted 1 or more");
    if (p.fields < 1 || p.fields > max_fields)
        refuse(who, "found " + std::to_string(p.fields) + " words in a structure, wanted 1 to " +
                        std::to_string(max_fields));
    if (p.word_bytes != 4 && p.word_bytes != 8 && p.word_bytes != 16)
        refuse(who, "found words of " + std::to_string(p.word_bytes) + " bytes, wanted 4, 8 or 16");
    if (p.count > max_field_bytes / (p.fields * p.word_bytes))
        refuse(who, "found " + std::to_string(p.count) + " structures of " +
                        std::to_string(p.fields * p.word_bytes) + " bytes: beyond 2^62 bytes");
    return p;
}

const StructureOptions& validated(const StructureOptions& options) {
    require_threads(who, options.threads);
    if (options.backend == Backend::cuda) require_cuda("a transpose of structures");
    return options;
}

/// Scratch that is always allowed, and the part of the data that is.
constexpr Index always_allowed = Index{64} << 20;
constexpr Index allowed_part = 50;
/// Up to here the data itself is copied to scratch.
constexpr Index small_bytes = Index{16} << 20;

constexpr Index largest_block = Index{32} << 10;
constexpr Index largest_tile = 4096, smallest_tile = 512;

}  // namespace

TransposeProblem matrix_of(const StructureProblem& p) {
    const bool aos_to_soa = p.move == StructureMove::aos_to_soa;
    TransposeProblem t;
    t.extents = aos_to_soa ? Extents{p.count, 1, p.fields} : Extents{p.fields, 1, p.count};
    t.permutation = rotation;
    t.in = dense_strides(t.extents);
    t.out = dense_strides(permute(t.extents, rotation));
    t.element_bytes = p.word_bytes;
    return t;
}

int tile_log(int fields, int word_bytes) noexcept {
    Index tile = largest_tile;
    while (tile > smallest_tile && tile * fields > largest_block) tile /= 2;
    int log = 0;
    while ((Index{word_bytes} << (log + 1)) <= tile) ++log;
    return log;
}

bool fits_scratch(const StructureProblem& p) noexcept {
    return p.count * p.fields * p.word_bytes <= small_bytes;
}

bool nothing_to_move(const StructureProblem& p) noexcept {
    return p.fields == 1 || p.count == 1;
}

StructureCuts choose_cuts(const StructureProblem& p, Index max_ranges) {
    StructureCuts cuts;
    cuts.tiles = StructureTiles(p.count, p.fields, tile_log(p.fields, p.word_bytes));
    const Index blocks = cuts.tiles.blocks();
    if (cuts.tiles.slots() >> 32 != 0)
        refuse(who,
               "found " + std::to_string(p.count) + " of " + std::to_string(p.fields * p.word_bytes) +
                   " bytes, more than 2^32 tiles; in place that many are not supported",
               ErrorCode::unsupported);
    // A range costs the copy of a block; without a shear nothing is, and every block is a range.
    constexpr Index least_blocks = 16;
    cuts.ranges = cuts.tiles.sheared() ? std::clamp<Index>(blocks / least_blocks, 1, max_ranges) : blocks;
    cuts.ranges = (blocks + cuts.blocks_per_range() - 1) / cuts.blocks_per_range();

    // Pieces of 32 moves save one tile in 32; longer ones where half of the scratch allowed would not hold that.
    const Index bytes = p.count * p.fields * p.word_bytes;
    const Index allowed = std::max(always_allowed, bytes / allowed_part) / 2;
    const Index tile_bytes = Index{p.word_bytes} << cuts.tiles.log();
    const Index per_piece = tile_bytes + static_cast<Index>(sizeof(ChainPiece) + sizeof(Slot));
    cuts.longest = static_cast<std::uint32_t>(std::max<Index>(32, cuts.tiles.slots() * per_piece / allowed + 1));
    return cuts;
}

StructureTranspose::StructureTranspose(const StructureProblem& problem, const StructureOptions& options)
    : transpose_(matrix_of(validated(problem)),
                 {options.backend, Algorithm::automatic, BlockOrder::automatic, 0, validated(options).threads}) {}

struct StructureTransposeInPlace::Plan {
    std::unique_ptr<InPlaceMovement> executor;
    int word_bytes;
};

StructureTransposeInPlace::StructureTransposeInPlace(const StructureProblem& problem,
                                                     const StructureOptions& options) {
    validated(problem);
    validated(options);
    plan_ = std::make_unique<Plan>(Plan{options.backend == Backend::cuda
                                            ? make_cuda_structures(problem)
                                            : make_host_structures(problem, options.threads),
                                        problem.word_bytes});
}

StructureTransposeInPlace::~StructureTransposeInPlace() = default;
StructureTransposeInPlace::StructureTransposeInPlace(StructureTransposeInPlace&&) noexcept = default;
StructureTransposeInPlace& StructureTransposeInPlace::operator=(StructureTransposeInPlace&&) noexcept = default;

void StructureTransposeInPlace::execute(void* data, Stream stream) const {
    require_pointer(who, data, plan_->word_bytes, "words");
    plan_->executor->run(data, stream);
}

std::string StructureTransposeInPlace::description() const {
    return plan_->executor->description();
}

std::size_t StructureTransposeInPlace::scratch_bytes() const noexcept {
    return plan_->executor->scratch_bytes();
}

}  // namespace poisson3d
