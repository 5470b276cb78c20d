// Planes of one wave number along z (plane_schedule.hpp), whose lines along a and b are padded complex lines of r²
// elements in registers (square_lines.hpp): n = r²/2 unknowns, N = r² modes.
//
//     there     Z(x, y) → Σ_x w^{xk} Z(x, y)          columns of neighbouring y
//     middle    DFT along y, times −K(k, l, kz), back  rows k and then N − k, which share K
//     back      → (x, y)                               columns
//
// A block has as many lines as fill 64 bytes. Threads of a row are neighbours and belong to one warp, r = 32, so
// that rows are exchanged without waiting for the block. Host and device share this file.
#pragma once

#include "plane_schedule.hpp"
#include "plane_symbol.hpp"
#include "square_lines.hpp"

namespace poisson3d::fused {

/// Modes: complex number (x, y) of plane kz at kz · plane + x · row + y. The ring: (k, y) of its plane p at
/// p · N row + k · row + y.
template <class T>
struct PlaneTask {
    static constexpr int count = complex_count<T>;
    PlaneSchedule schedule;
    Complex<T>* modes = nullptr;
    Complex<T>* ring = nullptr;
    T* sums = nullptr;  ///< of rows of planes of the ring (plane_symbol.hpp)
    unsigned* counters = nullptr;
    const Complex<T>* twiddles = nullptr;
    Index plane = 0;
    int row = 0;   ///< unknowns of b, a multiple of `count`
    T factor = 1;  ///< what modes are multiplied with beside −K
};

template <int r, class T>
PlaneSchedule plane_schedule(int planes) {
    constexpr int count = complex_count<T>, rows = r * r / 2 + 1;
    PlaneSchedule schedule{planes, (rows + rows_of_sums - 1) / rows_of_sums, r * r / 2 / count,
                           (rows + count - 1) / count};
    if (sizeof(T) == 4) schedule.ring = 7, schedule.middle_lag = 2, schedule.back_lag = 5;  // half as large
    return schedule;
}

/// Shared memory: the lines, and behind them −K of their modes; or what sum_lines() needs, which is less.
template <int r, class T>
BlockShape plane_shape() {
    constexpr int count = complex_count<T>;
    constexpr Index values = count * symbol_pitch(r * r / 2 + 1);
    static_assert(numbers_of_sums <= count * square_pitch<r> + values);
    return square_shape<r, T>(values);
}

/// Elements `first + j · apart` of a line, of the field that passes by or of the ring, which stays in the cache.
template <bool passing, class T>
struct PlaneWalk {
    Complex<T>* at;
    int apart;
    POISSON3D_HD Complex<T> read(int j) const {
#ifdef __CUDA_ARCH__
        if constexpr (passing) {
            const auto v = __ldcs(reinterpret_cast<const typename lines::VectorOf<T>::Type*>(at + j * apart));
            return {v.x, v.y};
        }
#endif
        return load_field(at + j * apart);
    }
    POISSON3D_HD void write(int j, Complex<T> z) const {
#ifdef __CUDA_ARCH__
        if constexpr (passing) {
            typename lines::VectorOf<T>::Type v;
            v.x = z.re, v.y = z.im;
            return __stcs(reinterpret_cast<typename lines::VectorOf<T>::Type*>(at + j * apart), v);
        }
#endif
        store_field(at + j * apart, z);
    }
};

/// The same number, which a device reads again where it is used instead of keeping it in a register.
template <class X>
POISSON3D_HD X read_anew(const X& x) {
#ifdef __CUDA_ARCH__
    return static_cast<const volatile X&>(x);
#else
    return x;
#endif
}

/// Where the elements of a block's lines are.
template <int r, class T>
struct PlaneBlock {
    static constexpr int count = complex_count<T>, n = r * r / 2;
    const PlaneTask<T>& task;
    const PlaneWork& work;

