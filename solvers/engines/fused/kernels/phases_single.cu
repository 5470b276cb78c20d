#include "phase.cuh"

namespace poisson3d::fused {

template void launch_phase(Phase, Role, const PassTask<float>&, int, const BlockRange&, Complex<float>*, Stream);

}  // namespace poisson3d::fused
