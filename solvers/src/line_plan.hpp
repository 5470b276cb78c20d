// One line transform as a short list of steps on the rows of a small array.
//
// Row r of the array holds sample r of several lines side by side (a vector register's worth of complex lines).
// Transforming all of them is: put sample j into row load[j]; folds; extension; then per block: split, FFT,
// combine; mode k is found in row store[k]. The steps are data, so an engine interprets them and knows no kinds.
//
//   DFT            FFT(n), combine                    α = ½ (q ≤ n/2), i/2 (q > n/2)
//   inverse DFT    split, FFT(n)                      α = 1, i; ½ for q = 0 and n/2
//   DCT-II         Makhoul order, FFT(n), combine     α_q = e^{−iπq/2n}
//   DCT-III        split, FFT(n), Makhoul order       the same α, but α_0 = ½
//   DCT-IV, even n split, two FFTs of n/2, combine    α = e^{−iπ(4j+1)/4n}, then e^{−iπk/n}
//   DCT-IV, odd n  sampled every 4th point, FFT(n), combine     α = e^{−iπ(2k+1)/4} in row (2k+1) mod n
//   DST-II, III, IV are the DCTs of a line with alternating signs and reversed modes, or the other way round.
//   DCT-I, DST-I   with N the half period: an even N folds into the same transform of N/2 (even modes) and a
//                  type III of N/2 (odd modes), again and again; what remains when N is odd is done by its even or
//                  odd extension to 2N. No running sums: all steps are orthogonal up to scaling.
//
// Sources: Makhoul 1980; Swarztrauber, "Symmetric FFTs", Math. Comp. 47 (1986).
#pragma once

#include <vector>

#include "poisson3d/grid.hpp"
#include "transform.hpp"

namespace poisson3d {

/// A row and the sign its sample is taken with.
template <class T>
struct RowRef {
    std::int32_t row;
    T sign;
};

/// Type I only: rows 0 … length split at length/2 into (x_j ∓ x_{n−j}) below and (x_j ± x_{n−j}) above.
struct Fold {
    bool sine;
    Index length;  ///< N of this level, even
};

/// Type I with odd N: copies rows 0 … half to rows row … row + 2·half − 1 as their odd or even extension.
struct Extension {
    bool sine;
    Index half;
    Index row;
};

/// split (table at `before`), FFT, combine (table at `after`) on rows row … row + rows − 1.
/// `sets` 2: two interleaved FFTs of rows/2 (even and odd rows).
struct FftStep {
    Index row;
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
    Index points;                  ///< samples of a line, and modes
    Index rows;                    ///< rows the array must have
    std::vector<RowRef<T>> load;   ///< per sample
    std::vector<RowRef<T>> store;  ///< per mode
    std::vector<Fold> folds;
    std::vector<Extension> extensions;  ///< none or one
    std::vector<FftStep> ffts;
    std::vector<Complex<T>> tables;
};

/// Tables are computed in long double and rounded once. `points` ≥ 1 (DCT-I: ≥ 2), below 2^30.
template <class T>
LinePlan<T> make_line_plan(Transform transform, Index points);

/// A plan with one FFT step read backwards: the transposed transform, which for a symmetric one is itself.
template <class T>
LinePlan<T> transposed(LinePlan<T> plan);

/// LinePlan::rows without making the plan.
Index line_plan_rows(Transform transform, Index points) noexcept;

}  // namespace poisson3d
