// Members on devices whose free axes are padded with zeros, their kernels executed on the host: the bits of one
// device, and brute force in long double.
#include <gtest/gtest.h>

#include "accuracy.hpp"
#include "devices_on_host.hpp"
#include "expect_error.hpp"
#include "members.hpp"
#include "pipelines.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

#include "free_pipeline.hpp"  // its scale is a name in the others

namespace poisson3d {
namespace {

using namespace test;

template <class T>
Field<T> solved_by_one_device(const Problem& problem, FieldView<const T> f) {
    Field<T> u = filled_field<T>(problem.grid.points());
    PipelineOnHost<T>(problem, fused::make_padded_pipeline<T>(problem, Memory::standard)).solve(f, u.view());
    return u;
}

/// Twice, so that what a solve leaves behind is not missed by the next.
template <class T>
Field<T> solved_by_devices(const Problem& problem, const Decomposition& parts, const Field<T>& f,
                           const DistributedOptions& options = {}, bool in_chunks = true) {
    DistributedSolver<T> solver(problem, parts, devices_on_host(parts.members(), in_chunks), options);
    Field<T> u = filled_field<T>(problem.grid.points());
    const auto from = boxes_of<const T>(parts, f.view());
    const auto to = boxes_of<T>(parts, u.view());
    for (int time = 0; time < 2; ++time) solver.solve(std::span(from), std::span(to), static_cast<T>(scale));
    EXPECT_EQ(solver.method(), Method::transpose);
    return u;
}

Decomposition some_parts(const Extents& points, int which) {
    switch (which % 7) {
        case 0: return Decomposition::slabs(points, 1);
        case 1: return Decomposition::slabs(points, 2);
        case 2: return Decomposition::slabs(points, 3);
        case 3: return Decomposition::slabs(points, std::vector<Index>{1, points[0] - 1, 0}).in_order_of({2, 0, 1});
        case 4: return Decomposition::slabs(points, static_cast<int>(points[0]) + 2);
        case 5: return Decomposition::pencils(points, {2, 2});
        default: return Decomposition::boxes(points, random_boxes(points, 4, static_cast<std::uint64_t>(which)));
    }
}

template <class T>
void check_mixes(const Extents& points) {
    Worst<T> worst("padded members on devices");
    int number = 0;
    for (const Mix& mix : free_mixes()) {
        const double lambda = std::array{0.0, 2.0, 0.0, 30.0}[number % 4];
        const Problem problem = make_problem(mix, points, Discretization::spectral, lambda);
        const Field<T> f = random_field<T>(problem.grid.points(), number);
        const Decomposition parts = some_parts(problem.grid.points(), number++);
        const Field<T> u = solved_by_devices(problem, parts, f, {}, number % 2 == 0);
        EXPECT_EQ(different(read(u), read(solved_by_one_device<T>(problem, f.view()))), 0) << describe(mix);
        worst.check(error_of<T>(problem, f.view(), u.view()), tolerance::solve<T>(problem.grid.points()),
                    describe(mix));
    }
    EXPECT_GT(number, 60);
}

TEST(PaddedDeviceMembers, HaveTheBitsOfOneDevice) {
    check_mixes<double>({6, 5, 7});
    check_mixes<float>({7, 4, 9});
}

/// Complex lines of radix 8, those of some passes, and none; in many chunks and pieces.
TEST(PaddedDeviceMembers, HaveTheBitsOfComplexLines) {
    const auto& free = test::free_kinds;
    const std::pair<Mix, Extents> cases[] = {{{free[cell_ff], free[node_ff], free[cell_ff]}, {32, 32, 32}},
                                             {{free[cell_ff], free[node_ff], free[cell_ff]}, {40, 33, 17}},
                                             {{free[cell_ff], free[cell_ff], kinds[cell_p]}, {32, 32, 64}},
                                             {{kinds[cell_p], free[cell_ff], free[node_ff]}, {64, 32, 32}},
                                             {{free[cell_ff], kinds[cell_dn], free[cell_df]}, {48, 21, 32}}};
    int number = 1;
    for (const auto& [mix, points] : cases) {
        const Problem problem = make_problem(mix, points, Discretization::spectral, number % 2 == 0 ? 0.3 : 0.0);
        const Field<double> f = random_field<double>(points, 3);
        const Field<double> expected = solved_by_one_device<double>(problem, f.view());
        for (const DistributedOptions& options :
             {DistributedOptions{}, DistributedOptions{.chunks = 3, .pieces = 4},
              DistributedOptions{.method = Method::transpose, .chunks = 1, .pieces = 3}}) {
            const Decomposition parts = Decomposition::slabs(points, 1 + number++ % 5);
            EXPECT_EQ(different(read(solved_by_devices(problem, parts, f, options)), read(expected)), 0)
                << describe(mix) << ", members: " << parts.members();
        }
    }
}

/// Rows and planes of f and u may be padded, u may be f, and fields come in batches.
TEST(PaddedDeviceMembers, TakeBatchesAndPaddedRowsInPlace) {
    const auto& free = test::free_kinds;
    const Problem problem =
        make_problem({free[node_nf], free[cell_ff], kinds[node_nd]}, {7, 6, 5}, Discretization::spectral, 0.1);
    const Extents points = problem.grid.points();
    const Strides strides{(points[1] + 1) * (points[2] + 3), points[2] + 3, 1};
    const Index size = points[0] * strides[0];
    std::vector<double> numbers(static_cast<std::size_t>(2 * size), 77.0);
    std::array<FieldView<double>, 2> fields{FieldView<double>(numbers.data(), points, strides),
                                            FieldView<double>(numbers.data() + size, points, strides)};
    std::array<Field<double>, 2> f{random_field<double>(points, 1), random_field<double>(points, 2)};
    const auto for_each_point = [&](const auto& body) {
        for (Index i = 0; i < points[0]; ++i)
            for (Index j = 0; j < points[1]; ++j)
                for (Index k = 0; k < points[2]; ++k) body(i, j, k);
    };
    for (const std::size_t b : {0, 1})
        for_each_point([&](Index i, Index j, Index k) { fields[b](i, j, k) = f[b].view()(i, j, k); });
    const Decomposition parts = Decomposition::slabs(points, 3);
    DistributedSolver<double> solver(problem, parts, devices_on_host(3), {.batch = 2});
    std::vector<FieldBatch<const double>> from;
    std::vector<FieldBatch<double>> to;
    for (const FieldView<double>& box : boxes_of<double>(parts, fields[0])) {
        from.emplace_back(box, 2, size);
        to.emplace_back(box, 2, size);
    }
    solver.solve(std::span<const FieldBatch<const double>>(from), std::span<const FieldBatch<double>>(to), {},
                 scale);
    for (const std::size_t b : {0, 1}) {
        const Field<double> expected = solved_by_one_device<double>(problem, f[b].view());
        for_each_point([&](Index i, Index j, Index k) { ASSERT_EQ(fields[b](i, j, k), expected.view()(i, j, k)); });
    }
    EXPECT_EQ(std::ranges::count(numbers, 77.0), 2 * (size - problem.grid.size()));
}

/// Two members send each other half of the modes of z: of twice as many as there are points, and no more.
TEST(PaddedDeviceMembers, SendWhatZIsPaddedWith) {
    const auto& free = test::free_kinds;
    const auto bytes_of = [&](const Mix& mix) {
        const Problem problem = make_problem(mix, {64, 64, 64}, Discretization::spectral);
        return DistributedSolver<double>(problem, Decomposition::slabs({64, 64, 64}, 2), devices_on_host(2))
            .traffic()
            .bytes;
    };
    constexpr double there_and_back = 2 * 64 * 64 * 64 / 2 * sizeof(double);
    EXPECT_NEAR(bytes_of({free[cell_ff], free[cell_ff], free[cell_ff]}) / there_and_back, 2.0, 0.26);
    EXPECT_NEAR(bytes_of({free[cell_ff], free[cell_ff], kinds[cell_p]}) / there_and_back, 1.0, 0.26);
}

TEST(PaddedDeviceMembers, RefuseWhatIsNotKnownBeyondTheBox) {
    const auto& cells = test::free_kinds[cell_ff];
    const Problem problem = make_problem({cells, cells, cells}, {4, 5, 6}, Discretization::spectral);
    const Decomposition parts = Decomposition::slabs({4, 5, 6}, 2);
    DistributedSolver<double> solver(problem, parts, devices_on_host(2));
    Field<double> u = random_field<double>({4, 5, 6});
    const auto to = boxes_of<double>(parts, u.view());
    const std::vector<FieldView<const double>> from(to.begin(), to.end());
    expect_error(ErrorCode::unsupported, {"operator cannot be applied", "pad with zeros"},
                 [&] { solver.apply(std::span(from), std::span(to)); });
    expect_error(ErrorCode::unsupported, {"spectral", "at the points alone"}, [&] { (void)solver.faces(); });
}

}  // namespace
}  // namespace poisson3d
