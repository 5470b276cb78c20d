// What functions that host and device share are marked with.
#pragma once

#ifdef __CUDACC__
#define POISSON3D_HD __host__ __device__ __forceinline__
#else
#define POISSON3D_HD inline __attribute__((always_inline))
#endif

/// Before a loop whose turns must become straight code, since they index registers: on the device, and in the inner
/// loops of the host; and before one that must not, for want of them.
#ifdef __CUDA_ARCH__
#define POISSON3D_UNROLL _Pragma("unroll")
#define POISSON3D_ROLLED _Pragma("unroll 1")
#elif defined(POISSON3D_ISA) && defined(__GNUC__) && !defined(__clang__)
#define POISSON3D_UNROLL _Pragma("GCC unroll 16")
#define POISSON3D_ROLLED
#else
#define POISSON3D_UNROLL
#define POISSON3D_ROLLED
#endif
