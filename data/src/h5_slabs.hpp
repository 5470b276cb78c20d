// Planes of a field in an HDF5 file as finite numbers in memory, whatever their type and order of bytes there.
#pragma once

#include "poisson3d/field.hpp"
#include "source.hpp"

namespace poisson3d::h5 {

/// Planes that are read at once: about 16 MiB in double precision, whole chunks where there are any, but never more
/// than a chunk layer of a flat field may ask for.
Index slab_planes(const Source& source);

/// Planes first … of the chosen field. Throws Error{file}, or Error{data} if one number is not finite.
template <class T>
void read_slab(const Source& source, Index first, FieldView<T> slab);

}  // namespace poisson3d::h5
