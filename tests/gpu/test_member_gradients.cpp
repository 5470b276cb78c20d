// Gradients by members on devices, several of them on one and on all there are: by differences the bits of one
// device, through the modes the same within rounding; in a graph, too.
#include <gtest/gtest.h>

#include <memory>

#include "accuracy.hpp"
#include "cuda_stream.hpp"
#include "device_field.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "gradients.hpp"
#include "member_mixes.hpp"
#include "one_solver.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_stream.hpp"
#include "source_gradients.hpp"
#include "stretched_axis.hpp"
#include "worst.hpp"

namespace poisson3d {
namespace {

using namespace test;

std::vector<std::vector<int>> device_lists() {
    std::vector<std::vector<int>> lists{{0}, {0, 0, 0, 0}};
    if (count_devices() > 1) lists.insert(lists.end(), {{0, 1}, {1, 0, 1, 0}});
    return lists;
}

/// Even, and with one plane, none, and two.
std::vector<Decomposition> decompositions(const Extents& points, std::size_t members) {
    std::vector<Decomposition> all{Decomposition::slabs(points, static_cast<int>(members))};
    if (members == 4) all.push_back(Decomposition::slabs(points, std::vector<Index>{points[0] - 3, 0, 1, 2}));
    return all;
}

/// What members have in the memory of their devices: u, its gradient, faces.
template <class T>
class Fields {
public:
    Fields(const Decomposition& parts, const std::vector<int>& devices, const Field<T>& u,
           const BoundaryData<T>& data)
        : parts_(parts), devices_(devices), to(devices.size()) {
        const auto faces_of_all = data_of(parts, data);
        for (std::size_t m = 0; m < devices.size(); ++m) {
            const DeviceScope scope(devices[m]);
            const Box box = parts.box(static_cast<int>(m));
            streams_.push_back(std::make_unique<DeviceStream>());
            streams.push_back(streams_.back()->get());
            Field<T> planes(box.points);
            if (planes.size() > 0) std::copy_n(u.view().slab(box.first[0], 0).data, planes.size(), planes.data());
            u_.push_back(std::make_unique<DeviceField<T>>(box.points));
            u_.back()->put(planes);
            from.push_back(u_.back()->view());
            for (auto& component : to[m]) {
                gradient_.push_back(std::make_unique<DeviceField<T>>(box.points));
                gradient_.back()->put(filled_field<T>(box.points));
                component = gradient_.back()->view();
            }
            faces.push_back(on_device(faces_of_all[m], box.points));
        }
    }
    [[nodiscard]] Gradients<T> found() const {
        Gradients<T> whole = filled_gradient<T>(parts_.points());
        for (std::size_t m = 0; m < devices_.size(); ++m) {
            const DeviceScope scope(devices_[m]);
            for (std::size_t a = 0; a < 3; ++a) {
                const Field<T> planes = gradient_[3 * m + a]->get();
                if (planes.size() > 0)
                    std::copy_n(planes.data(), planes.size(),
                                whole[a].view().slab(parts_.first(static_cast<int>(m)), 0).data);
            }
        }
        return whole;
    }

private:
    BoundaryData<T> on_device(BoundaryData<T> data, const Extents& box) {
        for (int axis = 0; axis < 3; ++axis)
            for (FaceValues<T>& face : data.faces[axis]) {
                const Index rows = box[axis == 0 ? 1 : 0], columns = box[axis == 2 ? 1 : 2];
                if (face.data == nullptr || rows == 0) continue;
                const auto bytes = static_cast<std::size_t>((rows - 1) * face.stride + columns) * sizeof(T);
                arrays_.push_back(std::make_unique<DeviceBuffer>(bytes));
                copy_to_device(arrays_.back()->data(), face.data, bytes);
                face.data = static_cast<const T*>(arrays_.back()->data());
            }
        return data;
    }
    Decomposition parts_;
    std::vector<int> devices_;
    std::vector<std::unique_ptr<DeviceField<T>>> u_, gradient_;
    std::vector<std::unique_ptr<DeviceBuffer>> arrays_;
    std::vector<std::unique_ptr<DeviceStream>> streams_;

public:
    std::vector<FieldView<const T>> from;
    std::vector<std::array<FieldView<T>, 3>> to;
    std::vector<BoundaryData<T>> faces;
    std::vector<Stream> streams;
};

template <class T>
void wait(const std::vector<int>& list, const Fields<T>& fields) {
    for (std::size_t m = 0; m < list.size(); ++m) {
        const DeviceScope scope(list[m]);
        synchronize(fields.streams[m]);
    }
}

template <class T>
Gradients<T> gradient_of_one_device(const Problem& problem, const Field<T>& u, const BoundaryData<T>& data) {
    Options options;
    options.engine = Engine::fused;
    Gradient<T> gradient(problem, options);
    Fields<T> one(Decomposition::slabs(problem.grid.points(), 1), {0}, u, data);
    gradient.evaluate(one.from[0], one.to[0], one.faces[0], one.streams[0]);
    wait({0}, one);
    return one.found();
}

template <class T>
class DeviceMemberGradients : public testing::Test {
protected:
    void SetUp() override {
        if (const std::string reason = missing_device(); !reason.empty()) GTEST_SKIP() << reason;
    }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceMemberGradients, Types);

std::vector<Problem> problems() {
    std::vector<Problem> all;
    for (const int c : {0, 111, 222, 385, 617, 760, 999})
        for (const Extents& points : {Extents{5, 6, 7}, Extents{34, 17, 65}}) {
            all.push_back(make_problem(combination(c), points));
            all.push_back(make_problem(combination(c), points, Discretization::spectral));
        }
    Problem uneven = make_problem(combination(212), {11, 7, 6});
    uneven.grid.axes[0] = stretched_axis(Centering::cell, {Boundary::robin, Boundary::neumann, ""}, 11, 20.0, 1);
    all.push_back(uneven);
    return all;
}

TYPED_TEST(DeviceMemberGradients, AreThoseOfOneDevice) {
    using T = TypeParam;
    Worst<T> worst("gradients by members on devices");
    for (const Problem& problem : problems()) {
        const Extents points = problem.grid.points();
        const bool spectral = problem.discretization == Discretization::spectral;
        const Field<T> u = random_field<T>(points, 3);
        const FaceArrays<T> arrays(problem.grid, [](int axis, int side, std::array<Index, 3> at) {
            return uniform(static_cast<std::uint64_t>(at[0] * 101 + at[1] * 11 + at[2]), 2 * axis + side);
        });
        const BoundaryData<T> data = spectral ? BoundaryData<T>{} : arrays.data();
        const Gradients<T> expected = gradient_of_one_device(problem, u, data);
        for (const std::vector<int>& list : device_lists()) {
            const Communicator members = devices(list);
            for (const Decomposition& parts : decompositions(points, list.size())) {
                const std::string what = describe(problem) + ", " + std::to_string(list.size()) + " members";
                DistributedGradient<T> gradient(problem, parts, members);
                Fields<T> there(parts, list, u, data);
                for (int time = 0; time < 3; ++time)
                    gradient.evaluate(std::span(there.from), std::span(std::as_const(there.to)),
                                      std::span(there.faces), there.streams);
                wait(list, there);
                const Gradients<T> found = there.found();
                for (std::size_t a = 0; a < 3; ++a) {
                    if (!spectral) {
                        EXPECT_TRUE(equal(found[a], expected[a])) << "axis " << a << ", " << what;
                    } else if (largest(expected[a]) > 0.0) {
                        worst.check(largest_difference(found[a], expected[a]) / largest(expected[a]),
                                    tolerance::solve<T>(points), what);
                    }
                }
            }
        }
    }
}

/// Evaluations in a row of fields that change between them, without waiting: no member is ahead of another.
TYPED_TEST(DeviceMemberGradients, WaitForEachOther) {
    using T = TypeParam;
    for (const Discretization discretization : discretizations) {
        const Problem problem = make_problem(combination(217), {40, 48, 64}, discretization);
        const Extents points = problem.grid.points();
        const Field<T> u = random_field<T>(points, 3), v = random_field<T>(points, 4);
        for (const std::vector<int>& list : device_lists()) {
            const Decomposition parts = Decomposition::slabs(points, static_cast<int>(list.size()));
            DistributedGradient<T> gradient(problem, parts, devices(list));
            Fields<T> of_u(parts, list, u, {}), of_v(parts, list, v, {}), often(parts, list, v, {});
            const auto evaluate = [&](const Fields<T>& from, const Fields<T>& to) {
                gradient.evaluate(std::span(from.from), std::span(to.to), {}, of_u.streams);
            };
            evaluate(of_u, of_u);
            wait(list, of_u);
            for (int time = 0; time < 20; ++time) evaluate(of_v, of_v), evaluate(of_u, often);
            wait(list, of_u);
            const Gradients<T> expected = of_u.found(), found = often.found();
            for (std::size_t a = 0; a < 3; ++a) EXPECT_TRUE(equal(found[a], expected[a])) << "axis " << a;
        }
    }
}

/// Of a solution that members found, with what they found on its free faces, against the host's.
TYPED_TEST(DeviceMemberGradients, FollowASolveWithFreeFaces) {
    using T = TypeParam;
    Worst<T> worst("gradients beside free faces");
    for (int number = 0; number < 4; ++number) {
        const Problem problem = free_problem(number, {12, 9, 18});
        const Extents points = problem.grid.points();
        const Field<T> f = random_field<T>(points, number);
        Options host;
        host.engine = Engine::host;
        Solver<T> one(problem, host);
        Field<T> u = filled_field<T>(points);
        one.solve(f.view(), u.view());
        const Gradients<T> expected = gradient_of_one(problem, u, one.faces());
        for (const std::vector<int>& list : device_lists()) {
            const Decomposition parts = Decomposition::slabs(points, static_cast<int>(list.size()));
            const Communicator members = devices(list);
            DistributedSolver<T> solver(problem, parts, members);
            DistributedGradient<T> gradient(problem, parts, members);
            Fields<T> there(parts, list, f, {});
            std::vector<FieldView<T>> solution;
            for (const FieldView<const T>& view : there.from)
                solution.emplace_back(const_cast<T*>(view.data), view.extents, view.strides);
            solver.solve(std::span(there.from), std::span(std::as_const(solution)), T(1), there.streams);
            const auto faces = solver.member_faces();
            gradient.evaluate(std::span(there.from), std::span(std::as_const(there.to)), std::span(faces),
                              there.streams);
            wait(list, there);
            const Gradients<T> found = there.found();
            for (std::size_t a = 0; a < 3; ++a)
                worst.check(largest_difference(found[a], expected[a]) / largest(expected[a]),
                            8 * tolerance::solve<T>(points), describe(problem));
        }
    }
}

/// Spectral ones beside free faces, which are made from f, against the host's; three times, since solves that come
/// again are recorded.
TYPED_TEST(DeviceMemberGradients, AreThoseOfAHostBesideFreeFaces) {
    using T = TypeParam;
    Worst<T> worst("spectral gradients beside free faces");
    for (const int mix : {0, 45, 132, 303, 660, 606, 768}) {
        Problem problem = member_mix(mix, {12, 9, 18});
        problem.discretization = Discretization::spectral;
        if (unbounded_axes(problem.grid) == 0) continue;
        const Extents points = problem.grid.points();
        const Field<T> u = random_field<T>(points, mix), f = random_field<T>(points, mix + 1);
        const Gradients<T> expected = source_gradient_of_one(problem, u, f, T(-2));
        for (const std::vector<int>& list : device_lists())
            for (const Decomposition& parts : decompositions(points, list.size())) {
                DistributedGradient<T> gradient(problem, parts, devices(list));
                Fields<T> of_u(parts, list, u, {}), of_f(parts, list, f, {});
                wait(list, of_f);
                for (int time = 0; time < 3; ++time)
                    gradient.evaluate_with_source(std::span(of_u.from), std::span(std::as_const(of_f.from)), T(-2),
                                                  std::span(std::as_const(of_u.to)), {}, of_u.streams);
                wait(list, of_u);
                const Gradients<T> found = of_u.found();
                for (std::size_t a = 0; a < 3; ++a)
                    if (const double size = largest(expected[a]); size > 0.0)
                        worst.check(largest_difference(found[a], expected[a]) / size,
                                    2 * tolerance::solve<T>(points), describe(problem));
            }
    }
}

TYPED_TEST(DeviceMemberGradients, AreCapturedInOneGraph) {
    using T = TypeParam;
    for (const Discretization discretization : discretizations) {
        const Problem problem = make_problem(combination(222), {24, 20, 32}, discretization);
        const Extents points = problem.grid.points();
        for (const std::vector<int>& list : device_lists()) {
            const Decomposition parts = Decomposition::slabs(points, static_cast<int>(list.size()));
            DistributedGradient<T> gradient(problem, parts, devices(list));
            Fields<T> there(parts, list, random_field<T>(points, 3), {});
            const auto evaluate = [&] {
                gradient.evaluate(std::span(there.from), std::span(std::as_const(there.to)), {}, there.streams);
            };
            evaluate();  // loads every kernel
            wait(list, there);
            const Gradients<T> expected = there.found();
            const DeviceScope scope(list[0]);
            const auto queue = static_cast<cudaStream_t>(there.streams[0].handle);
            cudaGraph_t graph = nullptr;
            cudaGraphExec_t executable = nullptr;
            check(cudaStreamBeginCapture(queue, cudaStreamCaptureModeRelaxed), "begin of capture");
            evaluate();
            check(cudaStreamEndCapture(queue, &graph), "end of capture");
            check(cudaGraphInstantiate(&executable, graph, 0), "graph");
            for (int time = 0; time < 3; ++time) check(cudaGraphLaunch(executable, queue), "launch of a graph");
            synchronize(there.streams[0]);
            const Gradients<T> found = there.found();
            for (std::size_t a = 0; a < 3; ++a) EXPECT_TRUE(equal(found[a], expected[a])) << "axis " << a;
            cudaGraphExecDestroy(executable);
            cudaGraphDestroy(graph);
        }
    }
}

TYPED_TEST(DeviceMemberGradients, AreOfFieldsOnTheirDevices) {
    using T = TypeParam;
    const Problem problem = make_problem(combination(111), {8, 8, 8});
    const Decomposition parts = Decomposition::slabs(problem.grid.points(), 2);
    DistributedGradient<T> gradient(problem, parts, devices({0, 0}));
    const Field<T> u = random_field<T>({8, 8, 8});
    Fields<T> there(parts, {0, 0}, u, {});
    const auto from = boxes_of<const T>(parts, u.view());
    expect_error(ErrorCode::usage, {"u of member 0: found it in the memory of the host, wanted that of device 0"},
                 [&] { gradient.evaluate(std::span(from), std::span(std::as_const(there.to))); });
}

}  // namespace
}  // namespace poisson3d
