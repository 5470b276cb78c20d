// What stands beyond the free faces of an eliminated axis (host_beyond_faces.cpp), for engines of a GPU, too: they
// keep the last planes of u, few numbers, and these are worked on by the host when somebody asks.
#pragma once

#include <memory>

#include "engine.hpp"

namespace poisson3d {

template <class T>
class BeyondFaces {
public:
    virtual ~BeyondFaces() = default;
    BeyondFaces() = default;
    BeyondFaces(const BeyondFaces&) = delete;
    BeyondFaces& operator=(const BeyondFaces&) = delete;

    /// After each field of a call: the plane of u next to a free face, as it is given back.
    virtual void keep(Index field, int side, FieldView<const T> plane) = 0;
    /// And the current that leaves by free ends in the constant mode (ConstantLine::solve).
    virtual void keep(Index field, T current) = 0;
    /// `walls`, and what stands for the free faces of `fields` fields. Values are worked out once after each call.
    virtual BoundaryData<T> data(const BoundaryData<T>& walls, Index fields) = 0;
};

/// The plane of a field at an end of an axis, one point thick.
template <class T>
FieldView<T> end_plane(FieldView<T> u, int axis, int side) {
    FieldView<T> plane = u;
    if (side == 1) plane.data += (u.extents[axis] - 1) * u.strides[axis];
    plane.extents[axis] = 1;
    return plane;
}

/// Of a problem whose free axis is eliminated, for batches of `fields`.
template <class T>
std::unique_ptr<BeyondFaces<T>> make_beyond_faces(const Problem& problem, Index fields, int threads);

}  // namespace poisson3d
