#include "pass.cuh"

namespace poisson3d::fused {

template void launch_kind<Kind::four>(Role, const PassTask<float>&, const BlockShape&, const Blocks&, Stream);

}  // namespace poisson3d::fused
