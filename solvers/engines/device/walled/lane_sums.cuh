// Sums over the lanes of a warp, of as many numbers at once as it has lanes or fewer.
#pragma once

namespace poisson3d::walled {

/// Every lane has 2 · width numbers, of which the first becomes that of number lane % (2 · width), added up over as
/// many lanes.
template <int width, class T, int count>
__device__ __forceinline__ void sum_over_lanes(T (&numbers)[count], int lane) {
    static_assert(2 * width <= count);
    const bool upper = (lane & width) != 0;
#pragma unroll
    for (int e = 0; e < width; ++e) {
        const T kept = upper ? numbers[e + width] : numbers[e];
        const T given = upper ? numbers[e] : numbers[e + width];
        numbers[e] = kept + __shfl_xor_sync(0xffffffffu, given, width);
    }
    if constexpr (width > 1) sum_over_lanes<width / 2>(numbers, lane);
}

}  // namespace poisson3d::walled
