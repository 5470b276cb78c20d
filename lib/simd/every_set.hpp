// Constants that are compiled once for each instruction set, in namespaces of those names, and the one among them
// for a processor. Both macros stand in namespace poisson3d or inside it.
#pragma once

#include "simd/instruction_set.hpp"

#ifdef POISSON3D_X86

/// Declares `name` of every set, in namespace poisson3d.
#define POISSON3D_OF_EVERY_SET(type, name) \
    namespace isa_baseline {               \
    extern const type name;                \
    }                                      \
    namespace isa_avx2 {                   \
    extern const type name;                \
    }                                      \
    namespace isa_avx512 {                 \
    extern const type name;                \
    }

/// The one for processors that have `set`.
#define POISSON3D_OF_SET(set, name) ::poisson3d::of_set(set, isa_baseline::name, isa_avx2::name, isa_avx512::name)

namespace poisson3d {

template <class T>
const T& of_set(Instructions set, const T& baseline, const T& avx2, const T& avx512) noexcept {
    return set == Instructions::avx512 ? avx512 : set == Instructions::avx2 ? avx2 : baseline;
}

}  // namespace poisson3d

#else

#define POISSON3D_OF_EVERY_SET(type, name) \
    namespace isa_baseline {               \
    extern const type name;                \
    }
#define POISSON3D_OF_SET(set, name) (static_cast<void>(set), isa_baseline::name)

#endif
