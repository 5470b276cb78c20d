// Many plans at once, one to a thread, with teams of threads of their own: each gives the bits that it gives alone,
// also while other threads make and destroy plans. Built with the thread sanitizer, which sees what luck hides.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "poisson3d/gradient.hpp"
#include "poisson3d/in_place.hpp"
#include "poisson3d/mixed_solver.hpp"
#include "poisson3d/structures.hpp"
#include "problems.hpp"

namespace poisson3d {
namespace {

using namespace test;

/// Work for one thread; returns all that it computed, as bytes.
struct Job {
    std::string name;
    std::function<std::string()> run;
};

template <class T>
std::string bits(const Field<T>& field) {
    return {reinterpret_cast<const char*>(field.data()), static_cast<std::size_t>(field.size()) * sizeof(T)};
}

/// Every job alone, then `rounds` times in threads of their own that start together.
void expect_same_at_once(const std::vector<Job>& jobs, int rounds) {
    std::vector<std::string> alone;
    for (const Job& job : jobs) alone.push_back(job.run());
    std::deque<std::atomic<int>> others(jobs.size());
    std::latch start(static_cast<std::ptrdiff_t>(jobs.size()));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < jobs.size(); ++i)
        threads.emplace_back([&, i] {
            start.arrive_and_wait();
            for (int round = 0; round < rounds; ++round)
                if (jobs[i].run() != alone[i]) ++others[i];
        });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < jobs.size(); ++i) EXPECT_EQ(others[i], 0) << jobs[i].name;
}

/// What there is of boxes and options; each element another plan.
struct Case {
    Problem problem;
    Options options;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](const Kinds& which, const Extents& points, Discretization discretization, double helmholtz,
                         Memory memory, int threads) {
        Case one{make_problem(which, points, discretization, helmholtz), {}};
        one.options.engine = Engine::host;
        one.options.memory = memory;
        one.options.threads = threads;
        all.push_back(one);
    };
    constexpr auto stencil = Discretization::second_order;
    constexpr auto spectral = Discretization::spectral;
    add({cell_p, node_nn, cell_nn}, {9, 16, 25}, stencil, 0.0, Memory::fast, 3);
    add({cell_dd, node_dn, cell_p}, {16, 13, 21}, stencil, 0.0, Memory::standard, 2);
    add({node_dd, cell_nd, node_p}, {17, 15, 12}, spectral, 0.7, Memory::low, 2);
    add({node_nn, cell_p, cell_nn}, {11, 7, 64}, stencil, 0.0, Memory::low, 1);
    add({cell_dn, cell_dn, node_nd}, {1, 31, 30}, spectral, 0.0, Memory::fast, 2);
    add({cell_nn, node_p, cell_dd}, {7, 12, 18}, spectral, 0.0, Memory::standard, 3);
    all.front().problem.gauge.point = {1, 2, 3};
    return all;
}

/// A plan that all its runs share. Values on the walls of the first axis if there are any, and not spectral.
template <class AnySolver, class T>
std::function<std::string()> solve(const Case& one) {
    const auto solver = std::make_shared<AnySolver>(one.problem, one.options);
    return [solver, one] {
        const Field<T> f = random_field<T>(one.problem.grid.points(), 5);
        Field<T> u = filled_field<T>(one.problem.grid.points());
        BoundaryData<T> boundary;
        if (!one.problem.grid.axes[0].periodic() && one.problem.discretization == Discretization::second_order)
            boundary.faces[0][1].constant = T(0.5);
        solver->solve(f.view(), u.view(), boundary, T(2));
        const double mean = solver->result().mean_removed;
        return bits(u) + std::to_string(mean);
    };
}

template <class T>
std::function<std::string()> solve_batch(Case one) {
    one.options.batch = 3;
    const auto solver = std::make_shared<Solver<T>>(one.problem, one.options);
    return [solver, one] {
        Extents three = one.problem.grid.points();
        const Extents points = three;
        three[0] *= 3;
        Field<T> u = random_field<T>(three, 6);
        solver->solve(FieldBatch<const T>(u.data(), points, 3), FieldBatch<T>(u.data(), points, 3));
        return bits(u) + std::to_string(solver->results().size());
    };
}

template <class T>
std::function<std::string()> differentiate(const Case& one) {
    const auto gradient = std::make_shared<Gradient<T>>(one.problem, one.options);
    return [gradient, one] {
        const Extents points = one.problem.grid.points();
        const Field<T> u = random_field<T>(points, 7);
        Field<T> x(points), y(points), z(points);
        gradient->evaluate(u.view(), {x.view(), y.view(), z.view()});
        return bits(x) + bits(y) + bits(z);
    };
}

