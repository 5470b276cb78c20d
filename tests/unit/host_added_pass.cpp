// Passes that add to what they read, executed on the host: every block by one thread.
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "added_pass.hpp"
#include "known_kernels.hpp"

namespace poisson3d::fused {

/// One length is enough to execute.
template <int rows, class T>
bool launch_added_kernel(const Task<T>& task, const MiddleTerms<T>& terms, const BlockShape& shape,
                         const Blocks& blocks, Stream) {
    if constexpr (rows == 256) {
        if (test::KnownKernels::forbidden) return false;
        return with_added_task<rows>(task, terms, shape, [&](const auto& added) {
            ++test::KnownKernels::launched;
            std::vector<Complex<T>> lines(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
            for (int b = 0; b < blocks.chunks * blocks.slow; ++b)
                run_block<Role::middle, Movement::rotated, KernelVariant<added.kind, Outer::radix8>>(
                    added, position_of(added, b % blocks.chunks, b / blocks.chunks, 0, lines.data()), NoWait{});
        });
    }
    return false;
}

template <class T>
using AddedKernel = bool (*)(const Task<T>&, const MiddleTerms<T>&, const BlockShape&, const Blocks&, Stream);
/// Instantiates them.
template <class T, int... rows>
constexpr std::array<AddedKernel<T>, sizeof...(rows)> added_kernels(std::integer_sequence<int, rows...>) {
    return {&launch_added_kernel<rows, T>...};
}
[[gnu::used]] const auto added_float = added_kernels<float>(AddedLengths{});
[[gnu::used]] const auto added_double = added_kernels<double>(AddedLengths{});

}  // namespace poisson3d::fused
