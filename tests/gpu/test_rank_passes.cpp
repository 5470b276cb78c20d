// Ranks of MPI with a GPU each whose passes store what others need into their memory: the bits of one member.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "device_ranks.hpp"
#include "expect_error.hpp"
#include "one_solver.hpp"
#include "transport.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class RankPasses : public DeviceRanks<T> {
protected:
    void SetUp() override {
        try {
            static_cast<void>(this->all_.transport().choose(Way::passes, 1));
        } catch (const Error& error) {
            if (error.code() != ErrorCode::unsupported) throw;
            GTEST_SKIP() << error.what();
        }
        if (this->all_.size() == 1 || this->all_.size() > 16) GTEST_SKIP() << "2 to 16 ranks are wanted";
    }
    /// Whether as many members of one process, all on this device, have passes that store.
    [[nodiscard]] bool served_in_one_process(const Problem& problem, const Decomposition& parts) const {
        const std::vector<int> all(static_cast<std::size_t>(this->all_.size()), this->device_);
        try {
            DistributedSolver<T>(problem, parts, devices(all), {.method = Method::transpose, .way = Way::passes});
        } catch (const Error& error) {
            if (error.code() != ErrorCode::unsupported) throw;
            return false;
        }
        return true;
    }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(RankPasses, Types);

/// Kernels that know the length of a line, and those of any; all or a part stored, in chunks and pieces, with what
/// is removed from singular problems, and ranks of no planes.
TYPED_TEST(RankPasses, StoreWhatOthersNeed) {
    using T = TypeParam;
    for (const Extents& n : {Extents{32, 36, 50}, Extents{128, 64, 128}, Extents{49, 128, 65}}) {
        int served = 0;  // periodic lines of 49 have no outer steps, walled ones do
        for (const int c : {0, 11, 22, 55, 617}) {
            Problem problem = make_problem(combination(c), n);
            const Extents points = problem.grid.points();
            if (c == 0) problem.gauge.point = {points[0] - 2, 3, 5};
            const Field<T> f = random_field<T>(points, c);
            Result one, many;
            const Field<T> whole = this->solved(problem, Decomposition::slabs(points, 1), devices({this->device_}),
                                                f, {}, Method::transpose, one, Way::automatic);
            for (const Decomposition& parts :
                 {Decomposition::slabs(points, this->all_.size()), uneven(points, this->all_.size())}) {
                const bool may = this->served_in_one_process(problem, parts);
                for (const auto& [stored, chunks, pieces] :
                     {std::tuple{1.0, 0, 0}, std::tuple{0.6, 2, 1}, std::tuple{0.3, 3, 2}})
                    try {
                        DistributedSolver<T> solver(problem, parts, this->all_,
                                                    {.method = Method::transpose,
                                                     .chunks = chunks,
                                                     .way = Way::passes,
                                                     .pieces = pieces,
                                                     .stored = stored});
                        OnDevice<T> there(parts, this->me_, f, {});
                        const Field<T> expected = this->mine(parts, whole);
                        for (int time = 0; time < 3; ++time)
                            solver.solve(std::span(there.from), std::span(there.to), T(-1.5), there.streams);
                        many = solver.result();
                        EXPECT_TRUE(equal(there.solution(), expected))
                            << describe(problem) << ", stored " << stored;
                        EXPECT_EQ(one.mean_removed, many.mean_removed) << describe(problem);
                        EXPECT_NE(solver.description().find(", passes"), std::string::npos) << solver.description();
                        EXPECT_TRUE(may) << describe(problem);
                        ++served;
                    } catch (const Error& error) {
                        EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
                        EXPECT_FALSE(may) << describe(problem) << ": " << error.what();
                    }
            }
        }
        EXPECT_GE(served, n[0] == 49 ? 6 : 2 * 6) << n[0];
    }
}

/// Three fields at a time, each with buffers of its own that others store into.
TYPED_TEST(RankPasses, StoreBatches) {
    using T = TypeParam;
    constexpr Index fields = 5;
    const Problem problem = make_problem(combination(0), {64, 64, 50});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, this->all_.size());
    const Extents box = parts.box(this->me_).points;
    const Index size = box[0] * box[1] * box[2];
    Field<T> all({fields * box[0], box[1], box[2]}), expected(all.view().extents);
    std::vector<Field<T>> f;
    for (Index b = 0; b < fields; ++b) {
        f.push_back(random_field<T>(points, static_cast<int>(b) + 3));
        Result result;
        const Field<T> u = this->solved(problem, parts, this->all_, f.back(), {}, Method::transpose, result,
                                        this->all_.size() > 1 ? Way::copies : Way::automatic);
        std::copy_n(u.data(), size, expected.data() + b * size);
        std::copy_n(this->mine(parts, f.back()).data(), size, all.data() + b * size);
    }
    for (const double stored : {1.0, 0.2}) {
        DistributedSolver<T> solver(
            problem, parts, this->all_,
            {.method = Method::transpose, .batch = fields, .way = Way::passes, .stored = stored});
        DeviceField<T> from(all), to(all.view().extents);
        const FieldView<const T> first_f{from.view().data, box};
        const FieldView<T> first_u{to.view().data, box};
        const std::vector<FieldBatch<const T>> in{{first_f, fields, size}};
        const std::vector<FieldBatch<T>> out{{first_u, fields, size}};
        const DeviceStream stream;
        const std::vector<Stream> streams{stream.get()};
        for (int time = 0; time < 2; ++time)
            solver.solve(std::span<const FieldBatch<const T>>(in), std::span<const FieldBatch<T>>(out), {}, T(-1.5),
                         streams);
        EXPECT_EQ(solver.results().size(), static_cast<std::size_t>(fields));
        synchronize(stream.get());
        EXPECT_TRUE(equal(to.get(stream.get()), expected)) << stored;
    }
}

/// Plans that come and go beside others, which map the same memory once, and solves by turns.
TYPED_TEST(RankPasses, ShareMemoryThatIsMapped) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(22), {64, 32, 36});
    const Extents points = problem.grid.points();
    const Decomposition parts = Decomposition::slabs(points, this->all_.size());
    const Field<T> f = random_field<T>(points, 5);
    Result result;
    const Field<T> whole = this->solved(problem, Decomposition::slabs(points, 1), devices({this->device_}), f, {},
                                        Method::transpose, result, Way::automatic);
    OnDevice<T> there(parts, this->me_, f, {});
    const DistributedOptions options{.method = Method::transpose, .way = Way::passes, .stored = 0.5};
    DistributedSolver<T> first(problem, parts, this->all_, options);
    for (int time = 0; time < 4; ++time) {
        DistributedSolver<T> second(problem, parts, this->all_, options);
        first.solve(std::span(there.from), std::span(there.to), T(-1.5), there.streams);
        second.solve(std::span(there.from), std::span(there.to), T(-1.5), there.streams);
        static_cast<void>(second.result());
        EXPECT_TRUE(equal(there.solution(), this->mine(parts, whole)));
    }
}

TYPED_TEST(RankPasses, AreRefusedByAll) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(111), {9, 7, 18});  // lines of 7 have no outer steps
    const Decomposition parts = Decomposition::slabs(problem.grid.points(), this->all_.size());
    for (const Method method : {Method::transpose, Method::eliminate})
        expect_error(ErrorCode::unsupported, {"passes of members cannot store", "use another way"}, [&] {
            DistributedSolver<T>(problem, parts, this->all_, {.method = method, .way = Way::passes});
        });
}

}  // namespace
}  // namespace poisson3d
