// The derivative of a line through its modes: the way forward of its axis, then the way back of another one.
//
// Sines become cosines and the reverse, so the modes of the derivative are those of the axis with Dirichlet and
// Neumann exchanged, at the same points. κ_k = θ_k / h (spectrum.hpp):
//
//     axis       derivative's     mode q of the derivative
//     D–D        N–N              +κ, mode q − 1; 0 where there is no such mode: q = 0 and, of nodes, the last one
//     N–N        D–D              −κ, mode q + 1; 0 where there is none: the last one of cells
//     D–N        N–D              +κ, mode q
//     N–D        D–N              −κ, mode q
//     periodic   itself           half-complex, times iκ: +κ Re_k in the place of Im_k, −κ Im_k in that of Re_k
//
// The derivative of some modes is 0 at all points: of constants, of the last mode of cells D–D (a cosine with zeros
// at all centres), and of mode n/2 of an even period. A Neumann node is no unknown of the derivative's
// axis; the derivative there is 0. The normalisation, 1 / round_trip, is that of a solve: the definitions of
// axis_kind.hpp put the factor 2 in front of sines and cosines alike.
#pragma once

#include <vector>

#include "axis_kind.hpp"
#include "host_device.hpp"

namespace poisson3d {

/// Whose modes the derivatives of the modes of `axis` are. Nodes N–N of 2 points have none: all derivatives are 0.
constexpr Axis derivative_axis(Axis axis) noexcept {
    const auto exchanged = [](Boundary face) {
        return face == Boundary::dirichlet ? Boundary::neumann
               : face == Boundary::neumann ? Boundary::dirichlet
                                           : face;
    };
    axis.lower = exchanged(axis.lower);
    axis.upper = exchanged(axis.upper);
    return axis;
}

/// sign · κ · mode `mode`; sign 0: nothing.
struct DerivedMode {
    std::int64_t mode;
    int sign;
};

/// Mode q of the derivative, from lines of `modes` modes that the transform `forward` gives.
constexpr POISSON3D_HD DerivedMode derived_mode(Transform forward, std::int64_t modes, std::int64_t q) {
    const bool sine = forward == Transform::dst1 || forward == Transform::dst2 || forward == Transform::dst3 ||
                      forward == Transform::dst4;
    DerivedMode from{q, sine ? 1 : -1};
    if (forward == Transform::dft) from = {modes - q, q == 0 || 2 * q == modes ? 0 : 2 * q > modes ? 1 : -1};
    if (forward == Transform::dst1 || forward == Transform::dst2) --from.mode;
    if (forward == Transform::dct1 || forward == Transform::dct2) ++from.mode;
    return from.mode < 0 || from.mode >= modes ? DerivedMode{0, 0} : from;
}

/// The same for modes in slots, an order of the engine's: slot s of the derivative is factor[s] times slot
/// source[s].
template <class T>
struct DerivativeTable {
    std::vector<std::int32_t> source;
    std::vector<T> factor;
};

/// `there`, `back`: by slot, the modes of the axis and of derivative_axis(). The normalisation is in the factors;
/// modes come `gain` times too large.
template <class T>
DerivativeTable<T> derivative_table(const Axis& axis, const std::vector<Index>& there,
                                    const std::vector<Index>& back, double gain);

}  // namespace poisson3d
