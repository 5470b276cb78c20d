// What boundary data adds to the right-hand side, so that the operator stays the homogeneous one.
//
// Beyond a face the stencil reads the values of ghost.hpp, weight · u + data · g. The first term is in the
// operator (neighbours.hpp), the second over h² moves to the right-hand side of the unknown next to the face:
//
//            Dirichlet     Neumann
//   cell     −2g/h²        −g/h
//   node     −g/h²         −2g/h
//
// and on an axis that is eliminated (chain.hpp), Robin faces among them, −feed/D. Terms of several faces add. On a
// node axis whose single unknown lies at a Neumann face, the Dirichlet value is in both ghosts: −2g/h². Host and
// device code share this file.
#pragma once

#include <cmath>

#include "host_device.hpp"
#include "poisson3d/boundary_data.hpp"

namespace poisson3d {

/// The data of a face at point (a, b) of the two other axes, for a field of a batch.
template <class T>
POISSON3D_HD T value_at(const FaceValues<T>& face, Index a, Index b, Index field = 0) {
    return face.data != nullptr ? face.data[field * face.field_stride + a * face.stride + b] : face.constant;
}

/// Plain data, so that kernels can take it. All indices count stored points.
template <class T>
struct BoundaryTerms {
    bool any = false;          ///< is there anything that is not zero?
    FaceValues<T> face[3][2];  ///< [axis][lower, upper]
    T factor[3][2] = {};       ///< times the data: what is added next to that face
    Index first[3] = {};       ///< unknowns of each axis …
    Index last[3] = {};        ///< … inclusive

    /// What all faces add to the right-hand side at unknown (i, j, k). `scale` of a solve does not apply to it.
    POISSON3D_HD T operator()(Index i, Index j, Index k, Index field = 0) const {
        T sum = T(0);
        if (i == first[0]) sum += factor[0][0] * value_at(face[0][0], j, k, field);
        if (i == last[0]) sum += factor[0][1] * value_at(face[0][1], j, k, field);
        if (j == first[1]) sum += factor[1][0] * value_at(face[1][0], i, k, field);
        if (j == last[1]) sum += factor[1][1] * value_at(face[1][1], i, k, field);
        if (k == first[2]) sum += factor[2][0] * value_at(face[2][0], i, j, field);
        if (k == last[2]) sum += factor[2][1] * value_at(face[2][1], i, j, field);
        return sum;
    }

    /// What a node on a Dirichlet face, no unknown, holds: its data; where faces meet, that of the earlier axis.
    [[nodiscard]] POISSON3D_HD T held(Index i, Index j, Index k, Index field = 0) const {
        if (i < first[0]) return value_at(face[0][0], j, k, field);
        if (i > last[0]) return value_at(face[0][1], j, k, field);
        if (j < first[1]) return value_at(face[1][0], i, k, field);
        if (j > last[1]) return value_at(face[1][1], i, k, field);
        return value_at(face[2][k < first[2] ? 0 : 1], i, j, field);
    }

    /// The same faces with other data.
    [[nodiscard]] BoundaryTerms with_data(const BoundaryData<T>& data) const {
        BoundaryTerms terms = *this;
        terms.any = !data.zero();
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) terms.face[axis][side] = data.faces[axis][side];
        return terms;
    }

    /// Factors times 2^−s (range.hpp).
    [[nodiscard]] BoundaryTerms halved(int s) const {
        BoundaryTerms terms = *this;
        for (auto& faces : terms.factor)
            for (T& each : faces) each = std::ldexp(each, -s);
        return terms;
    }

    /// The data of a batch from field `first_field` on.
    [[nodiscard]] BoundaryTerms from_field(Index first_field) const {
        BoundaryTerms rest = *this;
        for (auto& axis : rest.face)
            for (FaceValues<T>& values : axis)
                if (values.data != nullptr) values.data += first_field * values.field_stride;
        return rest;
    }
};

/// body(k, what is added) for every unknown k of row (i, j) that lies at a face.
template <class T, class Body>
POISSON3D_HD void for_each_term(const BoundaryTerms<T>& terms, Index i, Index j, const Body& body) {
    const bool all = i == terms.first[0] || i == terms.last[0] || j == terms.first[1] || j == terms.last[1];
    const Index length = terms.last[2] - terms.first[2];
    const Index step = all || length == 0 ? 1 : length;
    for (Index k = terms.first[2]; k <= terms.last[2]; k += step) body(k, terms(i, j, k));
}

/// visit(begin, end) for the points of each plane of the first `axes` axes that consists of Dirichlet nodes; with
/// two, those at the ends of lines along z remain.
template <class T, class Visit>
void for_each_dirichlet_plane(const BoundaryTerms<T>& terms, const Extents& points, const Visit& visit,
                              int axes = 2) {
    for (int a = 0; a < axes; ++a) {
        Extents begin{}, end = points;
        end[a] = terms.first[a];
        if (end[a] > 0) visit(begin, end);
        begin[a] = terms.last[a] + 1;
        end[a] = points[a];
        if (begin[a] < end[a]) visit(begin, end);
    }
}

/// With zero data. Faces of periodic axes get factor 0.
template <class T>
BoundaryTerms<T> make_boundary_terms(const Grid& grid);

}  // namespace poisson3d
