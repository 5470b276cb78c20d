// Spectral gradients beside free faces by ranks of MPI: those of one host.
#include <gtest/gtest.h>
#include <mpi.h>

#include "accuracy.hpp"
#include "member_mixes.hpp"
#include "one_solver.hpp"
#include "poisson3d/mpi.hpp"
#include "source_gradients.hpp"
#include "tolerance.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
void check() {
    const Communicator all = mpi(MPI_COMM_WORLD);
    const auto me = static_cast<std::size_t>(all.mine().front());
    Worst<T> worst("gradients beside free faces by ranks");
    for (int mix = 1; mix < 1000; mix += 101) {
        Problem problem = member_mix(mix, {9, 8, 7});
        problem.discretization = Discretization::spectral;
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        const Field<T> u = random_field<T>(points, mix), f = random_field<T>(points, mix + 1);
        const Gradients<T> expected = source_gradient_of_one(problem, u, f, T(3));
        const Decomposition parts =
            mix % 2 == 0
                ? Decomposition::slabs(points, all.size())
                : Decomposition::boxes(points, random_boxes(points, all.size(), static_cast<std::uint64_t>(mix)));
        DistributedGradient<T> gradient(problem, parts, all, {.threads = 1});
        Gradients<T> found = filled_gradient<T>(points), here = filled_gradient<T>(points);
        const std::vector<FieldView<const T>> solution{boxes_of<const T>(parts, u.view())[me]};
        const std::vector<FieldView<const T>> source{boxes_of<const T>(parts, f.view())[me]};
        const std::vector<std::array<FieldView<T>, 3>> to{components_of<T>(parts, found)[me]};
        gradient.evaluate_with_source(std::span(solution), std::span(source), T(3), std::span(to));
        const auto mine = components_of<T>(parts, here)[me];
        for (std::size_t a = 0; a < 3; ++a) {
            const FieldView<const T> wanted = boxes_of<const T>(parts, expected[a].view())[me];
            for (Index i = 0; i < wanted.extents[0]; ++i)
                for (Index j = 0; j < wanted.extents[1]; ++j)
                    for (Index k = 0; k < wanted.extents[2]; ++k) mine[a](i, j, k) = wanted(i, j, k);
            if (const double size = largest(expected[a]); size > 0.0)
                worst.check(largest_difference(found[a], here[a]) / size, 2 * tolerance::solve<T>(points),
                            describe(problem));
        }
    }
}
TEST(RankGradients, AreThoseOfOneBesideFreeFaces) {
    check<double>();
    check<float>();
}

}  // namespace
}  // namespace poisson3d
