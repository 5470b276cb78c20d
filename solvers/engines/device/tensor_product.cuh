// What kernels that multiply matrices are made of: copies to shared memory, asynchronous where the device can, and
// products of 16 × 8 and 8 × 8 numbers on its tensor cores.
#pragma once

namespace poisson3d::device {

/// The first `there` bytes of so many, the rest zero: 16 at addresses of 16, or an element.
template <int bytes, class T>
__device__ __forceinline__ void copy_part(T* to, const T* from, int there) {
#if __CUDA_ARCH__ >= 800
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(there)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(from), "n"(bytes),
                     "r"(there)
                     : "memory");
#else
    constexpr int size = static_cast<int>(sizeof(T));
#pragma unroll
    for (int i = 0; i < bytes / size; ++i) to[i] = i * size < there ? from[i] : T(0);
#endif
}
/// `there`: else zero.
template <class T>
__device__ __forceinline__ void copy_element(T* to, const T* from, bool there) {
    constexpr int bytes = static_cast<int>(sizeof(T));
    copy_part<bytes>(to, from, there ? bytes : 0);
}
__device__ __forceinline__ void copy_two(double* to, const double* from) {
#if __CUDA_ARCH__ >= 800
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
#else
    to[0] = from[0], to[1] = from[1];
#endif
}
__device__ __forceinline__ void end_of_stage() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Until all stages but the latest `later` are there, for this thread.
template <int later>
__device__ __forceinline__ void wait_for_stage() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(later) : "memory");
#endif
}

/// sums (16 × 8) += a (16 × 8) · b (8 × 8): thread 4 g + t of a warp has sums (g, 2t), (g, 2t + 1), (g + 8, 2t),
/// (g + 8, 2t + 1), of a (g, t), (g + 8, t), (g, t + 4), (g + 8, t + 4), of b (t, g), (t + 4, g).
__device__ __forceinline__ void multiply(double (&sums)[4], const double (&a)[4], const double (&b)[2]) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            double &first = sums[2 * half], &second = sums[2 * half + 1];
            const double mine = a[2 * k + half];
#if __CUDA_ARCH__ >= 800
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                         : "+d"(first), "+d"(second)
                         : "d"(mine), "d"(b[k]));
#else
            const int lane = static_cast<int>(threadIdx.x) % 32;
            for (int i = 0; i < 4; ++i) {
                const double row = __shfl_sync(~0U, mine, lane / 4 * 4 + i);
                first = fma(row, __shfl_sync(~0U, b[k], lane % 4 * 8 + i), first);
                second = fma(row, __shfl_sync(~0U, b[k], lane % 4 * 8 + 4 + i), second);
            }
#endif
        }
#endif
}

}  // namespace poisson3d::device
