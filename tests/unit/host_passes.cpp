// The fused passes executed on the host: every block by one thread.
#include <cmath>
#include <vector>

#include "launch.hpp"

namespace poisson3d::fused {

std::size_t most_shared() {
    return std::size_t{227} << 10;
}

template <class T>
void launch_pass(Role role, const PassTask<T>& task, const BlockShape& shape, const Blocks& blocks, Stream) {
    std::vector<Complex<T>> lines(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    with_kind(task.kind, [&]<Kind kind>() {
        with_kernel<kind>(role, task.eights, [&]<Role which, class Known>() {
            for (int b = 0; b < blocks.chunks * blocks.slow; ++b)
                run_block<which, Known>(task,
                                        place_of(task, blocks.first_chunk + b % blocks.chunks,
                                                 blocks.first_slow + b / blocks.chunks, lines.data()),
                                        [] {});
        });
    });
}

template void launch_pass(Role, const PassTask<float>&, const BlockShape&, const Blocks&, Stream);
template void launch_pass(Role, const PassTask<double>&, const BlockShape&, const Blocks&, Stream);

}  // namespace poisson3d::fused
