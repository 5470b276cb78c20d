#pragma once

#include "pipeline.hpp"

namespace poisson3d::fused {

/// Any kinds, where every axis has FFT lengths of 2, 3, 5, 7 only that fit shared memory, in memory mode fast, and
/// where that is the fastest way; else null.
template <class T>
std::unique_ptr<cufft::Pipeline<T>> make_fused_pipeline(const Problem& problem, Memory memory);

}  // namespace poisson3d::fused
