// Views in device memory at sizes where whole tiles, ragged tiles and wide loads meet: any strides, any alignment.
// What small views must do is in the law of views; here are the paths that small fields do not take.
#include <gtest/gtest.h>

#include <vector>

#include "padded.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

constexpr std::array<Memory, 2> memories{Memory::fast, Memory::standard};

template <class T>
class DeviceViews : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceViews, Precisions);

/// Whole tiles, one more, one less, and long lines in each place.
const std::vector<Problem>& problems() {
    static const std::vector<Problem> all{
        make_problem({cell_p, cell_p, cell_p}, {64, 32, 128}),
        make_problem({cell_dd, cell_nn, cell_dn}, {65, 33, 127}, Discretization::spectral, 0.3),
        make_problem({node_dd, node_nn, node_dd}, {33, 65, 129}),
        make_problem({node_nn, node_dn, node_nd}, {31, 97, 63}, Discretization::spectral),
        make_problem({node_dn, cell_nd, node_p}, {5, 700, 34}),
        make_problem({cell_nn, node_nn, cell_dd}, {600, 3, 35}),
        make_problem({node_nd, node_dd, node_nn}, {7, 6, 1025}),
    };
    return all;
}

TYPED_TEST(DeviceViews, GhostLayersAreNeitherReadNorWritten) {
    using T = TypeParam;
    for (const Problem& problem : problems())
        for (const Memory memory : memories) {
            const Extents points = problem.grid.points();
            const bool dense = memory == Memory::standard;
            Options options = test_options();
            options.memory = memory;
            const Field<T> f = random_field<T>(points, 1);
            const Field<T> expected = solved(problem, f, nullptr, T(1), options);
            TestSolver<T> solver(problem, options);
            // Pitches that are multiples of a wide load, and such that are not.
            for (const Extents& above : {Extents{1, 2, 3}, Extents{0, 1, (64 - points[2] % 64) % 64}}) {
                Padded<T> from(points, {1, 2, 1}, above);
                from.fill(read(f));
                const Padded<T> before = from;
                Padded<T> to(points, dense ? Extents{} : Extents{1, 1, 2}, dense ? Extents{} : above);
                solver.solve(from.view(), to.view());
                EXPECT_EQ(different<T>(to.view(), read(expected)), 0) << describe(problem) << name(memory);
                EXPECT_EQ(to.damage(), 0) << describe(problem) << name(memory);
                EXPECT_EQ(from.differs_from(before), 0) << "f was written: " << describe(problem);
            }
        }
}

/// Where in `memory` an element may begin so that its address leaves `elements` elements by 256 bytes.
template <class T>
T* placed(std::vector<T>& memory, std::size_t elements) {
    const std::size_t now = reinterpret_cast<std::uintptr_t>(memory.data()) % 256;
    return memory.data() + (256 + elements * sizeof(T) - now) % 256 / sizeof(T);
}

TYPED_TEST(DeviceViews, NeedNoAlignmentButTheElements) {
    using T = TypeParam;
    for (const Problem& problem : problems())
        for (const Memory memory : memories) {
            const Extents points = problem.grid.points();
            Options options = test_options();
            options.memory = memory;
            const Field<T> f = random_field<T>(points, 2);
            const Field<T> expected = solved(problem, f, nullptr, T(1), options);
            TestSolver<T> solver(problem, options);
            const auto size = static_cast<std::size_t>(f.size());
            std::vector<T> from(size + 256, nan_of<T>(1));
            std::vector<T> to(size + 256);
            for (const auto& [f_at, u_at] : {std::pair<std::size_t, std::size_t>{1, 0}, {0, 1}, {1, 1}, {3, 2}}) {
                T* const at = placed(from, f_at);
                std::copy_n(f.data(), size, at);
                std::fill(to.begin(), to.end(), nan_of<T>(2));
                const FieldView<T> u(placed(to, u_at), points);
                solver.solve(FieldView<const T>(at, points), u);
                EXPECT_EQ(different<T>(u, read(expected)), 0)
                    << "f at " << f_at << ", u at " << u_at << ", " << name(memory) << ", " << describe(problem);
            }
            T* const both = placed(from, 1);
            std::copy_n(f.data(), size, both);
            solver.solve(FieldView<const T>(both, points), FieldView<T>(both, points));
            EXPECT_EQ(different<T>({both, points}, read(expected)), 0) << "in place, " << describe(problem);
        }
}

}  // namespace
}  // namespace poisson3d
