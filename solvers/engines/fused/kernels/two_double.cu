#include "pass.cuh"

namespace poisson3d::fused {

template void launch_kind<Kind::two>(Role, const PassTask<double>&, const BlockShape&, const Blocks&, Stream);

}  // namespace poisson3d::fused
