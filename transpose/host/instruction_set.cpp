#include "host/instruction_set.hpp"

namespace poisson3d {

Instructions best_instructions() noexcept {
#ifdef POISSON3D_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return Instructions::avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Instructions::avx2;
#endif
    return Instructions::baseline;
}

}  // namespace poisson3d
