// Free faces: nothing stands beyond them, f is 0 there, and u decays or grows as slowly as it must.
#pragma once

#include "poisson3d/free_space.hpp"

namespace poisson3d {

/// Equal steps, and no face but free, Dirichlet and Neumann ones.
bool plain(Axis axis);

/// One axis is free, and second_order: a line of modes along it is eliminated, whatever its steps, and beyond its
/// free faces stands ground for each κ. All other problems with free faces pad their lines with zeros, or close the
/// box by walls and find what stands on them.
bool eliminates_free_axis(const Problem& problem) noexcept;

/// Free axes are padded: also the only one of second_order if nothing is to be eliminated. Throws
/// Error{unsupported} where an axis is to be eliminated and cannot.
bool pads_free_axes(const Problem& problem, Middle middle);

/// Two or three free axes of second_order: the box is closed by walls and corrected by what stands on them. With
/// the middle transform lines are padded instead.
bool closes_free_axes(const Problem& problem, Middle middle) noexcept;

/// A constant is left open (grows_far_away), and it is not to be that of far away: u has its mean or its value at a
/// point taken from it after the solve. What is taken is rounded with u. So the constant until then is one of the
/// size of u without it, in the place of that of far away, which depends on the unit of length and may be
/// any.
bool takes_constant(const Problem& problem) noexcept;

/// Of a problem with free faces: what no way to solve it has. Throws Error{unsupported}, or Error{usage} for a
/// gauge where nothing is left open.
void validate_free_faces(const Problem& problem);

}  // namespace poisson3d
