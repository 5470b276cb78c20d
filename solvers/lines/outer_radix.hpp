// The radix of the first and of the last step of an FFT, known at run time, as a template argument.
#pragma once

#include <cstdint>

#include "host_device.hpp"

namespace poisson3d::lines {

/// The radices of outer steps that a kernel has. `radix8`: 8, and words are as lines of this kind have them then.
/// `none`: 1, lines whose whole FFTs are done elsewhere. `any` serves all lengths.
enum class Outer : std::uint8_t { any, radix8, none };

/// Calls body.template operator()<r>() with the radix of an outer step.
template <Outer outer, class Body>
POISSON3D_HD void with_radix(int radix, const Body& body) {
    if constexpr (outer == Outer::radix8) {
        body.template operator()<8>();
    } else if constexpr (outer == Outer::none) {
        body.template operator()<1>();
    } else {
        switch (radix) {
            case 1: return body.template operator()<1>();
            case 3: return body.template operator()<3>();
            case 4: return body.template operator()<4>();
            case 5: return body.template operator()<5>();
            case 6: return body.template operator()<6>();
            case 7: return body.template operator()<7>();
            default: return body.template operator()<8>();
        }
    }
}

/// The same for the symmetric step.
template <Outer outer, class Body>
POISSON3D_HD void with_symmetric_radix(int radix, const Body& body) {
    if constexpr (outer == Outer::radix8) {
        body.template operator()<8>();
    } else {
        switch (radix) {
            case 2: return body.template operator()<2>();
            case 4: return body.template operator()<4>();
            case 6: return body.template operator()<6>();
            default: return body.template operator()<8>();
        }
    }
}

}  // namespace poisson3d::lines
