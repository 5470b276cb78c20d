// Orbits in registers: aligned loads and stores, an orbit's places and coefficients, the step before or after an
// FFT, division by eigenvalues. Host and device share this file.
#pragma once

#include "memory_access.hpp"
#include "orbit_ops.hpp"
#include "sweeps.hpp"

namespace poisson3d::cufft {

using namespace lines;

/// Coefficients of one orbit: a PairMap for size 2, size/2 − 1 numbers α otherwise.
template <class T, int size>
struct Coefficients {
    static constexpr int count = size == 2 ? 4 : size / 2 - 1;
    Complex<T> value[count];

    POISSON3D_HD void read(const Orbits<T>& orbits, int o) {
        POISSON3D_UNROLL
        for (int i = 0; i < count; ++i)
            value[i] = load(orbits.coefficients + static_cast<Index>(i) * orbits.count + o);
    }
};

template <class T>
POISSON3D_HD PairMap<T> pair_map(const Coefficients<T, 2>& c) {
    return {c.value[0], c.value[1], c.value[2], c.value[3]};
}

/// FFT outputs to samples or modes.
template <class T, int size>
POISSON3D_HD void post(const Coefficients<T, size>& c, bool sine, Complex<T> (&z)[size]) {
    if constexpr (size == 2)
        apply(pair_map(c), z[0], z[1]);
    else
        type_one_post<size>(sine, c.value, z);
}

/// Samples or modes to FFT inputs.
template <class T, int size>
POISSON3D_HD void pre(const Coefficients<T, size>& c, bool sine, Complex<T> (&z)[size]) {
    if constexpr (size == 2)
        apply(pair_map(c), z[0], z[1]);
    else
        type_one_pre<size>(sine, c.value, z);
}

template <class T, int size>
struct Places {
    std::int32_t index[size];

    POISSON3D_HD void read(const std::int32_t* table, int count, int o, bool valid) {
        POISSON3D_UNROLL
        for (int s = 0; s < size; ++s) index[s] = valid ? table[static_cast<Index>(s) * count + o] : -1;
    }
};

}  // namespace poisson3d::cufft
