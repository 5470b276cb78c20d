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
// A zero-padded line has modes of the kind of its wall: periodic lines between two free faces, lines of its kind
// where one is free. The kernel reaches as far as points and images are apart, and is 0 beyond. `frequency` says
// which angle a mode has.
//
// Source: James, J. Comput. Phys. 25 (1977), for charges on walls; Greengard, Jiang and Zhang, Adv. Comput. Math.
// 44 (2018), for sums of products of heat kernels.
#pragma once

#include <array>
#include <vector>

#include "closed_axis.hpp"
#include "time_nodes.hpp"

namespace poisson3d::lines {

/// How a face lies along one of its axes.
struct FaceAxis {
    bool free = false;
    Axis lines;         ///< free: zero-padded lines. Else the axis itself, in whose modes the face is
    Index count = 0;    ///< unknowns of the box
    Index samples = 0;  ///< of those lines, and modes
    Index offset = 0;   ///< where unknowns begin in a padded line
    Index frequencies = 0;

    [[nodiscard]] Index frequency(Index mode) const noexcept {
        return lines.periodic() ? std::min(mode, samples - mode) : mode;
    }
};
FaceAxis face_axis(const Axis& axis);

/// Nodes, and the modes that they serve: those with frequencies first … last − 1 of the axis that is not free, if
/// there is one; else all.
struct FaceTerms {
    Index first = 0, last = 0;
    Index nodes = 0;
    /// By axis and part. Element i · nodes + q for unknown i: what a charge on a face is there, weights, to_face
    /// and the half of two parts included; and what a charge there is on a face.
    std::array<std::array<std::vector<double>, 2>, 3> from_face, to_face;
    /// By axis: B̂, element frequency · nodes + q, over the factor of lines there and back.
    std::array<std::vector<double>, 3> along;
    /// By axis and part: of a face on itself and on its opposite, weights and to_face included.
    std::array<std::array<std::vector<double>, 2>, 3> same;
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
std::vector<FaceNodes> face_nodes(const Problem& problem, double eps);

/// To a relative `eps`. Two or three axes are free. λ + μ of the modes may be anything above 0, and 0 of the
/// constant one.
FaceTables make_face_tables(const Problem& problem, const std::array<ClosedAxis, 3>& closed, double eps);

}  // namespace poisson3d::lines
