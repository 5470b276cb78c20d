// One line transform of any kind but type I as a step on the rows of a small array.
//
// Row r of the array holds sample r of several lines side by side (a vector register's worth of complex lines).
// Transforming all of them is: put sample j into row load[j]; split, FFT, combine; mode k is found in row store[k].
// The step is data, so an engine interprets it and knows no kinds.
//
//   DFT            FFT(n), combine                    α = ½ (q ≤ n/2), i/2 (q > n/2)
//   inverse DFT    split, FFT(n)                      α = 1, i; ½ for q = 0 and n/2
//   DCT-II         Makhoul order, FFT(n), combine     α_q = e^{−iπq/2n}
//   DCT-III        split, FFT(n), Makhoul order       the same α, but α_0 = ½
//   DCT-IV, even n split, two FFTs of n/2, combine    α = e^{−iπ(4j+1)/4n}, then e^{−iπk/n}
//   DCT-IV, odd n  sampled every 4th point, FFT(n), combine     α = e^{−iπ(2k+1)/4} in row (2k+1) mod n
//   DST-II, III, IV are the DCTs of a line with alternating signs and reversed modes, or the other way round.
//
// Source: Makhoul 1980 (transform.hpp). Type I: symmetric.hpp, cufft/orbit_ops.hpp.
#pragma once

#include <vector>

#include "pairing.hpp"
#include "poisson3d/grid.hpp"
#include "transform.hpp"

namespace poisson3d {

/// A row and the sign its sample is taken with.
template <class T>
struct RowRef {
    std::int32_t row;
    T sign;
};

/// split (table at `split_table`), FFT, combine (at `combine_table`) on all rows. `sets` 2: two interleaved FFTs of
/// rows/2 (even and odd rows).
struct FftStep {
    Index rows;
    int sets;
    Pairing split;
    Pairing combine;
    Index split_table;  ///< offset into LinePlan::tables
    Index combine_table;
    [[nodiscard]] Index length() const noexcept { return rows / sets; }
};

template <class T>
struct LinePlan {
    Transform transform;
    Index points;                  ///< samples of a line, modes, and rows
    std::vector<RowRef<T>> load;   ///< per sample
    std::vector<RowRef<T>> store;  ///< per mode
    FftStep step;
    std::vector<Complex<T>> tables;
};

/// Tables are computed in long double and rounded once. `points` ≥ 1, below 2^30.
template <class T>
LinePlan<T> make_line_plan(Transform transform, Index points);

/// A plan read backwards: the transposed transform, which for a symmetric one is itself.
template <class T>
LinePlan<T> transposed(LinePlan<T> plan);

}  // namespace poisson3d
