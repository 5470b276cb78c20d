// Programs of tests that run as ranks of MPI: every rank runs all tests.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

namespace poisson3d::test {

/// On ranks other than the first: failures alone.
class Failures : public testing::EmptyTestEventListener {
public:
    explicit Failures(int rank) : rank_(rank) {}

private:
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (result.failed()) std::fprintf(stderr, "rank %d: %s\n", rank_, result.message());
    }
    int rank_;
};

/// After MPI_Init and InitGoogleTest, instead of RUN_ALL_TESTS: whether a test failed on any rank. Ends MPI.
inline int run_on_all_ranks() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new Failures(rank));
    }
    const int failed = RUN_ALL_TESTS();
    int any = 0;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any;
}

}  // namespace poisson3d::test