/// The same work with a plan that is made and destroyed in each run.
std::function<std::string()> with_own_plan(std::function<std::string()> (*make)(const Case&), const Case& one) {
    return [make, one] { return make(one)(); };
}

std::vector<Job> all_solves() {
    std::vector<Job> jobs;
    for (const Case& one : cases()) {
        const std::string name = describe(one.problem);
        jobs.push_back({"double, " + name, solve<Solver<double>, double>(one)});
        jobs.push_back({"single, " + name, solve<Solver<float>, float>(one)});
        jobs.push_back({"batch, " + name, solve_batch<double>(one)});
        jobs.push_back({"gradient, " + name, differentiate<double>(one)});
        jobs.push_back({"gradient in single, " + name, differentiate<float>(one)});
        if (one.problem.discretization == Discretization::second_order)
            jobs.push_back({"mixed, " + name, solve<MixedSolver, double>(one)});
    }
    return jobs;
}

TEST(AtOnce, SolvesAndGradients) {
    expect_same_at_once(all_solves(), 8);
}

TEST(AtOnce, PlansWhileOthersSolve) {
    std::vector<Job> jobs = all_solves();
    for (Case one : cases()) {
        const std::string name = "plans, " + describe(one.problem);
        jobs.push_back({name, with_own_plan(solve<Solver<double>, double>, one)});
        jobs.push_back({name, with_own_plan(solve<Solver<float>, float>, one)});
        jobs.push_back({name, with_own_plan(differentiate<double>, one)});
        jobs.push_back({name, with_own_plan(differentiate<float>, one)});
    }
    expect_same_at_once(jobs, 4);
}

// A plan may go from one thread to another, as long as they meet in between.
TEST(AtOnce, PlansChangeThreads) {
    const Case one = cases().front();
    const Field<double> f = random_field<double>(one.problem.grid.points());
    Field<double> here(one.problem.grid.points()), there(one.problem.grid.points());
    std::unique_ptr<Solver<double>> solver;
    std::thread([&] { solver = std::make_unique<Solver<double>>(one.problem, one.options); }).join();
    solver->solve(f.view(), here.view());
    std::thread([&, moved = std::move(*solver)]() mutable { moved.solve(f.view(), there.view()); }).join();
    EXPECT_EQ(bits(here), bits(there));
}

/// Bytes without pattern.
std::vector<std::uint64_t> words(Index count) {
    std::vector<std::uint64_t> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = hash(i, 3);
    return values;
}
std::string bits(const std::vector<std::uint64_t>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::uint64_t)};
}

TEST(AtOnce, Transposes) {
    std::vector<Job> jobs;
    for (const Permutation& permutation : {rotation, rotation_back, Permutation{2, 1, 0}, Permutation{1, 0, 2}}) {
        const Extents points{37, 41, 29}, cube{24, 24, 24};
        const TransposeProblem problem{points, dense_strides(points), dense_strides(permute(points, permutation)),
                                       permutation, 8};
        TransposeOptions options;
        options.threads = 2;
        const auto plan = std::make_shared<Transpose>(problem, options);
        for (int sharer = 0; sharer < 2; ++sharer)  // out of place one plan serves many threads
            jobs.push_back({plan->description(), [plan] {
                                const std::vector<std::uint64_t> in = words(37 * 41 * 29);
                                std::vector<std::uint64_t> out(in.size());
                                plan->execute(in.data(), out.data());
                                return bits(out);
                            }});
        for (const Extents& extents : {points, cube}) {
            InPlaceProblem in_place;
            in_place.extents = extents;
            in_place.permutation = permutation;
            InPlaceOptions in_place_options;
            in_place_options.threads = 2;
            const auto turn = std::make_shared<TransposeInPlace>(in_place, in_place_options);
            jobs.push_back({turn->description(), [turn, extents] {
                                std::vector<std::uint64_t> data = words(extents[0] * extents[1] * extents[2]);
                                turn->execute(data.data());
                                return bits(data);
                            }});
        }
    }
    expect_same_at_once(jobs, 4);
}

TEST(AtOnce, Structures) {
    std::vector<Job> jobs;
    for (const Index count : {Index{1001}, Index{1} << 20}) {  // through scratch, and tile by tile
        StructureProblem problem;
        problem.count = count;
        problem.fields = 9;
        const auto plan = std::make_shared<StructureTransposeInPlace>(problem, StructureOptions{Backend::host, 2});
        jobs.push_back({plan->description(), [plan, count] {
                            std::vector<std::uint64_t> data = words(9 * count);
                            plan->execute(data.data());
                            return bits(data);
                        }});
    }
    expect_same_at_once(jobs, 1);
}

}  // namespace
}  // namespace poisson3d
