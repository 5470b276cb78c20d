#include "ladder_loops.hpp"
#include "simd/instruction_set.hpp"

namespace poisson3d {

// ladder_loops.cpp, compiled once for each instruction set.
namespace isa_baseline {
extern const lines::LadderLoops ladder_loops;
}
#ifdef POISSON3D_X86
namespace isa_avx2 {
extern const lines::LadderLoops ladder_loops;
}
namespace isa_avx512 {
extern const lines::LadderLoops ladder_loops;
}
#endif

namespace lines {

const LadderLoops& ladder_loops() noexcept {
#ifdef POISSON3D_X86
    const Instructions best = best_instructions();
    if (best == Instructions::avx512) return isa_avx512::ladder_loops;
    if (best == Instructions::avx2) return isa_avx2::ladder_loops;
#endif
    return isa_baseline::ladder_loops;
}

}  // namespace lines
}  // namespace poisson3d
