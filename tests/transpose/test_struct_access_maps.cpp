// Structures in the registers of a warp: the steps of a load and of a store, done for all lanes in turn, end where
// the definition says. Rotations and renamings are the very functions that run on the device; only the shuffle is
// played.
#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "poisson3d/struct_access_maps.hpp"

namespace poisson3d {
namespace {

template <int M>
struct Warp {
    int words[32][M];  ///< [lane][register]

    template <class Lane>
    void shuffle(Lane from) {
        Warp old = *this;
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < M; ++i) {
                words[j][i] = old.words[from(i, j) & 31][i];  // a shuffle takes lanes modulo 32
            }
    }
    void to_own() {
        using Maps = StructAccessMaps<M>;
        for (int j = 0; j < 32; ++j) {
            load_rows(words[j]);
            rotate_words<RotateTo::larger, Maps::max_lane>(words[j], Maps::lane_amount(j));
        }
        shuffle([](int i, int j) { return Maps::load_lane(i, j); });
        for (int j = 0; j < 32; ++j)
            rotate_words<RotateTo::larger, Maps::max_group>(words[j], Maps::group_amount(j));
    }
    void to_runs() {
        using Maps = StructAccessMaps<M>;
        for (int j = 0; j < 32; ++j)
            rotate_words<RotateTo::smaller, Maps::max_group>(words[j], Maps::group_amount(j));
        shuffle([](int i, int j) { return Maps::store_lane(i, j); });
        for (int j = 0; j < 32; ++j) {
            rotate_words<RotateTo::smaller, Maps::max_lane>(words[j], Maps::lane_amount(j));
            store_rows(words[j]);
        }
    }
};

template <int M>
void check() {
    Warp<M> warp;
    for (int j = 0; j < 32; ++j)
        for (int i = 0; i < M; ++i) warp.words[j][i] = 32 * i + j;
    warp.to_own();
    for (int j = 0; j < 32; ++j)
        for (int i = 0; i < M; ++i) ASSERT_EQ(warp.words[j][i], M * j + i) << M << " words, lane " << j;
    warp.to_runs();
    for (int j = 0; j < 32; ++j)
        for (int i = 0; i < M; ++i) ASSERT_EQ(warp.words[j][i], 32 * i + j) << M << " words, lane " << j;
}

TEST(StructAccessMaps, LoadAndStoreTransposeEverySize) {
    [&]<int... M>(std::integer_sequence<int, M...>) {
        (check<M + 1>(), ...);
    }
    (std::make_integer_sequence<int, 64>{});
}

template <int M>
void check_rotations() {
    for (int amount = 0; amount < M; ++amount) {
        int up[M], down[M];
        for (int i = 0; i < M; ++i) up[i] = down[i] = i;
        rotate_words<RotateTo::larger, M - 1>(up, amount);
        rotate_words<RotateTo::smaller, M - 1>(down, amount);
        for (int i = 0; i < M; ++i) {
            ASSERT_EQ(up[(i + amount) % M], i) << M << " by " << amount;
            ASSERT_EQ(down[i], (i + amount) % M) << M << " by " << amount;
        }
    }
}

TEST(StructAccessMaps, RotationsByEveryAmount) {
    [&]<int... M>(std::integer_sequence<int, M...>) {
        (check_rotations<M + 1>(), ...);
    }
    (std::make_integer_sequence<int, 64>{});
}

}  // namespace
}  // namespace poisson3d
