// One line transform of any kind but type I as a step on the rows of a small array: the few lines of arithmetic
// that turn a complex FFT into any real transform, as data.
//
// A complex line z = a + i b carries two real lines. A real-linear transform of a pair is the same transform of z,
// so everything is written for complex lines. With Z the complex FFT of a (permuted) line, every transform of this
// project ends with
//
//     out_q = α_q Z_q + conj(α_q) Z_p          ("combine", p the partner of q, usually N − q)
//
// which for a real line is 2 Re(α_q Z_q); the inverse transforms begin with the transposed step
//
//     in_q = α_q C_q + conj(α_p) C_p           ("split")
//
// α is a table of N numbers, and beside the order of the rows it is all in which the kinds differ:
//
//   DFT            FFT(n), combine                    α = ½ (q ≤ n/2), i/2 (q > n/2)
//   inverse DFT    split, FFT(n)                      α = 1, i; ½ for q = 0 and n/2
//   DCT-II         Makhoul order, FFT(n), combine     α_q = e^{−iπq/2n}
//   DCT-III        split, FFT(n), Makhoul order       the same α, but α_0 = ½
//   DCT-IV, even n split, two FFTs of n/2, combine    α = e^{−iπ(4j+1)/4n}, then e^{−iπk/n}
//   DCT-IV, odd n  sampled every 4th point, FFT(n), combine     α = e^{−iπ(2k+1)/4} in row (2k+1) mod n
//   DST-II, III, IV are the DCTs of a line with alternating signs and reversed modes, or the reverse.
//
// Sample j goes to row load[j]; mode k is found in row store[k]. Source: Makhoul 1980. Type I: symmetric.hpp.
#pragma once

#include <vector>

#include "axis_kind.hpp"
#include "host_device.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d {

/// The partner of row q in a step on `rows` rows.
///   mirror:   q ↔ N − q, row 0 its own                              (one FFT of N = rows)
///   adjacent: 2j ↔ 2j + 1                                           (before two interleaved FFTs of M = rows/2)
///   cross:    2k ↔ 2((M − k) mod M) + 1                             (after them)
enum class Pairing : std::uint8_t { none, mirror, adjacent, cross };

constexpr POISSON3D_HD std::int64_t partner(Pairing pairing, std::int64_t q, std::int64_t rows) {
    const std::int64_t half = rows / 2;
    switch (pairing) {
        case Pairing::none: return q;
        case Pairing::mirror: return q == 0 ? 0 : rows - q;
        case Pairing::adjacent: return q ^ 1;
        case Pairing::cross: {
            const std::int64_t k = q / 2;
            return 2 * (k == 0 ? 0 : half - k) + (q % 2 == 0 ? 1 : 0);
        }
    }
    return q;
}

/// Makhoul's order (IEEE Trans. ASSP 28, 1980): where sample j of a type II line of n goes.
constexpr POISSON3D_HD std::int64_t makhoul_row(std::int64_t j, std::int64_t n) {
    return j % 2 == 0 ? j / 2 : n - 1 - j / 2;
}

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
