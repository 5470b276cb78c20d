// The threads of a warp and their product of small matrices, one instruction of tensor cores for double precision.
// On the host one thread is all threads of all warps: what each of them keeps for itself stands in arrays.
#pragma once

#include "host_device.hpp"

namespace poisson3d::lines {

/// body(number of the thread in its warp, where its numbers stand here)
struct WarpLanes {
#ifdef __CUDA_ARCH__
    static constexpr int here = 1;
    template <class Body>
    static __device__ __forceinline__ void each(const Body& body) {
        body(static_cast<int>(static_cast<unsigned>(BlockThreads::index()) % 32), 0);
    }
    static __device__ __forceinline__ void wait() {
        __syncwarp();
    }
#else
    static constexpr int here = 32;
    template <class Body>
    static POISSON3D_HD void each(const Body& body) {
        for (int lane = 0; lane < 32; ++lane) body(lane, lane);
    }
    static POISSON3D_HD void wait() {}
#endif
};

/// The warps of a block, one after the other on the host.
struct BlockWarps {
#ifdef __CUDA_ARCH__
    static __device__ __forceinline__ int index() {
        return static_cast<int>(static_cast<unsigned>(BlockThreads::index()) / 32);
    }
    static __device__ __forceinline__ int count() {
        return BlockThreads::count() / 32;
    }
#else
    static int index() {
        return 0;
    }
    static int count() {
        return 1;
    }
#endif
};

/// The warps of a block in teams of `warps`, a power of two; some may be left over. The host has four.
class WarpTeams {
public:
#ifdef __CUDA_ARCH__
    static constexpr int here = 1;
    __device__ __forceinline__ explicit WarpTeams(int warps)
        : number_(BlockThreads::count() / 32 >> shift_of(warps)),
          team_(BlockThreads::index() / 32 >> shift_of(warps)),
          part_(BlockThreads::index() / 32 & (warps - 1)) {}
    /// body(team, number in it, where its numbers stand here)
    template <class Body>
    __device__ __forceinline__ void each(const Body& body) const {
        body(team_, part_, 0);
    }
#else
    static constexpr int here = 4;
    explicit WarpTeams(int warps) : number_(here >> shift_of(warps)), warps_(warps) {}
    template <class Body>
    void each(const Body& body) const {
        for (int warp = 0; warp < here; ++warp) body(warp / warps_, warp % warps_, warp);
    }
#endif
    [[nodiscard]] POISSON3D_HD int number() const {
        return number_;
    }

private:
    static POISSON3D_HD int shift_of(int warps) {
        return warps == 1 ? 0 : warps == 2 ? 1 : 2;
    }
    int number_;
#ifdef __CUDA_ARCH__
    int team_, part_;
#else
    int warps_;
#endif
};

/// sums (16 × 8) += a (16 × 4) · b (4 × 8): thread 4 g + t of a warp has sums (g, 2t), (g, 2t + 1), (g + 8, 2t),
/// (g + 8, 2t + 1), of a (g, t), (g + 8, t), of b (t, g). Each is told by where a thread's numbers stand.
template <class SumsOf, class A, class B>
POISSON3D_HD void multiply_tile(const SumsOf& sums_of, const A& a_of, const B& b_of) {
#ifdef __CUDA_ARCH__
    double(&sums)[4] = sums_of(0);
    const double(&a)[2] = a_of(0);
    const double b = b_of(0);
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
        : "d"(a[0]), "d"(a[1]), "d"(b));
#else
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        double &first = sums[2 * half], &second = sums[2 * half + 1];
#if __CUDA_ARCH__ >= 800
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+d"(first), "+d"(second)
                     : "d"(a[half]), "d"(b));
#else
        const int lane = BlockThreads::index() % 32;
        for (int i = 0; i < 4; ++i) {
            const double row = __shfl_sync(~0U, a[half], lane / 4 * 4 + i);
            first = fma(row, __shfl_sync(~0U, b, lane % 4 * 8 + i), first);
            second = fma(row, __shfl_sync(~0U, b, lane % 4 * 8 + 4 + i), second);
        }
#endif
    }
#endif
#else
    for (int g = 0; g < 8; ++g)
        for (int t = 0; t < 4; ++t)
            for (int half = 0; half < 2; ++half)
                for (int c = 0; c < 2; ++c)
                    for (int i = 0; i < 4; ++i)
                        sums_of(4 * g + t)[2 * half + c] += a_of(4 * g + i)[half] * b_of(4 * (2 * t + c) + i);
#endif
}

}  // namespace poisson3d::lines
