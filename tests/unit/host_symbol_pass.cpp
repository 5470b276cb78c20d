// The middle pass of padded lines executed on the host: every block by one thread.
#include <cmath>
#include <vector>

#include "symbol_pass.hpp"

namespace poisson3d::fused {

/// Kernels for radices 3 to 8 are those for all radices here (host_passes.cpp).
template <Kind kind, Outer, class T>
void launch_symbol_kernel(const Task<T>& task, const Symbol<T>& symbol, int groups, const BlockShape& shape, bool early,
                          Stream) {
    std::vector<Complex<T>> shared(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    const int chunks = all_blocks(task, early).chunks;
    for (int b = 0; b < chunks * groups; ++b)
        run_symbol_block<KernelVariant<kind, Outer::any>>(task, symbol, b % chunks, b / chunks, shared.data(), NoWait{});
}

#define POISSON3D_SYMBOL_KERNEL(kind, outer, T)                                                                   \
    template void launch_symbol_kernel<Kind::kind, Outer::outer>(const Task<T>&, const Symbol<T>&, int,           \
                                                                 const BlockShape&, bool, Stream);
#define POISSON3D_SYMBOL_KERNELS(T)          \
    POISSON3D_SYMBOL_KERNEL(type1, any, T)   \
    POISSON3D_SYMBOL_KERNEL(type1, large, T) \
    POISSON3D_SYMBOL_KERNEL(type2, any, T)   \
    POISSON3D_SYMBOL_KERNEL(type2, large, T) \
    POISSON3D_SYMBOL_KERNEL(type3, any, T)   \
    POISSON3D_SYMBOL_KERNEL(type4, any, T)
POISSON3D_SYMBOL_KERNELS(float)
POISSON3D_SYMBOL_KERNELS(double)

}  // namespace poisson3d::fused
