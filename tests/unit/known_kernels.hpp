// Whether passes executed on the host may use what kernels of known lines do, and how many did.
#pragma once

namespace poisson3d::test {

struct KnownKernels {
    static inline bool forbidden = false;
    static inline int launched = 0;
};

}  // namespace poisson3d::test
