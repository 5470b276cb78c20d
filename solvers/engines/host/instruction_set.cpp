#include "simd/instruction_set.hpp"

#include "kernels.hpp"

namespace poisson3d {

namespace isa_baseline {
extern const host::InstructionSet instructions;
}  // namespace isa_baseline
#ifdef POISSON3D_X86
namespace isa_avx2 {
extern const host::InstructionSet instructions;
}  // namespace isa_avx2
namespace isa_avx512 {
extern const host::InstructionSet instructions;
}  // namespace isa_avx512
#endif

namespace host {

const InstructionSet& instruction_set() noexcept {
#ifdef POISSON3D_X86
    const Instructions best = best_instructions();
    if (best == Instructions::avx512) return isa_avx512::instructions;
    if (best == Instructions::avx2) return isa_avx2::instructions;
#endif
    return isa_baseline::instructions;
}

template <>
const Kernels<float>& kernels() noexcept {
    return instruction_set().single;
}
template <>
const Kernels<double>& kernels() noexcept {
    return instruction_set().double_precision;
}

}  // namespace host
}  // namespace poisson3d
