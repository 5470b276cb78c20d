// The ten kinds of axis: which points are unknowns, which transform diagonalises d²/dx² on them.
//
//   centring, faces     unknowns            forward   backward  round trip
//   cell, periodic      all n               DFT       inverse   n
//   cell, D–D           all n               DST-II    DST-III   2n
//   cell, N–N           all n               DCT-II    DCT-III   2n
//   cell, D–N           all n               DST-IV    DST-IV    2n
//   cell, N–D           all n               DCT-IV    DCT-IV    2n
//   node, periodic      all n               DFT       inverse   n
//   node, D–D           1 … n−2             DST-I     DST-I     2(n−1)
//   node, N–N           all n               DCT-I     DCT-I     2(n−1)
//   node, D–N           1 … n−1             DST-III   DST-II    2(n−1)
//   node, N–D           0 … n−2             DCT-III   DCT-II    2(n−1)
//
// An axis without fast transform (chain.hpp) has the unknowns of this table, Robin faces counted as Neumann ones;
// its transforms are not used, and its round trip is 1. A free face has the unknowns of a Neumann one, too.
//
// Source: Strang, "The discrete cosine transform", SIAM Review 41 (1999); Martucci, IEEE Trans. Signal
// Processing 42 (1994).
#pragma once

#include <cstdint>
#include <vector>

#include "poisson3d/grid.hpp"

namespace poisson3d {

/// The real transforms of a line that solves use, unnormalised, by FFTW's
/// definitions (R2HC, HC2R, REDFT00, 10, 01, 11, RODFT00, 10, 01, 11), unnormalised.
enum class Transform : std::uint8_t { dft, inverse_dft, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

const char* name(Transform transform) noexcept;

struct AxisKind {
    Transform forward;   ///< values → modes
    Transform backward;  ///< modes → values, times `round_trip`
    Index points;        ///< stored points n
    Index first;         ///< first unknown
    Index unknowns;      ///< m
    Index round_trip;    ///< backward(forward(x)) = round_trip · x
    bool constant_mode;  ///< the constant is a mode, with eigenvalue 0, in slot 0: no face with α > 0
};

/// The kind of a valid axis (see validate(Grid)).
AxisKind axis_kind(const Axis& axis) noexcept;

/// A face holds u: Dirichlet, or Robin with α > 0.
bool has_ground(const Axis& axis) noexcept;

/// The weights of the stored points in means along an axis: ½ at Neumann nodes, 0 at Dirichlet nodes, else 1; D_j
/// of an axis without fast transform. With these the mean is what the constant mode holds.
std::vector<double> mean_weights(const Axis& axis);

}  // namespace poisson3d
