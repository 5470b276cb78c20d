// The derivative of a line through its modes: one transform there, another one back.
//
// Sines become cosines and the reverse, so the way back is another transform than that of a solve. κ_k = θ_k / h
// (spectrum.hpp); mode k of the left column becomes ±κ_k times itself in the slot given, all other slots are 0:
//
//                  there     back      from mode k to                    values at      0 at
//   cell D–D       DST-II    DCT-III   +κ, slot k + 1; k = n − 1 lost    all n
//   cell N–N       DCT-II    DST-III   −κ, slot k − 1; k = 0 lost        all n
//   cell D–N       DST-IV    DCT-IV    +κ, slot k                        all n
//   cell N–D       DCT-IV    DST-IV    −κ, slot k                        all n
//   node D–D       DST-I     DCT-I     +κ, slot k + 1                    all n
//   node N–N       DCT-I     DST-I     −κ, slot k − 1; ends lost         1 … n − 2      both ends
//   node D–N       DST-III   DCT-II    +κ, slot k                        0 … n − 2      n − 1
//   node N–D       DCT-III   DST-II    −κ, slot k                        1 … n − 1      0
//   periodic       DFT       inverse   iκ: Re_k −κ Im_k, Im_k +κ Re_k    all n
//
// What is lost is 0 at all points: cos(nπ(j+½)/n), sin(πj), and the mode n/2 of an even period, a cosine there and
// back. The normalisation, 1 / round_trip, is that of a solve: FFTW's definitions put the factor 2 in front of
// both.
#pragma once

#include <vector>

#include "poisson3d/grid.hpp"
#include "transform.hpp"

namespace poisson3d {

struct LineDerivative {
    Transform there = Transform::dft, back = Transform::inverse_dft;
    Index first_in = 0, points_in = 0;            ///< stored points that `there` reads: the unknowns
    Index first_out = 0, points_out = 0;          ///< stored points that `back` gives; may be none
    bool zero_below = false, zero_above = false;  ///< the derivative is 0 at the stored point before, after those
    std::vector<Index> source;                    ///< per slot of `back` the mode of `there` it comes from …
    std::vector<double> factor;                   ///< … times this
};

LineDerivative line_derivative(const Axis& axis);

}  // namespace poisson3d
