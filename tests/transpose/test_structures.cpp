// Structures ↔ arrays on the backend that the environment names: out of place, in place as users get it, and in
// place by tiles however small, with ranges and pieces cut at awkward places.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend_under_test.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/error.hpp"
#include "structures/executors.hpp"
#include "structures_reference.hpp"

namespace poisson3d {
namespace {

using test::backend;
constexpr StructureMove moves[] = {StructureMove::aos_to_soa, StructureMove::soa_to_aos};

class Structures : public testing::TestWithParam<int> {
protected:
    void SetUp() override {
        if (backend != Backend::cuda) return;
        if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    }
    [[nodiscard]] StructureProblem problem(Index count, int fields, StructureMove move) const {
        return {count, fields, GetParam(), move};
    }
};
INSTANTIATE_TEST_SUITE_P(, Structures, testing::Values(4, 8, 16),
                         [](const auto& test) { return std::to_string(test.param) + "bytes"; });

std::unique_ptr<InPlaceMovement> by_tiles(const StructureProblem& problem, const StructureCuts& cuts) {
    return backend == Backend::cuda ? make_cuda_structure_tiles(problem, cuts)
                                    : make_host_structure_tiles(problem, cuts, 2);
}

/// As many ranges as are asked for, as far as none of them is empty.
StructureCuts cuts_of(const StructureProblem& p, int log, Index ranges, std::uint32_t longest) {
    StructureCuts cuts{StructureTiles(p.count, p.fields, log), ranges, longest};
    cuts.ranges = (cuts.tiles.blocks() + cuts.blocks_per_range() - 1) / cuts.blocks_per_range();
    return cuts;
}

void expect_tiles_exact(const StructureProblem& p, const StructureCuts& cuts, int shift) {
    const auto executor = by_tiles(p, cuts);
    SCOPED_TRACE(test::describe(p) + ", " + executor->description() + ", " + std::to_string(cuts.ranges) +
                 " ranges, pieces of " + std::to_string(cuts.longest));
    test::expect_exact_in_place(p, backend, shift, [&](void* data) { executor->run(data, {}); });
}

TEST_P(Structures, OutOfPlace) {
    for (int fields = 1; fields <= max_fields; ++fields)
        for (const Index count : {1, 2, 3, 31, 32, 33, 1000, 4099}) {
            if (count > 1000 && fields % 7 != 0) continue;
            for (const StructureMove move : moves) {
                const StructureProblem p = problem(count, fields, move);
                const StructureTranspose plan(p, {backend, 2});
                SCOPED_TRACE(test::describe(p) + ", " + plan.description());
                test::expect_exact(p, backend, fields % 3,
                                   [&](const void* in, void* out) { plan.execute(in, out); });
                if (HasFatalFailure()) return;
            }
        }
}

TEST_P(Structures, InPlace) {
    for (int fields = 1; fields <= max_fields; ++fields)
        for (const Index count : {1, 2, 3, 31, 32, 33, 1000, 4099}) {
            if (count > 1000 && fields % 7 != 0) continue;
            for (const StructureMove move : moves) {
                const StructureProblem p = problem(count, fields, move);
                const StructureTransposeInPlace plan(p, {backend, 2});
                SCOPED_TRACE(test::describe(p) + ", " + plan.description());
                test::expect_exact_in_place(p, backend, fields % 3, [&](void* data) { plan.execute(data); });
                if (HasFatalFailure()) return;
            }
        }
}

TEST_P(Structures, InPlaceByTiles) {
    std::uint64_t number = 0;
    for (int fields = 2; fields <= max_fields; ++fields)
        for (const Index count : {1, 2, 3, 31, 32, 33, 64, 127, 1000, 1001, 4099})
            for (const int log : {0, 2, 3, 5, 7}) {
                // Two blocks must fit shared memory.
                if ((fields * GetParam()) << log > 96 << 10 || count >> log == 0 ||
                    (count > 1000 && (fields + log) % 7 != 0))
                    continue;
                const std::uint64_t pick = test::hash(++number);
                const StructureProblem p = problem(count, fields, moves[pick % 2]);
                const Index ranges = Index{1} << (pick / 2 % 5);
                const auto longest = static_cast<std::uint32_t>(1 + pick / 10 % 7 * (pick / 70 % 7));
                expect_tiles_exact(p, cuts_of(p, log, ranges, longest), static_cast<int>(pick / 490 % 4));
                if (HasFatalFailure()) return;
            }
}

TEST_P(Structures, InPlaceByTilesAsChosen) {
    for (const int fields : {2, 3, 5, 8, 13, 16, 31, 32, 33, 47, 64}) {
        const int log = tile_log(fields, GetParam());
        for (const Index extra : {-1, 0, 1, 333})
            for (const StructureMove move : moves) {
                const StructureProblem p = problem((Index{70} << log) + extra, fields, move);
                expect_tiles_exact(p, cuts_of(p, log, 7, 32), extra < 0 ? 1 : 0);
                if (HasFatalFailure()) return;
            }
    }
}

/// All are planned before one is executed: what one of them asks of the device must not be taken from another.
TEST_P(Structures, InPlaceInAnyOrderOfPlans) {
    std::vector<std::pair<StructureProblem, std::unique_ptr<StructureTransposeInPlace>>> plans;
    for (const int fields : {64, 33, 17, 8, 5, 3, 2})
        for (const StructureMove move : moves) {
            const StructureProblem p = problem((Index{18} << 20) / (fields * GetParam()) + 7, fields, move);
            plans.emplace_back(p, std::make_unique<StructureTransposeInPlace>(p, StructureOptions{backend, 2}));
        }
    for (const auto& [p, plan] : plans) {
        SCOPED_TRACE(test::describe(p) + ", " + plan->description());
        test::expect_exact_in_place(p, backend, 0, [&](void* data) { plan->execute(data); });
        if (HasFatalFailure()) return;
    }
}

TEST_P(Structures, LargeInPlace) {
    // 24 MB and more: not through scratch.
    for (const auto& [count, fields] : {std::pair<Index, int>{6'000'011, 3}, {1 << 21, 7}, {700'001, 29}}) {
        for (const StructureMove move : moves) {
            const StructureProblem p = problem(count, fields, move);
            const StructureTransposeInPlace plan(p, {backend, 2});
            SCOPED_TRACE(test::describe(p) + ", " + plan.description());
            EXPECT_EQ(plan.description().rfind("tiles of", 0), 0U);
            EXPECT_LE(plan.scratch_bytes(), std::size_t{64} << 20);
            test::expect_exact_in_place(p, backend, 0, [&](void* data) { plan.execute(data); });
            if (HasFatalFailure()) return;
        }
    }
}

TEST_P(Structures, RoundTripTwice) {
    const StructureProblem there = problem(300'007, 23, StructureMove::aos_to_soa);
    const StructureProblem back = problem(300'007, 23, StructureMove::soa_to_aos);
    const StructureTransposeInPlace first(there, {backend, 2});
    const StructureTransposeInPlace second(back, {backend, 2});
    const test::StructureImages images(there, 1);
    test::BackendBuffer memory(backend, images.before.bytes.size());
    memory.put(images.before.bytes.data());
    test::Bytes found(images.before.bytes.size());
    for (int round = 0; round < 2; ++round) {
        first.execute(memory.data() + images.before.start);
        memory.get(found.data());
        test::expect_equal(found, images.after.bytes, images.after.start, "the arrays");
        second.execute(memory.data() + images.before.start);
        memory.get(found.data());
        test::expect_equal(found, images.before.bytes, images.before.start, "the structures");
    }
}

}  // namespace
}  // namespace poisson3d
