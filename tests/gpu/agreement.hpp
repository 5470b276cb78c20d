// The device engine against the host engine. The host engine, in double, is the reference for both precisions: the
// right-hand sides have 24 bits, so they are the same, and no tolerance is spent on a second rounded solution.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axis_rules.hpp"
#include "dense.hpp"
#include "test_solver.hpp"
#include "worst.hpp"

namespace poisson3d::test {

class Agreement {
public:
    /// Solves `problem` on the host, and on the device in each precision with its memory mode. Random numbers may
    /// nearly miss the smoothest mode, which then is a difference of large ones: errors are measured over several
    /// right-hand sides, more of small problems. (One of 15 for 65³ points with one Dirichlet face has a solution
    /// seven times as small as others, of which rounding in float is 8 eps on the host and 16 on a GPU instead
    /// of 2.)
    void check(const Problem& problem, Memory in_double, Memory in_single) {
        const int batch = problem.grid.size() < 200 ? 8 : 2;
        const std::uint64_t first = count_;
        count_ += batch;
        compare<double>(problem, in_double, first, batch, solution_, mean_);
        compare<float>(problem, in_single, first, batch, solution_float_, mean_float_);
    }
    /// Both precisions in both memory modes.
    void check_all(const Problem& problem) {
        check(problem, Memory::fast, Memory::standard);
        check(problem, Memory::standard, Memory::fast);
    }

private:
    template <class T>
    static void compare(const Problem& problem, Memory memory, std::uint64_t first, int batch, Worst<T>& solution,
                        Worst<T>& mean) {
        const Extents points = problem.grid.points();
        const std::string where = describe(problem) + ", memory " + name(memory);
        // Below 8 points roundings no longer become fewer with the logarithm of the length.
        double allowed = std::max(tolerance::solve<T>(points), tolerance::solve<T>({8, 8, 8}));
        // Where u grows far away, nine tenths of the error are its constant, a sum of both signs that random f
        // makes twenty to eighty times as small as its terms.
        if (grows_far_away(problem)) allowed *= 2;
        Options options;
        options.engine = Engine::host;
        options.threads = 1;
        Solver<double> reference(problem, options);
        options = test_options();
        options.memory = memory;
        TestSolver<T> solver(problem, options);
        double difference = 0.0;
        double norm = 0.0;
        for (std::uint64_t seed = first; seed < first + batch; ++seed) {
            const double scale = seed % 2 == 0 ? 1.0 : -1.5;
            Field<double> expected = filled_field<double>(points);
            reference.solve(random_field<double>(points, seed).view(), expected.view(), scale);
            Field<T> u = filled_field<T>(points);
            solver.solve(random_field<T>(points, seed).view(), u.view(), static_cast<T>(scale));
            for (Index i = 0; i < u.size(); ++i) {
                const double wanted = expected.data()[i];
                difference += std::pow(static_cast<double>(u.data()[i]) - wanted, 2);
                norm += wanted * wanted;
            }
            const Result result = solver.result();
            EXPECT_EQ(result.singular, reference.result().singular) << where;
            mean.check(std::abs(result.mean_removed - reference.result().mean_removed), allowed * std::abs(scale),
                       where);
            if (result.singular && problem.gauge.point) {
                const auto [i, j, k] = *problem.gauge.point;
                EXPECT_EQ(u.view()(i, j, k), T(0)) << where;
                EXPECT_FALSE(std::signbit(u.view()(i, j, k))) << where;
            }
            expect_zero_at_dirichlet_nodes(problem, read(u), where);
        }
        solution.check(difference == 0.0 ? 0.0 : std::sqrt(difference / norm), allowed, where);
    }

    template <class T>
    static void expect_zero_at_dirichlet_nodes(const Problem& problem, FieldView<const T> u,
                                               const std::string& where) {
        const std::array rows{unknowns(problem.grid.axes[0]), unknowns(problem.grid.axes[1]),
                              unknowns(problem.grid.axes[2])};
        Index wrong = 0;
        for (Index i = 0; i < u.extents[0]; ++i)
            for (Index j = 0; j < u.extents[1]; ++j)
                for (Index k = 0; k < u.extents[2]; ++k) {
                    const bool unknown = rows[0].contain(i) && rows[1].contain(j) && rows[2].contain(k);
                    if (!unknown && u(i, j, k) != T(0)) ++wrong;
                }
        EXPECT_EQ(wrong, 0) << "Dirichlet nodes that are not 0: " << where;
    }

    std::uint64_t count_ = 0;
    Worst<double> solution_{"solution"}, mean_{"mean"};
    Worst<float> solution_float_{"solution"}, mean_float_{"mean"};
};

}  // namespace poisson3d::test
