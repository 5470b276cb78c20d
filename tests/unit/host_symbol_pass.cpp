// The passes of padded lines executed on the host: every block by one thread.
#include <cmath>
#include <vector>

#include "padded_pass.hpp"

namespace poisson3d::fused {

namespace {

template <class Variant, class T>
void run_symbol_blocks(const Task<T>& task, const Symbol<T>& symbol, int groups, const BlockShape& shape) {
    std::vector<Complex<T>> shared(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    const int chunks = all_blocks(task, false).chunks;
    for (int b = 0; b < chunks * groups; ++b)
        run_symbol_block<Variant>(task, symbol, b % chunks, b / chunks, shared.data(), NoWait{});
}

}  // namespace

/// Kernels for radices 3 to 8 are those for all radices here (host_passes.cpp).
template <Kind kind, Outer outer, class T>
void launch_symbol_kernel(const Task<T>& task, const Symbol<T>& symbol, int groups, const BlockShape& shape, bool,
                          Stream) {
    run_symbol_blocks<KernelVariant<kind, outer == Outer::large ? Outer::any : outer>>(task, symbol, groups, shape);
}

template <class T>
void launch_padded_symbol(const Task<T>& task, const Symbol<T>& symbol, int groups, const BlockShape& shape, bool,
                          Stream) {
    run_symbol_blocks<PaddedVariant<Kind::type2>>(task, symbol, groups, shape);
}

template <class T>
void launch_padded_pass(Role role, const Task<T>& task, const BlockShape& shape, const Blocks& blocks, Stream) {
    std::vector<Complex<T>> lines(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    with_padded_role(role, [&]<Role which>() {
        for (int b = 0; b < blocks.chunks * blocks.slow; ++b)
            run_block<which, Movement::in_place, PaddedVariant<Kind::type2>>(
                task, position_of(task, b % blocks.chunks, b / blocks.chunks, 0, lines.data()), NoWait{});
    });
}

template void launch_padded_symbol(const Task<float>&, const Symbol<float>&, int, const BlockShape&, bool, Stream);
template void launch_padded_symbol(const Task<double>&, const Symbol<double>&, int, const BlockShape&, bool,
                                   Stream);
template void launch_padded_pass(Role, const Task<float>&, const BlockShape&, const Blocks&, Stream);
template void launch_padded_pass(Role, const Task<double>&, const BlockShape&, const Blocks&, Stream);

#define POISSON3D_SYMBOL_KERNEL(kind, outer, T)                                                         \
    template void launch_symbol_kernel<Kind::kind, Outer::outer>(const Task<T>&, const Symbol<T>&, int, \
                                                                 const BlockShape&, bool, Stream);
#define POISSON3D_SYMBOL_KERNELS(T)          \
    POISSON3D_SYMBOL_KERNEL(type1, any, T)   \
    POISSON3D_SYMBOL_KERNEL(type1, chirp, T) \
    POISSON3D_SYMBOL_KERNEL(type1, large, T) \
    POISSON3D_SYMBOL_KERNEL(type2, any, T)   \
    POISSON3D_SYMBOL_KERNEL(type2, large, T) \
    POISSON3D_SYMBOL_KERNEL(type3, any, T)   \
    POISSON3D_SYMBOL_KERNEL(type4, any, T)
POISSON3D_SYMBOL_KERNELS(float)
POISSON3D_SYMBOL_KERNELS(double)

}  // namespace poisson3d::fused
