// The host engine whose free axes are padded with zeros (padded_axis.hpp). Of problems with free faces it has all
// but uneven ones.
#pragma once

#include <memory>

#include "engine.hpp"

namespace poisson3d::host {

template <class T>
std::unique_ptr<EngineBase<T>> make_padded_engine(const Problem& problem, const Options& options);

template <class T>
std::size_t padded_engine_bytes(const Problem& problem, const Options& options);

}  // namespace poisson3d::host
