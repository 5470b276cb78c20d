#include "pass.cuh"

namespace poisson3d::fused {

template void launch_pass(Role, const PassTask<double>&, const BlockShape&, Index, Index, Stream);

}  // namespace poisson3d::fused
