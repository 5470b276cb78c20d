// Gradients by members on devices, with their kernels executed on the host: several against one.
#include <gtest/gtest.h>

#include "accuracy.hpp"
#include "devices_on_host.hpp"
#include "face_arrays.hpp"
#include "gradients.hpp"
#include "member_mixes.hpp"
#include "members.hpp"
#include "one_solver.hpp"
#include "source_gradients.hpp"
#include "stretched_axis.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

template <class T>
Gradients<T> gradient_of_devices(const Problem& problem, const Decomposition& parts, const Field<T>& u,
                                 const BoundaryData<T>& data) {
    DistributedGradient<T> gradient(problem, parts, devices_on_host(parts.members()));
    Gradients<T> found = filled_gradient<T>(problem.grid.points());
    const auto from = boxes_of<const T>(parts, u.view());
    const auto to = components_of<T>(parts, found);
    const auto faces = data_of(parts, data);
    for (int time = 0; time < 2; ++time) gradient.evaluate(std::span(from), std::span(to), std::span(faces));
    return found;
}

template <class T>
void check(const Problem& problem, Worst<T>& worst) {
    const Extents points = problem.grid.points();
    const Field<T> u = random_field<T>(points, 3);
    const FaceArrays<T> faces(problem.grid, [](int axis, int side, std::array<Index, 3> at) {
        return uniform(static_cast<std::uint64_t>(at[0] * 101 + at[1] * 11 + at[2]), 2 * axis + side);
    });
    const bool spectral = problem.discretization == Discretization::spectral;
    const BoundaryData<T> data = spectral ? BoundaryData<T>{} : faces.data();
    const Gradients<T> one = gradient_of_devices(problem, Decomposition::slabs(points, 1), u, data);
    for (const Decomposition& parts :
         {Decomposition::slabs(points, 3), Decomposition::slabs(points, {1, points[0] - 3, 0, 2}),
          Decomposition::pencils(points, {2, 2}),
          Decomposition::pencils(points, {1, 0, points[0] - 1}, {4, points[1] - 4}),
          Decomposition::boxes(points, random_boxes(points, 6, 4))}) {
        const Gradients<T> found = gradient_of_devices(problem, parts, u, data);
        for (std::size_t a = 0; a < 3; ++a)
            if (!spectral) {
                EXPECT_TRUE(equal(found[a], one[a])) << "axis " << a << ", " << describe(problem);
            } else if (largest(one[a]) > 0.0) {
                worst.check(largest_difference(found[a], one[a]) / largest(one[a]), tolerance::solve<T>(points),
                            describe(problem));
            }
    }
}

template <class T>
void check_mixes() {
    Worst<T> worst("gradients by members on devices");
    for (int c = 0; c < combinations; c += 9)
        check<T>(make_problem(combination(c), {7, 6, 5}, discretizations[c % 2]), worst);
    Problem uneven = make_problem(combination(212), {11, 7, 6});
    uneven.grid.axes[0] = stretched_axis(Centering::cell, {Boundary::robin, Boundary::neumann, ""}, 11, 20.0, 1);
    check<T>(uneven, worst);
}
TEST(DeviceMemberGradients, AreThoseOfOneMember) {
    check_mixes<double>();
    check_mixes<float>();
}

/// Spectral ones beside free faces, which are made from f.
template <class T>
void check_free_mixes() {
    Worst<T> worst("gradients beside free faces by members on devices");
    for (const int mix : {0, 1, 45, 132, 303, 660, 606, 768}) {
        Problem problem = member_mix(mix, {7, 8, 6});
        problem.discretization = Discretization::spectral;
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        const Field<T> u = random_field<T>(points, 5), f = random_field<T>(points, 6);
        const Gradients<T> expected =
            source_gradient_of_members(problem, Decomposition::slabs(points, 1), devices_on_host(1), u, f, T(-2));
        for (const Decomposition& parts :
             {Decomposition::slabs(points, {3, 0, 4}), Decomposition::pencils(points, {2, 2})}) {
            const Gradients<T> found =
                source_gradient_of_members(problem, parts, devices_on_host(parts.members()), u, f, T(-2));
            for (std::size_t a = 0; a < 3; ++a)
                if (const double size = largest(expected[a]); size > 0.0)
                    worst.check(largest_difference(found[a], expected[a]) / size, 2 * tolerance::solve<T>(points),
                                describe(problem));
        }
    }
}
TEST(DeviceMemberGradients, AreThoseOfOneMemberBesideFreeFaces) {
    check_free_mixes<double>();
    check_free_mixes<float>();
}

}  // namespace
}  // namespace poisson3d
