#include "common/host_movers.hpp"

namespace poisson3d {

namespace isa_baseline {
extern const host_transpose::Movers movers;
}
#ifdef POISSON3D_X86
namespace isa_avx2 {
extern const host_transpose::Movers movers;
}
namespace isa_avx512 {
extern const host_transpose::Movers movers;
}
#endif

namespace host_transpose {

const Movers& movers(Instructions set) noexcept {
#ifdef POISSON3D_X86
    if (set == Instructions::avx512) return isa_avx512::movers;
    if (set == Instructions::avx2) return isa_avx2::movers;
#endif
    static_cast<void>(set);
    return isa_baseline::movers;
}

}  // namespace host_transpose
}  // namespace poisson3d
