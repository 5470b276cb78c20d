// Passes that store what another member needs, executed on the host: every block by one thread.
#include <cmath>
#include <vector>

#include "known_kernels.hpp"
#include "sent_pass.hpp"

namespace poisson3d::fused {

namespace {

/// The phases of run_block with inner steps for all radices, those of `task`: kernels for radices 3 to 8 are these
/// here (host_passes.cpp).
template <Role role, class Variant, class T, class F>
__attribute__((noinline)) void run_phases(const Task<T>& task, const PassTask<T, F>& sent,
                                          const BlockPosition<T>& block) {
    constexpr Movement movement = sent_movement<role>;
    load_lines<role, layout_in(role, movement), Variant>(sent, block);
    inner_ffts<Variant::kind, false>(task, block.lines, NoWait{});
    if constexpr (role == Role::middle) {
        modes<Variant>(sent, block);
        inner_ffts<Variant::kind, true>(task, block.lines, NoWait{});
    }
    store_lines<role, layout_out(role, movement), Variant>(sent, block);
}

template <Role role, class Variant, class T, class F>
__attribute__((noinline)) void run_whole(const PassTask<T, F>& sent, const BlockPosition<T>& block) {
    run_block<role, sent_movement<role>, Variant>(sent, block, NoWait{});
}

/// body(block) for each.
template <class T, class Body>
void for_blocks(const Task<T>& task, const BlockShape& shape, const Blocks& blocks, const Body& body) {
    std::vector<Complex<T>> lines(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    for (int b = 0; b < blocks.chunks * blocks.slow; ++b)
        body(position_of(task, blocks.first_chunk + b % blocks.chunks, blocks.first_slow + b / blocks.chunks, 0,
                         lines.data()));
}

}  // namespace

template <Kind kind, Outer outer, class T>
void launch_sent_kernel(Role role, const Task<T>& task, const SentElements<T>& elements, const BlockShape& shape,
                        const Blocks& blocks, Stream) {
    with_sent_role(role, [&]<Role which>() {
        const auto sent = sent_task(task, elements);
        for_blocks(task, shape, blocks, [&](const BlockPosition<T>& block) {
            if constexpr (outer == Outer::radix8)
                run_whole<which, KernelVariant<kind, outer>>(sent, block);
            else
                run_phases<which, KernelVariant<kind, Outer::any>>(task, sent, block);
        });
    });
}

/// One length is enough to execute.
template <int rows, class T>
bool launch_known_sent_kernel(Role role, const Task<T>& task, const SentElements<T>& elements,
                              const BlockShape& shape, const Blocks& blocks, Stream) {
    if constexpr (rows == 128) {
        if (test::KnownKernels::forbidden) return false;
        return with_known_sent_task<rows>(role, task, elements, shape, [&]<Role which>(const auto& sent) {
            ++test::KnownKernels::launched;
            for_blocks(task, shape, blocks, [&](const BlockPosition<T>& block) {
                run_whole<which, KernelVariant<sent.kind, Outer::radix8>>(sent, block);
            });
        });
    }
    return false;
}

#define POISSON3D_KNOWN_SENT(rows, T)                                                                             \
    template bool launch_known_sent_kernel<rows>(Role, const Task<T>&, const SentElements<T>&, const BlockShape&, \
                                                 const Blocks&, Stream);
#define POISSON3D_KNOWN_SENT_ROWS(T) \
    POISSON3D_KNOWN_SENT(128, T)     \
    POISSON3D_KNOWN_SENT(256, T)     \
    POISSON3D_KNOWN_SENT(384, T)     \
    POISSON3D_KNOWN_SENT(512, T) POISSON3D_KNOWN_SENT(768, T) POISSON3D_KNOWN_SENT(1024, T)
POISSON3D_KNOWN_SENT_ROWS(float)
POISSON3D_KNOWN_SENT_ROWS(double)

#define POISSON3D_SENT(kind, outer, T)                                                                       \
    template void launch_sent_kernel<Kind::kind, Outer::outer>(Role, const Task<T>&, const SentElements<T>&, \
                                                               const BlockShape&, const Blocks&, Stream);
#define POISSON3D_SENT_OUTER(kind, T) \
    POISSON3D_SENT(kind, large, T)    \
    POISSON3D_SENT(kind, radix8, T)
#define POISSON3D_SENT_KINDS(T)    \
    POISSON3D_SENT_OUTER(type1, T) \
    POISSON3D_SENT_OUTER(type2, T) \
    POISSON3D_SENT_OUTER(type3, T) \
    POISSON3D_SENT_OUTER(type4, T)
POISSON3D_SENT_KINDS(float)
POISSON3D_SENT_KINDS(double)

}  // namespace poisson3d::fused
