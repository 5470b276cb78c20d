// What the sweep kernels share: orbit_access.hpp, elements of lines in device memory, launches.
#pragma once

#include "line_grid.cuh"
#include "orbit_access.hpp"
#include "sweeps.hpp"

namespace poisson3d::cufft {

using namespace device;

/// z to position `at` of a line that FFTs read (none if negative); mirrored as well where the FFT wants the
/// extension.
template <class T>
__device__ __forceinline__ void store_position(Complex<T>* line, int at, Complex<T> z, const Mirror& mirror) {
    if (at < 0) return;
    store(line + at, z);
    if (mirror.half == 0) return;
    const int j = at - mirror.row;
    if (j <= 0 || j >= mirror.half) return;
    store(line + mirror.row + 2 * mirror.half - j, mirror.sine ? Complex<T>{-z.re, -z.im} : z);
    if (mirror.sine && j == 1) {
        store(line + mirror.row, Complex<T>{0, 0});
        store(line + mirror.row + mirror.half, Complex<T>{0, 0});
    }
}

/// Calls body.template operator()<size>() for the orbit sizes there are.
template <class Body>
void with_orbit_size(int size, const Body& body) {
    switch (size) {
        case 2: return body.template operator()<2>();
        case 4: return body.template operator()<4>();
        case 8: return body.template operator()<8>();
        default: return body.template operator()<16>();
    }
}

}  // namespace poisson3d::cufft
