// The sweeps of mixed precision on a device (refinement.hpp). All launches are asynchronous on `stream` and throw
// Error{device} when refused.
#pragma once

#include "poisson3d/stream.hpp"
#include "refinement.hpp"

namespace poisson3d::device {

/// partials[part] of f̃, one block a part.
void launch_measure(const Refinement& r, Partial* partials, Stream stream);
/// scalars := what all partials tell (measured()).
void launch_measured(const Refinement& r, const Partial* partials, Scalars* scalars, Stream stream);

/// single := s (f̃ − mean − L u); `first`: without L u.
void launch_residual(const Refinement& r, const Scalars* scalars, bool first, Stream stream);

/// partials[part] of `single`, then scalars->excess := its mean.
void launch_sum(const Refinement& r, Partial* partials, Stream stream);
void launch_excess(const Refinement& r, const Partial* partials, Scalars* scalars, Stream stream);

/// u := u + single/s; `first`: u and its Dirichlet nodes begin here.
void launch_correct(const Refinement& r, const Scalars* scalars, bool first, Stream stream);

}  // namespace poisson3d::device
