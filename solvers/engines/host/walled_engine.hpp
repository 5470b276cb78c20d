// Two or three free axes, second_order: walls and faces (walled_engine.cpp).
#pragma once

#include <memory>

#include "engine.hpp"
#include "free_faces.hpp"

namespace poisson3d::host {

template <class T>
std::unique_ptr<EngineBase<T>> make_walled_engine(const Problem& problem, const Options& options);

template <class T>
std::size_t walled_workspace_bytes(const Problem& problem, const Options& options);

}  // namespace poisson3d::host
