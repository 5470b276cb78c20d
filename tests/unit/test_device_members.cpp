// Members on devices with their kernels executed on the host (host_passes.cpp): parts, shares, planes and blocks,
// the same phases and exchanges. The laws are the solution of one device, and the bits of one member where lines
// along x are whole.
#include <gtest/gtest.h>

#include <numeric>

#include "accuracy.hpp"
#include "beyond_faces.hpp"
#include "devices_on_host.hpp"
#include "exchange_schedule.hpp"
#include "expect_error.hpp"
#include "face_arrays.hpp"
#include "known_kernels.hpp"
#include "member.hpp"
#include "members.hpp"
#include "pipeline_on_host.hpp"
#include "poisson3d/device_stream.hpp"
#include "stretched_axis.hpp"
#include "worst.hpp"

namespace poisson3d {

/// Members on hosts are not what is tested here.
template <class T>
int host_axis_across(const Extents&) {
    return 2;
}
template <class T>
Index host_element_lines() {
    return 1;
}
template <class T>
std::unique_ptr<MemberEngine<T>> make_host_member(const Problem&, const Options&, SplitMethod, const Parts&, int) {
    return nullptr;
}
template <class T>
std::unique_ptr<MemberEngine<T>> make_padded_host_member(const Problem&, const Options&, const Parts&, int) {
    return nullptr;
}
/// Instead of what stands beyond faces: the planes and currents that it would be made of, each plane followed by
/// the current in the place of its next row.
template <class T>
class KeptFaces final : public BeyondFaces<T> {
public:
    void keep(Index field, int side, FieldView<const T> plane) override {
        std::vector<T>& kept = kept_[static_cast<std::size_t>(side)];
        const Index size = plane.extents[1] * plane.extents[2];
        columns_ = plane.extents[2], step_ = size + columns_;
        kept.resize(std::max(kept.size(), static_cast<std::size_t>((field + 1) * step_)));
        std::copy_n(plane.data, size, kept.data() + field * step_);
    }
    void keep(Index field, T current) override {
        for (std::vector<T>& kept : kept_)
            if (!kept.empty()) kept[static_cast<std::size_t>((field + 1) * step_ - columns_)] = current;
    }
    BoundaryData<T> data(const BoundaryData<T>& walls, Index) override {
        BoundaryData<T> all = walls;
        for (std::size_t side = 0; side < 2; ++side)
            if (!kept_[side].empty()) all.faces[0][side] = {T(0), kept_[side].data(), columns_, step_};
        return all;
    }

private:
    std::array<std::vector<T>, 2> kept_;
    Index columns_ = 0, step_ = 0;
};
template <class T>
std::unique_ptr<BeyondFaces<T>> make_beyond_faces(const Problem&, Index, int) {
    return std::make_unique<KeptFaces<T>>();
}
bool capturing(Stream) {
    return false;
}
template std::unique_ptr<BeyondFaces<float>> make_beyond_faces(const Problem&, Index, int);
template std::unique_ptr<BeyondFaces<double>> make_beyond_faces(const Problem&, Index, int);
template int host_axis_across<float>(const Extents&);
template int host_axis_across<double>(const Extents&);
template Index host_element_lines<float>();
template Index host_element_lines<double>();
template std::unique_ptr<MemberEngine<float>> make_host_member(const Problem&, const Options&, SplitMethod,
                                                               const Parts&, int);
template std::unique_ptr<MemberEngine<double>> make_host_member(const Problem&, const Options&, SplitMethod,
                                                                const Parts&, int);
template std::unique_ptr<MemberEngine<float>> make_padded_host_member(const Problem&, const Options&, const Parts&,
                                                                      int);
template std::unique_ptr<MemberEngine<double>> make_padded_host_member(const Problem&, const Options&, const Parts&,
                                                                       int);

namespace {

using namespace test;

constexpr double scale = -1.5;  ///< that of PipelineOnHost

/// Even, uneven, with one plane, with none.
Decomposition decomposition(const Extents& points, int which) {
    const Index n = points[0];
    if (which == 3) return Decomposition::slabs(points, std::vector<Index>{n - 1, 1});
    if (which == 4) return Decomposition::slabs(points, std::vector<Index>{1, n - 2, 0, 1});
    return Decomposition::slabs(points, which == 0 ? 2 : which == 1 ? 3 : 5);
}

template <class T>
Field<T> solved_by_devices(const Problem& problem, const Decomposition& parts, const Field<T>& f, Method method,
                           const BoundaryData<T>& data = {}, Way way = Way::automatic, double stored = 1.0) {
    const bool in_chunks = problem.grid.axes[1].lower != Boundary::periodic;
    const int pieces = problem.grid.axes[2].lower != Boundary::periodic ? 3 : 0;
    DistributedSolver<T> solver(problem, parts, devices_on_host(parts.members(), in_chunks),
                                {.method = method, .way = way, .pieces = pieces, .stored = stored});
    Field<T> u = filled_field<T>(problem.grid.points());
    const auto from = boxes_of<const T>(parts, f.view());
    const auto to = boxes_of<T>(parts, u.view());
    const auto faces = data_of(parts, data);
    solver.solve(std::span(from), std::span(to), std::span(faces), static_cast<T>(scale));
    return u;
}

/// By the kernels of one device, with lines along `eliminated`, or none.
template <class T>
Field<T> solved_by_one_device(const Problem& problem, const Field<T>& f, int eliminated,
                              const BoundaryData<T>& data = {}) {
    PipelineOnHost<T> one(problem, fused::make_fused_pipeline<T>(problem, Memory::standard, 1, eliminated));
    Field<T> u = filled_field<T>(problem.grid.points());
    one.solve(read(f), u.view(), data);
    return u;
}

template <class T>
void check_all_mixes(int first, int step) {
    Worst<T> worst("members on devices");
    for (int c = first; c < combinations; c += step) {
        const bool spectral = c % 7 == 0;
        Problem problem = make_problem(combination(c), {7, 6, c % 2 == 0 ? 10 : 9},
                                       spectral ? Discretization::spectral : Discretization::second_order,
                                       c % 3 == 0 ? 0.7 : 0.0);
        const Extents points = problem.grid.points();
        if (c % 4 == 0 && singular(problem)) problem.gauge.point = {points[0] - 2, 3, 5};
        const Decomposition parts = decomposition(points, c / step % 5);
        const Field<T> f = random_field<T>(points, c);
        const FaceArrays<T> faces(problem.grid, [&](int axis, int side, std::array<Index, 3> at) {
            at[axis] = side == 0 ? 0 : points[axis] - 1;
            return uniform(static_cast<std::uint64_t>((at[0] * 100 + at[1]) * 100 + at[2]), 5);
        });
        const BoundaryData<T> data = c % 5 < 3 && !spectral ? faces.data() : BoundaryData<T>{};
        const Field<T> expected = solved_by_one_device(problem, f, -1, data);
        const Field<T> u = solved_by_devices(problem, parts, f, Method::transpose, data);
        const Field<T> one =
            solved_by_devices(problem, Decomposition::slabs(points, 1), f, Method::transpose, data);
        EXPECT_EQ(different(read(u), read(one)), 0) << describe(problem) << ", " << parts.members() << " members";
        worst.check(relative_error(read(u), long_field(expected).view()), 2 * tolerance::solve<T>(points),
                    describe(problem));
        if (spectral) continue;
        const Field<T> eliminated = solved_by_devices(problem, parts, f, Method::eliminate, data);
        worst.check(relative_error(read(eliminated), long_field(expected).view()), 2 * tolerance::solve<T>(points),
                    describe(problem));
    }
}
TEST(DeviceMembers, SolveWhatOneDeviceSolves) {
    check_all_mixes<double>(0, 2);
    check_all_mixes<float>(1, 2);
}

/// Lines whose FFTs have outer steps: planes are turned on their way, some at a time; or stay, for want of room.
TEST(DeviceMembers, TurnPlanes) {
    Worst<double> worst("turned");
    for (const int c : {0, 11, 22, 33, 44, 55, 66, 77, 88, 99, 617})
        for (const Index odd : {0, 1}) {
            const Problem problem = make_problem(combination(c), {40, 48, 64 + odd});
            const Extents points = problem.grid.points();
            const Field<double> f = random_field<double>(points, c);
            const Field<double> expected = solved_by_one_device(problem, f, -1);
            const Field<double> one =
                solved_by_devices(problem, Decomposition::slabs(points, 1), f, Method::transpose);
            for (const Method method : {Method::transpose, Method::eliminate})
                for (const int which : {0, 1, 3}) {
                    const Field<double> u = solved_by_devices(problem, decomposition(points, which), f, method);
                    worst.check(relative_error(read(u), long_field(expected).view()),
                                2 * tolerance::solve<double>(points), describe(problem));
                    if (method != Method::transpose) continue;
                    EXPECT_EQ(different(read(u), read(one)), 0) << describe(problem);
                }
        }
}

/// Passes that store what other members need where they have it: the bits of one member. Lengths with outer steps
/// of radix 8 and of others, kernels that know 128, an odd number of lines, all kinds, even and uneven parts. Kinds
/// whose lines have no outer steps are refused.
template <class T>
void check_stores() {
    for (const Extents& n :
         {Extents{128, 32, 36}, Extents{25, 128, 36}, Extents{32, 36, 64}, Extents{64, 64, 25}}) {
        int served = 0;
        for (const int c : {0, 11, 22, 33, 44, 55, 66, 77, 88, 99, 617}) {
            Problem problem = make_problem(combination(c), n);
            const Extents points = problem.grid.points();
            if (c % 2 == 0 && singular(problem)) problem.gauge.point = {points[0] - 2, 3, 5};
            const Field<T> f = random_field<T>(points, c);
            const Field<T> expected =
                solved_by_devices(problem, Decomposition::slabs(points, 1), f, Method::transpose);
            std::vector<Index> even;
            for (int m = 0; m < 5; ++m) even.push_back(Decomposition::slabs(points, 5).planes(m));
            for (const std::vector<Index>& planes : {std::vector<Index>{points[0]},
                                                     {points[0] / 2, points[0] - points[0] / 2},
                                                     {points[0] - 1, 1},
                                                     {1, points[0] - 1},
                                                     {0, points[0]},
                                                     {points[0] / 3, points[0] - points[0] / 3 * 2, points[0] / 3},
                                                     {1, points[0] - 3, 0, 2},
                                                     even}) {
                const Decomposition parts = Decomposition::slabs(points, planes);
                try {
                    const double stored = c % 3 == 0 ? 1.0 : c % 3 == 1 ? 0.4 : 0.85;
                    const Field<T> u =
                        solved_by_devices(problem, parts, f, Method::transpose, {}, Way::passes, stored);
                    EXPECT_EQ(different(read(u), read(expected)), 0)
                        << describe(problem) << planes[0] << " planes, " << stored;
                    ++served;
                } catch (const Error& error) {
                    EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
                }
            }
        }
        EXPECT_GE(served, 8 * 6) << n[0];
    }
}
TEST(DeviceMembers, StoreInPasses) {
    const int known = KnownKernels::launched;
    check_stores<double>();
    check_stores<float>();
    EXPECT_GT(KnownKernels::launched, known);
}

/// More sections of a part than one level of separators takes, and than one thread's run.
TEST(DeviceMembers, SolveLongLines) {
    Worst<double> worst("long lines");
    for (const Index n : {64, 129, 520})
        for (const int c : {0, 11, 22, 33, 66, 88}) {
            const Problem problem = make_problem(combination(c), {n, 5, 6});
            const Extents points = problem.grid.points();
            const Field<double> f = random_field<double>(points, c);
            const Field<double> expected = solved_by_one_device(problem, f, 0);
            for (const int which : {0, 1, 3, 4})
                worst.check(relative_error(read(solved_by_devices(problem, decomposition(points, which), f,
                                                                  Method::eliminate)),
                                           long_field(expected).view()),
                            2 * tolerance::solve<double>(points), describe(problem));
        }
}

/// Any spacing along the split axis, and no end of it.
/// More than one run of separators, some without planes: as hundreds of GPUs would share a box.
template <class T>
void check_many_members() {
    Worst<T> worst("many members on devices");
    for (const int c : {0, 111, 222, 333, 421, 752})
        for (const int members : {17, 33, 50}) {
            Problem problem = make_problem(combination(c), {83, 6, 9}, Discretization::second_order, 0.0);
            const Extents points = problem.grid.points();
            if (singular(problem)) problem.gauge.point = {points[0] - 2, 3, 5};
            std::vector<Index> planes(static_cast<std::size_t>(members), 1);
            planes[3] = 0;
            planes.back() = points[0] - members + 2;
            const Field<T> f = random_field<T>(points, c);
            const Field<T> expected = solved_by_one_device(problem, f, -1);
            for (const Decomposition& parts :
                 {Decomposition::slabs(points, planes), Decomposition::slabs(points, members)})
                for (const Method method : {Method::transpose, Method::eliminate}) {
                    const Field<T> u = solved_by_devices(problem, parts, f, method);
                    worst.check(relative_error(read(u), long_field(expected).view()),
                                2 * tolerance::solve<T>(points), describe(problem));
                }
        }
}
TEST(DeviceMembers, AreMany) {
    check_many_members<double>();
    check_many_members<float>();
}

TEST(DeviceMembers, SolveUnevenAndFreeSplitAxes) {
    Worst<double> worst("uneven");
    constexpr Boundary F = Boundary::free, D = Boundary::dirichlet, N = Boundary::neumann;
    for (const auto& [lower, upper] : {std::pair{D, N}, {F, F}, {F, D}, {N, F}})
        for (const int c : {0, 22, 66}) {
            Problem problem = make_problem(combination(c), {23, 6, 10});
            problem.grid.axes[0].centering = Centering::cell;
            problem.grid.axes[0].lower = lower;
            problem.grid.axes[0].upper = upper;
            if (lower == D) problem.grid.axes[0].widths = random_steps(23, 20.0, 1);
            const Extents points = problem.grid.points();
            const Field<double> f = random_field<double>(points, c);
            const Field<double> expected = solved_by_one_device(problem, f, 0);
            for (int which = 0; which < 5; ++which)
                worst.check(relative_error(read(solved_by_devices(problem, decomposition(points, which), f,
                                                                  Method::automatic)),
                                           long_field(expected).view()),
                            2 * tolerance::solve<double>(points), describe(problem));
        }
}

/// The planes next to free faces, of each field of a batch, and the current that leaves there.
TEST(DeviceMembers, KeepWhatFacesAreMadeOf) {
    constexpr Boundary F = Boundary::free, D = Boundary::dirichlet, N = Boundary::neumann;
    for (const auto& [lower, upper] : {std::pair{F, F}, {F, D}, {N, F}})
        for (const int c : {0, 22, 66}) {
            Problem problem = make_problem(combination(c), {9, 6, 10});
            problem.grid.axes[0].centering = Centering::cell;
            problem.grid.axes[0].lower = lower, problem.grid.axes[0].upper = upper;
            const Extents points = problem.grid.points();
            const Index size = points[0] * points[1] * points[2], plane = points[1] * points[2];
            const Field<double> f = random_field<double>({2 * points[0], points[1], points[2]}, c);
            std::array<double, 2> first_current{};
            for (int which = 0; which < 5; ++which) {
                const Decomposition parts = decomposition(points, which);
                DistributedSolver<double> solver(problem, parts, devices_on_host(parts.members()), {.batch = 2});
                Field<double> u(f.view().extents);
                std::vector<FieldBatch<const double>> from;
                std::vector<FieldBatch<double>> to;
                for (int m = 0; m < parts.members(); ++m) {
                    from.emplace_back(f.view().slab(parts.first(m), parts.planes(m)), 2, size);
                    to.emplace_back(u.view().slab(parts.first(m), parts.planes(m)), 2, size);
                }
                for (int time = 0; time < 2; ++time)
                    solver.solve(std::span<const FieldBatch<const double>>(from),
                                 std::span<const FieldBatch<double>>(to));
                const BoundaryData<double> faces = solver.faces();
                for (std::size_t side = 0; side < 2; ++side) {
                    const FaceValues<double>& face = faces.faces[0][side];
                    ASSERT_EQ(face.data != nullptr, (side == 0 ? lower : upper) == F) << describe(problem);
                    for (Index b = 0; b < 2 && face.data != nullptr; ++b) {
                        const double* const kept = face.data + b * face.field_stride;
                        const Index row = b * points[0] + (side == 0 ? 0 : points[0] - 1);
                        EXPECT_EQ(std::memcmp(kept, u.view().slab(row, 1).data,
                                              sizeof(double) * static_cast<std::size_t>(plane)),
                                  0)
                            << describe(problem) << ", side " << side << ", field " << b;
                        // In the constant mode what flows in flows out: the same whoever solves.
                        double& first = first_current[static_cast<std::size_t>(b)];
                        if (which == 0) first = kept[plane];
                        EXPECT_NEAR(kept[plane], first, 1e-12 * std::abs(first)) << describe(problem);
                        EXPECT_EQ(first != 0.0, grows_far_away(problem)) << describe(problem);
                    }
                }
            }
        }
}

/// u := (∇² − λ) f, between solves, in views with gaps and in place, of batches.
TEST(DeviceMembers, ApplyWhatTheySolve) {
    for (const int c : {0, 11, 22, 55, 66, 77, 340})
        for (const Method method : {Method::transpose, Method::eliminate}) {
            const Problem problem = make_problem(combination(c), {9, 7, 18}, Discretization::second_order, 0.3);
            const Extents points = problem.grid.points();
            const Decomposition parts = decomposition(points, 4);
            DistributedSolver<double> solver(problem, parts, devices_on_host(4), {.method = method, .batch = 2});
            const Field<double> f = random_field<double>(points, c), other = random_field<double>(points, c + 1);
            const Field<double> expected = solved_by_devices(problem, parts, f, method);
            Field<double> both({2 * points[0], points[1], points[2]});
            std::copy_n(other.data(), f.size(), both.data());
            std::copy_n(f.data(), f.size(), both.data() + f.size());
            std::vector<FieldBatch<double>> u;
            for (int m = 0; m < 4; ++m)
                u.emplace_back(both.view().slab(parts.first(m), parts.planes(m)), 2, f.size());
            const std::vector<FieldBatch<const double>> from(u.begin(), u.end());
            solver.solve(std::span(from), std::span<const FieldBatch<double>>(u), {}, scale);
            Field<double> second(points);
            std::copy_n(both.data() + f.size(), f.size(), second.data());
            EXPECT_EQ(different(read(second), read(expected)), 0) << describe(problem);
            const auto in = boxes_of<const double>(parts, expected.view());
            Field<double> back = filled_field<double>(points);
            const auto out = boxes_of<double>(parts, back.view());
            solver.apply(std::span(in), std::span(out), 1 / scale);
            double worst = 0.0;
            for_each_unknown(problem.grid, [&](Index i, Index j, Index k) {
                worst = std::max(worst, std::abs(back.view()(i, j, k) - f.view()(i, j, k)));
            });
            EXPECT_LE(worst, 1e-11) << describe(problem) << name(method);
        }
}

/// Some fields at a time, each with its own buffers, constant and mean.
TEST(DeviceMembers, SolveBatches) {
    for (const int c : {0, 11, 66, 117})
        for (const int which : {0, 1, 3, 4})
            for (const Index fields : {1, 2, 3, 4, 5}) {
                Problem problem = make_problem(combination(c), {9, 7, 18});
                if (fields == 3 && singular(problem)) problem.gauge.point = {4, 3, 5};
                const Extents points = problem.grid.points();
                const Decomposition parts = decomposition(points, which);
                const int members = parts.members();
                DistributedSolver<double> solver(problem, parts, devices_on_host(members),
                                                 {.method = Method::transpose, .batch = 5, .pieces = which});
                DistributedSolver<double> one(problem, parts, devices_on_host(members),
                                              {.method = Method::transpose});
                Field<double> f({fields * points[0], points[1], points[2]}), u(f.view().extents);
                const Index size = points[0] * points[1] * points[2];
                std::vector<Result> results;
                Field<double> expected(u.view().extents);
                for (Index b = 0; b < fields; ++b) {
                    const Field<double> each = random_field<double>(points, c + static_cast<int>(b));
                    for (Index i = 0; i < size; ++i)
                        f.data()[b * size + i] = each.data()[i] + 0.25 * static_cast<double>(b);
                    const FieldView<double> here = expected.view().slab(b * points[0], points[0]);
                    const auto from = boxes_of<const double>(parts, f.view().slab(b * points[0], points[0]));
                    const auto to = boxes_of<double>(parts, here);
                    one.solve(std::span(from), std::span(to), scale);
                    results.push_back(one.result());
                }
                std::vector<FieldBatch<const double>> from;
                std::vector<FieldBatch<double>> to;
                for (int m = 0; m < members; ++m) {
                    from.emplace_back(f.view().slab(parts.first(m), parts.planes(m)), fields, size);
                    to.emplace_back(u.view().slab(parts.first(m), parts.planes(m)), fields, size);
                }
                solver.solve(std::span<const FieldBatch<const double>>(from),
                             std::span<const FieldBatch<double>>(to), {}, scale);
                EXPECT_EQ(different(read(u), read(expected)), 0)
                    << describe(problem) << ", " << members << " members, " << fields << " fields";
                const std::vector<Result> found = solver.results();
                ASSERT_EQ(found.size(), results.size());
                for (std::size_t b = 0; b < found.size(); ++b)
                    EXPECT_EQ(found[b].mean_removed, results[b].mean_removed) << describe(problem) << b;
            }
}

TEST(DeviceMembers, StoreBatchesInPasses) {
    for (const int which : {0, 1, 4}) {
        const Problem problem = make_problem(combination(0), {64, 64, 25});
        const Extents points = problem.grid.points();
        const Decomposition parts = decomposition(points, which);
        DistributedSolver<double> solver(
            problem, parts, devices_on_host(parts.members()),
            {.method = Method::transpose, .batch = 3, .way = Way::passes, .stored = which == 0 ? 1.0 : 0.6});
        const Index size = points[0] * points[1] * points[2];
        Field<double> f({3 * points[0], points[1], points[2]}), u(f.view().extents);
        for (Index i = 0; i < f.size(); ++i)
            f.data()[i] = std::sin(static_cast<double>(i)) + static_cast<double>(i / size);
        std::vector<FieldBatch<const double>> from;
        std::vector<FieldBatch<double>> to;
        for (int m = 0; m < parts.members(); ++m) {
            from.emplace_back(f.view().slab(parts.first(m), parts.planes(m)), 3, size);
            to.emplace_back(u.view().slab(parts.first(m), parts.planes(m)), 3, size);
        }
        solver.solve(std::span<const FieldBatch<const double>>(from), std::span<const FieldBatch<double>>(to), {},
                     scale);
        for (Index b = 0; b < 3; ++b) {
            Field<double> one(points), solution(points);
            std::copy_n(f.data() + b * size, size, one.data());
            std::copy_n(u.data() + b * size, size, solution.data());
            const Field<double> expected = solved_by_devices(problem, parts, one, Method::transpose);
            EXPECT_EQ(different(read(solution), read(expected)), 0) << b;
            const double mean = std::accumulate(one.data(), one.data() + size, 0.0) / static_cast<double>(size);
            EXPECT_NEAR(solver.results()[static_cast<std::size_t>(b)].mean_removed, scale * mean, 1e-12);
        }
    }
}

/// Over fast links passes store by themselves, where they can; else all is sent.
TEST(DeviceMembers, StoreInPassesOverFastLinks) {
    for (const Index n : {64, 7})
        for (const double rate : {3e11, 2e10}) {
            const Problem problem = make_problem(combination(0), {64, n, 32});
            const Decomposition parts = decomposition(problem.grid.points(), n == 7 || rate < 1e11 ? 1 : 0);
            DistributedSolver<double> solver(
                problem, parts, Communicator(std::make_shared<DevicesOnHost>(parts.members(), 64, rate)),
                {.method = Method::transpose});
            const bool stores = solver.description().find("passes") != std::string::npos;
            EXPECT_EQ(stores, n == 64 && rate > 1e11) << solver.description();
            const Field<double> f = random_field<double>(problem.grid.points(), 3);
            Field<double> u = filled_field<double>(problem.grid.points());
            const auto from = boxes_of<const double>(parts, f.view());
            const auto to = boxes_of<double>(parts, u.view());
            solver.solve(std::span(from), std::span(to), scale);
            EXPECT_EQ(different(read(u), read(solved_by_devices(problem, parts, f, Method::transpose))), 0);
        }
}

TEST(ExchangeSchedule, IsThatOfTheOptionsOrOfTheSize) {
    constexpr Index mebibyte = Index{1} << 20;
    const auto choose = [](Index bytes, const DistributedOptions& options, double rate = 3e11, int members = 2,
                           bool beside = true) {
        return choose_schedule({members, bytes, 32 * mebibyte, true, rate, beside}, options);
    };
    EXPECT_EQ(choose(8 * mebibyte, {}).stored, 1.0);
    EXPECT_EQ(choose(8 * mebibyte, {}).chunks, 1);
    EXPECT_EQ(choose(64 * mebibyte, {}).stored, 0.5);
    EXPECT_EQ(choose(512 * mebibyte, {}).stored, 0.6);
    EXPECT_EQ(choose(512 * mebibyte, {}).chunks, 2);
    EXPECT_EQ(choose(4096 * mebibyte, {}).chunks, 8);
    EXPECT_EQ(choose(4096 * mebibyte, {}).shrink, 0.75);
    for (const auto& copies : {choose(512 * mebibyte, {}, 5e10), choose(512 * mebibyte, {.way = Way::copies})}) {
        EXPECT_EQ(copies.stored, 0.0);
        EXPECT_EQ(copies.chunks, 5);
        EXPECT_EQ(copies.pieces, 4);
        EXPECT_EQ(copies.shrink, 1.0);
    }
    EXPECT_EQ(choose(512 * mebibyte, {}, 0.0, 1).chunks, 1);
    EXPECT_EQ(choose(256 * mebibyte, {}, 3e11, 4).stored, 0.6);
    EXPECT_EQ(choose(256 * mebibyte, {}, 3e11, 4).chunks, 2);
    EXPECT_EQ(choose(32 * mebibyte, {}, 3e11, 4).stored, 1.0);
    for (const int members : {2, 4}) {
        EXPECT_EQ(choose(512 * mebibyte, {.batch = 3}, 3e11, members).stored, 0.2);
        EXPECT_EQ(choose(512 * mebibyte, {.batch = 3}, 3e11, members).chunks, 1);
        EXPECT_EQ(choose(512 * mebibyte, {.batch = 3, .way = Way::copies}, 0.0, members).chunks, 1);
    }
    EXPECT_EQ(choose(2048 * mebibyte, {.batch = 3}, 3e11, 4).chunks, 2);
    const ExchangeSchedule large = choose(2048 * mebibyte, {}, 3e11, 4), small = choose(256 * mebibyte, {}, 0.0, 4);
    EXPECT_EQ(large.stored, 0.0);
    EXPECT_EQ(large.chunks, 4);
    EXPECT_EQ(large.pieces, 4);
    EXPECT_EQ(small.chunks, 2);
    EXPECT_EQ(small.pieces, 2);
    EXPECT_EQ(choose(2048 * mebibyte, {.way = Way::passes, .stored = 0.3}, 3e11, 4).stored, 0.3);
    // Copies that wait for passes: what can be stored is.
    EXPECT_EQ(choose(256 * mebibyte, {}, 3e11, 4, false).stored, 1.0);
    EXPECT_EQ(choose(512 * mebibyte, {}, 3e11, 2, false).stored, 0.6);
    EXPECT_EQ(choose(2048 * mebibyte, {}, 3e11, 4, false).stored, 0.4);
    EXPECT_EQ(choose(2048 * mebibyte, {}, 3e11, 4, false).chunks, 4);
    EXPECT_EQ(choose(2048 * mebibyte, {}, 5e10, 4, false).stored, 0.0);
    const ExchangeSchedule asked =
        choose(512 * mebibyte, {.chunks = 3, .way = Way::passes, .pieces = 6, .stored = 0.25}, 0.0);
    EXPECT_EQ(asked.chunks, 3);
    EXPECT_EQ(asked.pieces, 6);
    EXPECT_EQ(asked.stored, 0.25);
}

TEST(DeviceMembers, RefuseWhatTheyCannotHave) {
    Problem problem = make_problem(combination(111), {9, 7, 18});
    const Decomposition parts = decomposition(problem.grid.points(), 0);
    problem.grid.axes[1].widths = random_steps(7, 20.0, 1);
    expect_error(ErrorCode::unsupported, {"axis y has positions", "use members on threads"},
                 [&] { DistributedSolver<double>(problem, parts, devices_on_host(2)); });
    problem.grid.axes[1].widths.clear();
    const auto refused = [&](int members, Method method, const std::string& found) {
        expect_error(ErrorCode::unsupported, {"passes of members cannot store", found, "use another way"}, [&] {
            DistributedSolver<double>(problem, Decomposition::slabs(problem.grid.points(), members),
                                      devices_on_host(members), {.method = method, .way = Way::passes});
        });
    };
    refused(2, Method::transpose, "found 2 members that transpose");  // lines of 7 have no outer steps
    refused(2, Method::eliminate, "found 2 members that eliminate");
    refused(3, Method::transpose, "found 3 members that transpose");
    DistributedSolver<double> solver(problem, parts, devices_on_host(2));
    Field<double> u = filled_field<double>({10, 7, 18});
    const auto to = boxes_of<double>(parts, u.view().slab(1, 9));
    const auto from = boxes_of<const double>(parts, u.view().slab(0, 9));
    expect_error(ErrorCode::usage, {"f and u of member 0 overlap"},
                 [&] { solver.solve(std::span(from), std::span(to)); });
    const std::vector<Stream> one(1);
    expect_error(ErrorCode::usage, {"found 1 streams, wanted 2"},
                 [&] { solver.solve(std::span(from), std::span(to), 1.0, one); });
}

}  // namespace
}  // namespace poisson3d
