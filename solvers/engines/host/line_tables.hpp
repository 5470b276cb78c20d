// What the inner loops know of the lines of an axis: the tables of the fused engine (lines/axis_tables.hpp), which
// host and device share.
#pragma once

#include "chirp_fft.hpp"
#include "symmetric.hpp"

namespace poisson3d::host {

using lines::Plain;

template <class T>
struct LineTables {
    lines::Kind form = lines::Kind::type2;
    Index samples = 0;  ///< of a line: unknowns, and modes
    lines::ButterflyPairs<T, Plain> sample_butterflies, mode_butterflies;
    lines::Symmetric<T, Plain> symmetric;  ///< the samples' side of kind one
    lines::PairMap<T, Plain> samples_in, modes_out, modes_in, samples_out;
    lines::LineFft<T, Plain> fft;  ///< inner steps …
    lines::ChirpFft<T> chirp;      ///< … or, if there is one, whole FFTs
    int ffts = 1;                  ///< so many …
    Index length = 1;              ///< … of this length, behind each other
    const Complex<T>* eigenvalue_pairs =
        nullptr;  ///< eigenvalues of pair m of butterfly pair o at m · count + o: first and second
};

}  // namespace poisson3d::host
