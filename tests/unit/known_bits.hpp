// Solves by passes on the host with what kernels of known lines do and without, which must give the same bits.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "known_kernels.hpp"
#include "pipeline_law.hpp"
#include "pipelines.hpp"

namespace poisson3d::test {

template <class T>
Field<T> solved(const Problem& problem, const Field<T>& f, Memory memory, bool known) {
    KnownKernels::forbidden = !known;
    KnownKernels::launched = 0;
    Field<T> u = filled_field<T>(f.extents());
    PipelineOnHost<T> pipeline(problem, fused::make_fused_pipeline<T>(problem, memory));
    pipeline.solve(read(f), u.view());
    KnownKernels::forbidden = false;
    return u;
}

template <class T>
void expect_same_bits(const Problem& problem, int passes, Memory memory = Memory::fast) {
    SCOPED_TRACE(describe(problem));
    const Field<T> f = random_field<T>(problem.grid.points(), 5);
    const Field<T> without = solved(problem, f, memory, false);
    EXPECT_EQ(KnownKernels::launched, 0);
    const Field<T> with = solved(problem, f, memory, true);
    EXPECT_EQ(KnownKernels::launched, passes);
    EXPECT_EQ(std::memcmp(with.data(), without.data(), static_cast<std::size_t>(f.size()) * sizeof(T)), 0);
}

}  // namespace poisson3d::test