    [[nodiscard]] POISSON3D_HD bool is(PlaneStage stage) const { return read_anew(work.stage) == stage; }
    [[nodiscard]] POISSON3D_HD int first() const { return count * read_anew(work.block); }
    [[nodiscard]] POISSON3D_HD Complex<T>* plane() const {
        return task.ring + Index{read_anew(work.slot)} * (2 * n) * task.row;
    }
    /// A column: elements mine + r j.
    [[nodiscard]] POISSON3D_HD PlaneWalk<true, T> column(int l, int mine) const {
        return {task.modes + read_anew(work.plane) * task.plane + first() + l + mine * task.row, r * task.row};
    }
    [[nodiscard]] POISSON3D_HD PlaneWalk<false, T> column_of_ring(int l, int mine) const {
        return {plane() + first() + l + mine * task.row, r * task.row};
    }
    /// Row k, then N − k; −1: not there.
    [[nodiscard]] POISSON3D_HD int row(int l, int turn) const {
        const int k = first() + l;
        if (in_this_turn(turn) == 0) return k <= n ? k : -1;
        return k > 0 && k < n ? 2 * n - k : -1;
    }
    [[nodiscard]] POISSON3D_HD PlaneWalk<false, T> elements(int row, int mine) const {
        return {plane() + Index{row} * task.row + mine, r};
    }
    [[nodiscard]] POISSON3D_HD T* sums(int numbers) const {
        return task.sums + Index{read_anew(work.slot)} * (n + 1) * numbers;
    }
};

/// Where threads wait for each other between the steps of a line: those of a row are a warp.
template <class Barrier>
struct LineBarrier {
    bool along_rows;
    const Barrier& block;
    POISSON3D_HD void operator()() const {
#ifdef __CUDA_ARCH__
        if (along_rows) return __syncwarp();
#endif
        block();
    }
};

/// All of a block's work, which must stay where it is. `wait` returns when what it needs is there.
template <int r, class T, class Barrier, class Wait>
POISSON3D_HD void run_plane_block(const PlaneTask<T>& task, const SummedSymbol<T>& symbol, const PlaneWork& work,
                                  T* shared, const Barrier& barrier, const Wait& wait) {
    static_assert(r == 32);
    constexpr int n = r * r / 2;
    const PlaneBlock<r, T> block{task, work};
    if (block.is(PlaneStage::sums))
        return sum_lines(symbol, work.plane, work.block, n + 1, block.sums(line_numbers(symbol)), shared, barrier,
                         wait);
    if (!block.is(PlaneStage::there)) wait();
    const bool middle = block.is(PlaneStage::middle);
    const SquareLine<T, r> line{task.twiddles, shared};
    const LineBarrier<Barrier> line_barrier{middle, barrier};
    const auto values_of = [&](int l) {
        return shared + block.count * square_pitch<r> + l * static_cast<int>(symbol_pitch(n + 1));
    };
    SquareNumbers<T, r> numbers;
    numbers.along_rows = middle;
    const auto load_row = [&](int turn) {
        numbers.for_each([&](int l, int mine, Complex<T>(&z)[r]) {
            const int k = block.row(l, turn);
            POISSON3D_UNROLL
            for (int j = 0; j < r / 2; ++j) z[j] = Complex<T>{};
            if (k < 0) return;
            const auto at = block.elements(k, mine);
            POISSON3D_UNROLL
            for (int j = 0; j < r / 2; ++j) z[j] = at.read(j);
        });
    };
    if (middle) {
        load_row(0);
        numbers.for_each([&](int l, int mine, Complex<T>(&)[r]) {
            const int k = block.row(l, 0);
            if (k < 0) return;
            row_values<r>(symbol, work.plane, k, mine, block.sums(line_numbers(symbol)) + k * line_numbers(symbol),
                          task.factor, values_of(l));
        });
        line_barrier();
    }
    POISSON3D_ROLLED
    for (int i = 0; i < 2; ++i) {
        if (!block.is(PlaneStage::back)) {
            if (block.is(PlaneStage::there))
                numbers.for_each([&](int l, int mine, Complex<T>(&z)[r]) {
                    const auto at = block.column(l, mine);
                    POISSON3D_UNROLL
                    for (int j = 0; j < r / 2; ++j) z[j] = at.read(j);
                });
            else if (i > 0)
                load_row(i);
            numbers.template transform<true, true>(line, line_barrier);
            if (block.is(PlaneStage::there)) {
                wait();
                return numbers.for_each([&](int l, int mine, Complex<T>(&z)[r]) {
                    const auto at = block.column_of_ring(l, mine);
                    POISSON3D_UNROLL
                    for (int k = 0; k < r; ++k) at.write(k, z[square_place<r>(k)]);
                });
            }
            numbers.for_each([&](int l, int mine, Complex<T>(&z)[r]) {
                const T* const values = values_of(l);
                Complex<T> divided[r];
                POISSON3D_UNROLL
                for (int k = 0; k < r; ++k) {
                    const int row = k < r / 2 ? mine + r * k : 2 * n - mine - r * k;
                    divided[k] = exchanged(values[row] * z[square_place<r>(k)]);
                }
                POISSON3D_UNROLL
                for (int k = 0; k < r; ++k) z[k] = divided[k];
            });
        } else {
            numbers.for_each([&](int l, int mine, Complex<T>(&z)[r]) {
                const auto at = block.column_of_ring(l, mine);
                POISSON3D_UNROLL
                for (int k = 0; k < r; ++k) z[k] = exchanged(at.read(k));
            });
        }
        numbers.template transform<false, true>(line, line_barrier);
        if (!block.is(PlaneStage::middle))
            return numbers.for_each([&](int l, int mine, Complex<T>(&z)[r]) {
                const auto at = block.column(l, mine);
                POISSON3D_UNROLL
                for (int j = 0; j < r / 2; ++j) at.write(j, exchanged(z[square_place<r>(j)]));
            });
        numbers.for_each([&](int l, int mine, Complex<T>(&z)[r]) {
            const int k = block.row(l, i);
            if (k < 0) return;
            const auto at = block.elements(k, mine);
            POISSON3D_UNROLL
            for (int j = 0; j < r / 2; ++j) at.write(j, exchanged(z[square_place<r>(j)]));
        });
    }
}

/// The second-level cache of the current device.
std::size_t cache_bytes();

/// Asynchronous on `stream`: all planes of a field, in one launch. Throws Error{device} when refused.
template <int r, class T>
void launch_planes(const PlaneTask<T>& task, const SummedSymbol<T>& symbol, Stream stream);

}  // namespace poisson3d::fused
