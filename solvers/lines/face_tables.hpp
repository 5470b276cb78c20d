// From the charges on closed faces to the values of u there: the tables of the face operator.
//
// The solution between walls, continued by 0, is the one in free space for f and the charges p = to_face · u(in) on
// the faces (closed_axis.hpp; half of them on either side of a face of cells, all of them beyond one of nodes). So
// the values on the faces are g = M u + M K Mᵀ p, where M takes them and K is a sum over times,
//
//     K = Σ_q w_q e^{−(λ+μ) t_q} Π_i B_i(t_q)                                            (time_nodes.hpp)
//
// Faces are in parts (sums and differences of two faces) and, along an axis that is not free, in its modes. Let d
// and e be the axes of a face of axis a:
//
//     a → a   a convolution along d and e, done in modes k of zero-padded lines and μ of an axis that is not free:
//             same_q B̂_d(k_d) B̂_e(k_e), summed over q
//     a → d   of a line of charges along d, at each mode of e: to_face of d, times B̂_e(k_e), times from_face of a
//
// The one mode λ + μ = 0 of two free axes has weights of both signs, whose sum would lose digits: it is done in
// long double here, and what is left are matrices.
//
// Source: James, J. Comput. Phys. 25 (1977), for charges on walls; Greengard, Jiang and Zhang, Adv. Comput. Math.
// 44 (2018), for sums of products of heat kernels.
#pragma once

#include <array>
#include <vector>

#include "closed_axis.hpp"
#include "face_axis.hpp"
#include "time_nodes.hpp"

namespace poisson3d::lines {

/// Nodes, and the modes that they serve: those with frequencies first … last − 1 of the axis that is not free, if
/// there is one; else all.
struct FaceTerms {
    using Numbers = std::vector<long double>;
    template <class U>
    using OfParts = std::array<U, 2>;

    Index first = 0, last = 0;
    Index nodes = 0;
    /// By axis and part. Element i · nodes + q for unknown i: what a charge on a face is there, weights, to_face
    /// and the half of two parts included; and what a charge there is on a face.
    std::array<OfParts<Numbers>, 3> from_face, to_face;
    /// By axis: B̂, element frequency · nodes + q, over the factor of lines there and back.
    std::array<Numbers, 3> along;
    /// By axis and part: of a face on itself and on its opposite, weights and to_face included.
    std::array<OfParts<Numbers>, 3> same;

    /// The nodes of these modes are added up: `nodes` is 0, and in their place stand, …
    bool added_up = false;
    /// … by axis a, its part and the part on the other free axis d, a → d: element i · (unknowns of d) + j …
    std::array<OfParts<OfParts<Numbers>>, 3> between;
    /// … and a → a by frequency of d.
    std::array<OfParts<Numbers>, 3> kernel;
};

struct FaceTables {
    std::array<FaceAxis, 3> axes;
    std::vector<FaceTerms> terms;
};

/// The nodes of `terms`, which cost nothing to make.
struct FaceNodes {
    Index first, last;
    TimeNodes times;
};
std::vector<FaceNodes> face_nodes(const Problem& problem, double eps, bool far = true);

/// To a relative `eps`. Two or three axes are free. λ + μ of the modes may be anything above 0, and 0 of the
/// constant one, whose K has the constant of far away, or another if not `far` (time_nodes.hpp).
FaceTables make_face_tables(const Problem& problem, const std::array<ClosedAxis, 3>& closed, double eps,
                            bool far = true);

}  // namespace poisson3d::lines
