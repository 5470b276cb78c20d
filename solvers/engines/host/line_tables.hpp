// What the inner loops know of the lines of an axis: the tables of the fused engine (fused/axis_tables.hpp), which
// host and device share.
#pragma once

#include "fused/chirp_fft.hpp"
#include "fused/symmetric.hpp"

namespace poisson3d::host {

using fused::Plain;

template <class T>
struct LineTables {
    fused::Kind form = fused::Kind::two;
    Index samples = 0;  ///< of a line: unknowns, and modes
    fused::Twins<T, Plain> sample_twins, mode_twins;
    fused::Symmetric<T, Plain> symmetric;  ///< the samples' side of kind one
    fused::Slots<T, Plain> samples_in, modes_out, modes_in, samples_out;
    fused::LineFft<T, Plain> fft;       ///< inner steps …
    fused::ChirpFft<T> chirp;           ///< … or, if there is one, whole FFTs
    int ffts = 1;                       ///< so many …
    Index length = 1;                   ///< … of this length, behind each other
    const Complex<T>* pairs = nullptr;  ///< eigenvalues of slot m of twins o at m · count + o: first and second
};

}  // namespace poisson3d::host
