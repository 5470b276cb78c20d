// Host or GPU: where a solve happens, and why not elsewhere.
#pragma once

#include <memory>
#include <string>

#include "solving/solve_place.hpp"

namespace poisson3d::app {

template <class T>
struct ChosenPlace {
    std::unique_ptr<SolvePlace<T>> place;
    std::string fallback;  ///< why `automatic` had to do without a GPU; else empty
};

/// Makes the place that the engine of `task.options` asks for: `automatic` is a GPU if it can take the problem,
/// else the host. `boundary` is in host memory and outlives the place. Throws what making the place throws.
template <class T>
ChosenPlace<T> choose_place(SolveTask task, const BoundaryData<T>& boundary);

}  // namespace poisson3d::app
