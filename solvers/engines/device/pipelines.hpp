// The ways through the passes on a GPU. Each is defined in a folder of its own.
#pragma once

#include "pipeline.hpp"

namespace poisson3d::fused {

/// Any kinds, in memory mode fast. Axes whose FFTs have kernels (prime factors 2, 3, 5, 7, and two lines fit shared
/// memory) take them, along others cuFFT transforms batches of lines. Null in other modes, where an axis has more
/// than 16382 unknowns, and where the sweeps of engine cufft are faster: for one field, not for a batch. All of it
/// goes through a pass together, or parts of 1 GiB.
template <class T>
std::unique_ptr<device::Pipeline<T>> make_fused_pipeline(const Problem& problem, Memory memory, Index batch = 1);

/// Any kinds, in memory mode low: inside u, with rotations in place, whose scratch is not in the workspace. `room`
/// bytes for lines and as many for cuFFT; 0: chosen. Null where an axis has more than 16382 unknowns.
template <class T>
std::unique_ptr<device::Pipeline<T>> make_low_pipeline(const Problem& problem, std::size_t room = 0);

}  // namespace poisson3d::fused

namespace poisson3d::cufft {

/// Any kinds: lines paired to complex ones, batches of 1-D FFTs, rotating sweeps between them. `memory` is fast or
/// standard.
template <class T>
std::unique_ptr<device::Pipeline<T>> make_rotating_pipeline(const Problem& problem, Memory memory);

/// All-periodic boxes by cuFFT's 3-D transforms; null where they cannot be used or are not the faster way.
template <class T>
std::unique_ptr<device::Pipeline<T>> make_periodic_pipeline(const Problem& problem, Memory memory);

}  // namespace poisson3d::cufft
