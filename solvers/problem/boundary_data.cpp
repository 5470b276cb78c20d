#include "poisson3d/boundary_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "axis_kind.hpp"
#include "boundary_terms.hpp"
#include "chain.hpp"
#include "free_faces.hpp"
#include "ghost.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d {

namespace {

/// Of both ghosts, since the ghosts of a single unknown may both contain the data of one face.
double factor_of(const Axis& axis, int side) {
    if (!has_fast_transform(axis)) {
        const Chain chain = make_chain(axis);
        return -chain.feed[side] / (side == 0 ? chain.volumes.front() : chain.volumes.back());
    }
    const double met = beyond_of_unknowns(axis, 0).data[side] + beyond_of_unknowns(axis, 1).data[side];
    const double h = axis.step();
    return -met / (h * h);
}

bool fixed(const Axis& axis, int side) {
    return axis.centering == Centering::node && (side == 0 ? axis.lower : axis.upper) == Boundary::dirichlet;
}

template <class T>
void validate_face(const Grid& grid, const FaceValues<T>& face, int axis, int side) {
    const std::string who = "boundary data of " + face_name(grid, axis, side);
    if (face.zero()) return;
    if (grid.axes[axis].periodic())
        throw Error(ErrorCode::data,
                    who + ": axis " + grid.labels[axis] + " is periodic and has no faces, wanted none");
    if (is_free(grid.axes[axis], side))
        throw Error(ErrorCode::data, who + ": the face is free and nothing stands there, wanted none");
    const std::array<Index, 2> whole = extents_of_face(grid.points(), axis);
    const Index rows = face.data != nullptr ? whole[0] : 1;
    const Index columns = face.data != nullptr ? whole[1] : 1;
    if (face.data != nullptr && face.stride < columns)
        throw Error(ErrorCode::usage, who + ": found rows " + std::to_string(face.stride) +
                                          " elements apart, wanted at least " + std::to_string(columns));
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j)
            if (const T value = value_at(face, i, j); !std::isfinite(value))
                throw Error(ErrorCode::data, who + ": found " + format_number(static_cast<double>(value)) +
                                                 (face.data == nullptr ? std::string{}
                                                                       : " at [" + std::to_string(i) + ", " +
                                                                             std::to_string(j) + "]") +
                                                 ", wanted finite numbers everywhere");
}

/// Faces of axes a < b meet in an edge along the third axis c.
template <class T>
void validate_edge(const Grid& grid, const BoundaryData<T>& data, int a, int side_a, int b, int side_b) {
    const int c = 3 - a - b;
    const Index at_a = side_a == 0 ? 0 : grid.axes[a].points - 1;
    const Index at_b = side_b == 0 ? 0 : grid.axes[b].points - 1;
    for (Index k = 0; k < grid.axes[c].points; ++k) {
        // On the face of a the other indices are (b, c) in index order, on the face of b they are (a, c).
        const T on_a = b < c ? value_at(data.faces[a][side_a], at_b, k) : value_at(data.faces[a][side_a], k, at_b);
        const T on_b = a < c ? value_at(data.faces[b][side_b], at_a, k) : value_at(data.faces[b][side_b], k, at_a);
        const T allowed = 16 * std::numeric_limits<T>::epsilon() * std::max(std::abs(on_a), std::abs(on_b));
        if (std::abs(on_a - on_b) <= allowed) continue;
        throw Error(ErrorCode::data, "boundary data: faces " + face_name(grid, a, side_a) + " and " +
                                         face_name(grid, b, side_b) + " disagree on their common edge at " +
                                         grid.labels[c] + " index " + std::to_string(k) + ": found " +
                                         format_number(static_cast<double>(on_a)) + " and " +
                                         format_number(static_cast<double>(on_b)) + ", wanted the same value of u");
    }
}

}  // namespace

std::string face_name(const Grid& grid, int axis, int side) {
    return grid.labels[axis] + std::string(side == 0 ? "_lower" : "_upper");
}

template <class T>
void validate(const Grid& grid, const BoundaryData<T>& data) {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) validate_face(grid, data.faces[axis][side], axis, side);
    for (int a = 0; a < 3; ++a)
        for (int b = a + 1; b < 3; ++b)
            for (int side_a = 0; side_a < 2; ++side_a)
                for (int side_b = 0; side_b < 2; ++side_b)
                    if (fixed(grid.axes[a], side_a) && fixed(grid.axes[b], side_b))
                        validate_edge(grid, data, a, side_a, b, side_b);
}

template <class T>
BoundaryTerms<T> make_boundary_terms(const Grid& grid) {
    BoundaryTerms<T> terms;
    for (int axis = 0; axis < 3; ++axis) {
        const AxisKind kind = axis_kind(grid.axes[axis]);
        terms.first[axis] = kind.first;
        terms.last[axis] = kind.first + kind.unknowns - 1;
        for (int side = 0; side < 2; ++side)
            terms.factor[axis][side] = static_cast<T>(factor_of(grid.axes[axis], side));
    }
    return terms;
}

template void validate(const Grid&, const BoundaryData<float>&);
template void validate(const Grid&, const BoundaryData<double>&);
template BoundaryTerms<float> make_boundary_terms(const Grid&);
template BoundaryTerms<double> make_boundary_terms(const Grid&);

}  // namespace poisson3d
