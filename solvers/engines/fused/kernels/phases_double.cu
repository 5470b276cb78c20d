#include "phase.cuh"

namespace poisson3d::fused {

template void launch_phase(Phase, Role, const PassTask<double>&, int, const BlockRange&, Complex<double>*, Stream);

}  // namespace poisson3d::fused
