// 32 structures of M words, transposed in the registers of a warp: the index maps. struct_access.cuh carries them
// out.
//
// As read, register i of lane j holds word 32i + j of the 32·M words; as wanted, word Mj + i, word i of structure
// j. Both are the same numbers in an M × 32 matrix (row = register, column = lane), so one is a permutation of the
// other, and it is a product of permutations of rows and of columns alone (Catanzaro, Keller, Garland, "A
// decomposition for in-place matrix transposition", 2014). Within a column nothing leaves its lane; within a row it
// is one shuffle. With c = gcd(M, 32), a = M / c, b = 32 / c, and v⁻¹ the inverse of v modulo the other; every map
// is a gather, new[i] = old[map(i)]:
//
//     load     rows        i ↦ (⌈i/c⌉·b⁻¹ mod a) + ((c − 1)·i mod c)·a     the same in each lane: renames registers
//              lane j      i ↦ i − j                 mod M                  rotates registers
//              register i  j ↦ (i + ⌊j/b⌋ mod M) + M·j   mod 32             a shuffle
//              lane j      i ↦ i − ⌊j/b⌋             mod M                  rotates registers
//     store    the inverses in reverse order; with f = j + 31·i, plus M if i − (j mod c) > M − c,
//              register i  j ↦ (⌊f/c⌋·a⁻¹ mod b) + (f mod c)·b
//              rows        i ↦ 32·i − ⌊i/a⌋          mod M
//
// Registers have no addresses: a rotation by an amount that differs from lane to lane takes log2 steps, each of
// which moves all registers by 2^s or leaves them, and all indices are constants.
#pragma once

#ifdef __CUDACC__
#define POISSON3D_STRUCT_HD __host__ __device__ __forceinline__
#define POISSON3D_STRUCT_UNROLL _Pragma("unroll")
#else
#define POISSON3D_STRUCT_HD inline
#define POISSON3D_STRUCT_UNROLL
#endif

namespace poisson3d {

template <int M>
struct StructAccessMaps {
    static_assert(M >= 1 && M <= 64, "structures of 1 to 64 words");

    static constexpr POISSON3D_STRUCT_HD int common_divisor(int u, int v) {
        while (v != 0) {
            const int rest = u % v;
            u = v;
            v = rest;
        }
        return u;
    }
    /// The inverse of u modulo v; 0 if v is 1.
    static constexpr POISSON3D_STRUCT_HD int modular_inverse(int u, int v) {
        int x = 0;
        while (v > 1 && u % v * x % v != 1) ++x;
        return x;
    }

    static constexpr int lanes = 32;
    static constexpr int c = common_divisor(M, lanes);
    static constexpr int a = M / c;
    static constexpr int b = lanes / c;
    static constexpr int log_c = c == 32 ? 5 : c == 16 ? 4 : c == 8 ? 3 : c == 4 ? 2 : c == 2 ? 1 : 0;
    static constexpr int inverse_b = modular_inverse(b, a);
    static constexpr int inverse_a = modular_inverse(a, b);
    /// The largest amounts of the two rotations.
    static constexpr int max_lane = M < lanes ? M - 1 : lanes - 1;
    static constexpr int max_group = c - 1;

    /// Rotations of lane j: by j, and by ⌊j/b⌋.
    static constexpr POISSON3D_STRUCT_HD int lane_amount(int j) { return j % M; }
    static constexpr POISSON3D_STRUCT_HD int group_amount(int j) { return j / b; }

    static constexpr POISSON3D_STRUCT_HD int load_row(int i) {
        return (c - 1 + i) / c * inverse_b % a + (c - 1) * i % c * a;
    }
    // Lanes modulo 32, which a shuffle takes by itself. With i a constant, most registers need no comparison: only
    // the last c rows can wrap. f counts modulo 32 = b·c, so 31·i is −i, and shifts stand for divisions.
    static constexpr POISSON3D_STRUCT_HD int load_lane(int i, int j) {
        if (c == M) return ((i + j / b) & (M - 1)) + j * M;
        return i + j / b + j * M - (i > M - c && i + j / b >= M ? M : 0);
    }
    static constexpr POISSON3D_STRUCT_HD int store_lane(int i, int j) {
        const int f = j - i + (i > M - c && i - j % c > M - c ? M : 0);
        return ((f >> log_c) * inverse_a & (b - 1)) + f * b;
    }
    static constexpr POISSON3D_STRUCT_HD int store_row(int i) { return (i * lanes - i / a) % M; }
};

enum class RotateTo {
    larger,   ///< new[i] = old[i − amount]
    smaller,  ///< new[i] = old[i + amount]
};

/// Rotates `words` by `amount` ≤ Most < M.
template <RotateTo Direction, int Most, int M, class Word>
POISSON3D_STRUCT_HD constexpr void rotate_words(Word (&words)[M], int amount) {
    if constexpr (Most > 0) {
        POISSON3D_STRUCT_UNROLL
        for (int step = 1; step <= Most; step *= 2) {
            const bool move = (amount & step) != 0;
            Word moved[M];
            POISSON3D_STRUCT_UNROLL
            for (int i = 0; i < M; ++i) {
                const int from = Direction == RotateTo::larger ? (i - step + M) % M : (i + step) % M;
                moved[i] = move ? words[from] : words[i];
            }
            POISSON3D_STRUCT_UNROLL
            for (int i = 0; i < M; ++i) words[i] = moved[i];
        }
    }
}

/// Word i becomes what word load_row(i) was.
template <int M, class Word>
POISSON3D_STRUCT_HD constexpr void load_rows(Word (&words)[M]) {
    Word old[M];
    POISSON3D_STRUCT_UNROLL
    for (int i = 0; i < M; ++i) old[i] = words[i];
    POISSON3D_STRUCT_UNROLL
    for (int i = 0; i < M; ++i) words[i] = old[StructAccessMaps<M>::load_row(i)];
}
template <int M, class Word>
POISSON3D_STRUCT_HD constexpr void store_rows(Word (&words)[M]) {
    Word old[M];
    POISSON3D_STRUCT_UNROLL
    for (int i = 0; i < M; ++i) old[i] = words[i];
    POISSON3D_STRUCT_UNROLL
    for (int i = 0; i < M; ++i) words[i] = old[StructAccessMaps<M>::store_row(i)];
}

}  // namespace poisson3d

#undef POISSON3D_STRUCT_HD
#undef POISSON3D_STRUCT_UNROLL
