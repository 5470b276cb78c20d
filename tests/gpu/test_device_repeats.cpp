// The same input gives the same bits on a device: again, after other work, in a fresh plan, in another workspace.
#include <gtest/gtest.h>

#include <vector>

#include "device_field.hpp"
#include "guarded_workspace.hpp"
#include "padded.hpp"
#include "test_solver.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
class DeviceRepeats : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceRepeats, Precisions);

/// Singular and not, with sums over many blocks of threads: where the order of additions could vary.
std::vector<Problem> sample() {
    std::vector<Problem> problems{
        make_problem({cell_p, cell_p, cell_p}, {96, 80, 112}),
        make_problem({cell_dd, cell_nn, cell_dn}, {96, 80, 112}, Discretization::spectral),
        make_problem({node_dd, node_nn, node_dd}, {97, 65, 129}),
        make_problem({node_nn, node_nn, node_nn}, {97, 65, 129}, Discretization::spectral),
        make_problem({cell_nn, node_p, cell_nn}, {61, 101, 53}),
        make_problem({node_nd, cell_dd, node_dn}, {4, 5, 1601}),
    };
    problems.push_back(problems[3]);
    problems.back().gauge.point = {96, 0, 70};
    return problems;
}

TYPED_TEST(DeviceRepeats, EveryRunAndEveryPlan) {
    using T = TypeParam;
    for (const Problem& problem : sample())
        for (const Memory memory : {Memory::fast, Memory::standard}) {
            const Extents points = problem.grid.points();
            Options options = test_options();
            options.memory = memory;
            const Field<T> f = random_field<T>(points, 3);
            Result first;
            const Field<T> expected = solved(problem, f, &first, T(1), options);
            GuardedWorkspace workspace(Solver<T>::workspace_bytes(problem, options));
            for (const bool brought : {false, true}) {
                if (brought) options.workspace = workspace.inside();
                Solver<T> solver(problem, options);
                const DeviceField<T> from(f);
                const DeviceField<T> other(random_field<T>(points, 4));
                DeviceField<T> to(points);
                for (int again = 0; again < 5; ++again) {
                    to.poison();
                    solver.solve(from.view(), to.view());
                    EXPECT_EQ(different<T>(to.get().view(), read(expected)), 0)
                        << describe(problem) << ", " << name(memory) << ", run " << again;
                    EXPECT_EQ(solver.result().mean_removed, first.mean_removed);
                    solver.apply(other.view(), to.view(), T(3));
                    solver.solve(other.view(), to.view(), T(-2));  // leaves another mean and gauge behind
                }
                EXPECT_EQ(solver.workspace(), workspace.inside().size());
            }
            EXPECT_EQ(workspace.damage(), 0U) << describe(problem) << ", " << name(memory);
        }
}

}  // namespace
}  // namespace poisson3d
