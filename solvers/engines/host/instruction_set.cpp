#include "kernels.hpp"

namespace poisson3d {

namespace isa_baseline {
extern const host::InstructionSet instructions;
}
#ifdef POISSON3D_X86
namespace isa_avx2 {
extern const host::InstructionSet instructions;
}
namespace isa_avx512 {
extern const host::InstructionSet instructions;
}
#endif

namespace host {

const InstructionSet& instruction_set() noexcept {
#ifdef POISSON3D_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return isa_avx512::instructions;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return isa_avx2::instructions;
#endif
    return isa_baseline::instructions;
}

template <>
BlockKernel<float> block_kernel() noexcept {
    return instruction_set().single;
}
template <>
BlockKernel<double> block_kernel() noexcept {
    return instruction_set().twice;
}

}  // namespace host
}  // namespace poisson3d
