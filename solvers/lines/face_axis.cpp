#include "face_axis.hpp"

#include "axis_kind.hpp"
#include "heat_kernel.hpp"

namespace poisson3d::lines {

namespace {

/// The least length from `least` on whose prime factors are 2, 3, 5 and 7.
Index fast_length(Index least) {
    for (Index length = least;; ++length) {
        Index rest = length;
        for (const Index p : {2, 3, 5, 7})
            while (rest % p == 0) rest /= p;
        if (rest == 1) return length;
    }
}

}  // namespace

Index half_period(const FaceAxis& axis) {
    if (axis.lines.periodic()) return axis.samples / 2;
    return axis.lines.centering == Centering::cell ? axis.lines.points : axis.lines.points - 1;
}

Index reach(const Axis& axis) {
    if (!half_free(axis)) return axis.points - 1;
    return axis.centering == Centering::cell ? 2 * axis.points - 1 : 2 * axis.points - 2;
}

FaceAxis face_axis(const Axis& axis) {
    FaceAxis face;
    face.free = axis.unbounded();
    face.count = axis_kind(axis).unknowns;
    face.lines = axis;
    if (!face.free) {
        face.samples = face.count;
        face.frequencies = axis.periodic() ? face.samples / 2 + 1 : face.samples;
        return face;
    }
    face.lines = {0, axis.step(), 0.0, axis.centering, axis.lower, axis.upper};
    if (!half_free(axis)) {
        face.lines.lower = face.lines.upper = Boundary::periodic;
        face.lines.centering = Centering::cell;
        face.lines.points = face.samples = 2 * fast_length(axis.points);
        face.frequencies = face.samples / 2 + 1;
        return face;
    }
    const Boundary wall = axis.lower == Boundary::free ? axis.upper : axis.lower;
    face.lines.lower = face.lines.upper = wall;
    const bool cells = axis.centering == Centering::cell;
    face.lines.points = fast_length(2 * axis.points) + (cells ? 0 : 1);
    face.samples = face.frequencies = axis_kind(face.lines).unknowns;
    face.offset = axis.lower == Boundary::free ? face.samples - face.count : 0;
    return face;
}

}  // namespace poisson3d::lines
