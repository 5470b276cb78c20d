// Which way through the passes an engine of a GPU takes, and in which memory mode.
#pragma once

#include "pipeline.hpp"

namespace poisson3d::device {

/// Why the engine does not solve a problem that others do; empty: it does.
std::string refused(Engine kind, const Problem& problem, const Options& options);

/// Free axes are padded: no values on their faces are known.
bool pads_lines(const Problem& problem, const Options& options);

template <class T>
struct PipelineChoice {
    Memory memory;
    std::unique_ptr<Pipeline<T>> pipeline;
    std::size_t
        bytes;  ///< of device memory, with what is kept and what is removed of each field behind the pipeline's
};

/// In the memory mode asked for; automatic: the first of fast, standard and low that fits what the caller brings or
/// the current device has, or the smallest there is if none does.
template <class T>
PipelineChoice<T> choose_pipeline(Engine kind, const Problem& problem, const Options& options);

}  // namespace poisson3d::device
