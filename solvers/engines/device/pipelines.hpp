// The ways through the passes on a GPU. Each is defined in a folder of its own.
#pragma once

#include "pipeline.hpp"

namespace poisson3d::fused {

/// Unknowns of an axis that is eliminated: 1024 threads of a block have 8 each.
inline constexpr Index max_eliminated = 8192;

/// What a pass along a uniform axis takes, in copies of the field; see line_methods.hpp.
double pass_copies(const Axis& axis);

/// A kernel a pass, for any kinds, in any memory mode. FFTs of prime factors up to 13 go by radix steps, others by
/// a chirp. Null where the FFTs of a line are too long even for two sweeps (some 10⁸ elements). All fields of a
/// batch go through a pass together, or parts of 1 GiB (in mode standard, of its work area). `eliminated`: an axis,
/// if its middle pass is not to transform it.
template <class T>
std::unique_ptr<device::Pipeline<T>> make_fused_pipeline(const Problem& problem, Memory memory, Index batch = 1,
                                                         int eliminated = -1);

/// Free space by padded lines, a kernel a pass: any kinds beside one, two or three free axes. Null where lines of
/// twice an axis, with the symbol beside them, do not fit a block's shared memory. `radix8`: lines whose outer
/// steps are radix 8 have kernels of their own. `room`: bytes of planes between the outer passes, where there are
/// several slabs of them; 0: chosen, those of a field in mode fast, of a quarter in mode standard.
template <class T>
std::unique_ptr<device::Pipeline<T>> make_padded_pipeline(const Problem& problem, Memory memory, bool radix8 = true,
                                                          std::size_t room = 0);

/// Whether there is one, on the current device.
bool has_padded_pipeline(const Problem& problem);

}  // namespace poisson3d::fused

namespace poisson3d::walled {

/// The box with walls in the place of its two or three free axes' faces, of as many points.
Problem between_walls(const Problem& problem);

/// Free space by `walls`, a way through the passes of that box: two solves, or once and its middle pass again. Not
/// where nodes have a wall and a free face. Fields in device memory alone.
template <class T>
std::unique_ptr<device::Pipeline<T>> make_walled_pipeline(const Problem& problem, Index batch,
                                                          std::unique_ptr<device::Pipeline<T>> walls);

}  // namespace poisson3d::walled

namespace poisson3d::cufft {

/// cuFFT in batches and transposes, for any kinds and lengths, in any memory mode. `room` bytes for lines and as
/// many for cuFFT; 0: chosen.
template <class T>
std::unique_ptr<device::Pipeline<T>> make_cufft_pipeline(const Problem& problem, Memory memory,
                                                         std::size_t room = 0);

/// Why cuFFT, which is opened when it is asked for, cannot be used; empty if it can.
std::string missing_library();

}  // namespace poisson3d::cufft
