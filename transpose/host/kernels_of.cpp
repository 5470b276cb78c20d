#include "host/kernels.hpp"

namespace poisson3d {

namespace isa_baseline {
extern const host::Kernels movers;
}
#ifdef POISSON3D_X86
namespace isa_avx2 {
extern const host::Kernels movers;
}
namespace isa_avx512 {
extern const host::Kernels movers;
}
#endif

namespace host {

const Kernels& kernels(InstructionSet set) noexcept {
#ifdef POISSON3D_X86
    if (set == InstructionSet::avx512) return isa_avx512::movers;
    if (set == InstructionSet::avx2) return isa_avx2::movers;
#endif
    static_cast<void>(set);
    return isa_baseline::movers;
}

}  // namespace host
}  // namespace poisson3d
