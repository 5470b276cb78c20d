// The passes over lines of square_lines.hpp. What a block needs next is on its way to shared memory while it ends
// its present lines: threads hold as many numbers as they can, so no other block could run meanwhile.
//
// Columns there and back: a block goes on to other lines, so that there always are next ones. Of modes, all of
// which are there, the upper half goes straight to the registers that samples beyond the box leave.
#pragma once

#include "complex_symbol.hpp"
#include "square_lines.hpp"

namespace poisson3d::fused {

template <int r, class T>
POISSON3D_HD void exchange_parts(Complex<T> (&z)[r]) {
    POISSON3D_UNROLL
    for (int j = 0; j < r; ++j) z[j] = exchanged(z[j]);
}

/// The upper half of a thread's elements.
template <int r, class T, class Columns>
POISSON3D_HD void load_upper(Complex<T> (&z)[r], const Columns& columns, int line, int mine) {
    auto at = columns.read_from(line, mine + r * r / 2, r);
    POISSON3D_UNROLL
    for (int j = r / 2; j < r; ++j) z[j] = Complex<T>{};
    if (line >= columns.there) return;
    POISSON3D_UNROLL
    for (int j = r / 2; j < r; ++j) z[j] = at.next();
}
template <int r, class T, class Columns>
POISSON3D_HD void store_samples(const Complex<T> (&z)[r], const Columns& columns, int line, int mine) {
    if (line >= columns.there) return;
    auto at = columns.write_from(line, mine, r);
    POISSON3D_UNROLL
    for (int j = 0; j < r / 2; ++j) at.next(exchanged(z[square_place<r>(j)]));
}

/// Padded columns there or back: blocks of lines first, first + apart … of `chunks` at each slow index.
template <bool back, int r, class T, class Line, class Barrier>
POISSON3D_HD void run_square_blocks(const ComplexTask<T, Line>& task, int chunks, int first, int apart, T* memory,
                                    const Barrier& barrier) {
    const SquareLine<T, r> shared(task, memory);
    const int blocks = chunks * static_cast<int>(task.slow);
    const auto columns = [&](int block) {
        const int here = in_this_turn(block);
        return ComplexColumns<T>(task, Index{task.count} * (here % chunks), here / chunks);
    };
    if (first >= blocks) return;
    SquareNumbers<T, r> numbers;
    numbers.ask_for_twiddles(shared, task.square);
    numbers.ask_for(shared, columns(first));
    if constexpr (back)
        numbers.for_each([&](int line, int mine, Complex<T>(&z)[r]) { load_upper(z, columns(first), line, mine); });
    POISSON3D_ROLLED
    for (int block = first; block < blocks; block += apart) {
        numbers.take(shared, columns(block).there);
        if constexpr (back) numbers.for_each([](int, int, Complex<T>(&z)[r]) { exchange_parts(z); });
        barrier();
        numbers.template first_step<!back>(shared);
        numbers.exchange(shared, barrier);
        const bool goes_on = block + apart < blocks;
        if (goes_on) numbers.ask_for(shared, columns(block + apart));
        numbers.last_step();
        numbers.for_each([&](int line, int mine, Complex<T>(&z)[r]) {
            if constexpr (back) {
                store_samples<r>(z, columns(block), line, mine);
                if (goes_on) load_upper(z, columns(block + apart), line, mine);
            } else {
                const auto here = columns(block);
                if (line >= here.there) return;
                auto at = here.write_from(line, mine, r);
                POISSON3D_UNROLL
                for (int k = 0; k < r; ++k) at.next(z[square_place<r>(k)]);
            }
        });
    }
}

/// The middle pass (run_complex_symbol) of blocks first, first + apart … of `chunks` at each group.
template <bool slots, int r, class T, class Line, class Barrier>
POISSON3D_HD void run_square_symbol(const ComplexTask<T, Line>& task, const SummedSymbol<T>& symbol, int chunks,
                                    int groups, int first, int apart, T* memory, const Barrier& barrier) {
    constexpr int half_row = r * r / 2;
    const SquareLine<T, r> shared(task, memory);
    const SymbolMemory<complex_count<T>, T> sums(shared.beside, symbol);
    const int blocks = chunks * groups;
    // Made where it is used: what it is made of lies in no registers between.
    const auto slot = [&](int block, int turn) {
        return static_cast<Index>(load_table(symbol.slots + 2 * (block / chunks) + turn));
    };
    const auto columns = [&](int block, int turn) {
        const int here = in_this_turn(block);
        const Index line = Index{task.count} * (here % chunks);
        if constexpr (slots)
            return SlotColumns<T>(task, line, slot(here, 0), slot(here, 1));
        else
            return ComplexColumns<T>(task, line, slot(here, in_this_turn(turn)));
    };
    if (first >= blocks) return;
    SquareNumbers<T, r> numbers;
    numbers.ask_for_twiddles(shared, task.square);
    numbers.ask_for(shared, columns(first, 0));
    int turn = 0;
    POISSON3D_ROLLED
    for (int block = first; block < blocks;) {
        if (turn == 0)
            sum_symbol(symbol, slot(block, 0), Index{task.count} * (block % chunks), task.lines, sums, barrier);
        numbers.take(shared, columns(block, turn).there);
        barrier();
        numbers.template first_step<true>(shared);
        numbers.exchange(shared, barrier);
        numbers.last_step();
        numbers.for_each([&](int line, int mine, Complex<T>(&z)[r]) {
            const T* const values = sums.values + line * sums.pitch;
            Complex<T> divided[r];
            POISSON3D_UNROLL
            for (int k = 0; k < r; ++k) {
                const int row = k < r / 2 ? mine + r * k : 2 * half_row - mine - r * k;
                divided[k] = exchanged(task.factor * values[row] * z[square_place<r>(k)]);
            }
            POISSON3D_UNROLL
            for (int k = 0; k < r; ++k) z[k] = divided[k];
        });
        numbers.template first_step<false>(shared);
        numbers.exchange(shared, barrier);
        const bool again = !slots && turn == 0 && slot(block, 1) >= 0;
        const int next = again ? block : block + apart, next_turn = again ? 1 : 0;
        if (next < blocks) numbers.ask_for(shared, columns(next, next_turn));
        numbers.last_step();
        numbers.for_each(
            [&](int line, int mine, Complex<T>(&z)[r]) { store_samples<r>(z, columns(block, turn), line, mine); });
        block = next, turn = next_turn;
    }
}

/// Of a block, with as many numbers of the symbol beside its lines.
template <int r, class T>
BlockShape square_shape(Index beside) {
    BlockShape shape;
    shape.count = complex_count<T>;
    shape.threads = SquareLine<T, r>::threads;
    shape.bytes = static_cast<std::size_t>(Index{2 * r * r + SquareLine<T, r>::room} + beside) * sizeof(T);
    return shape;
}

}  // namespace poisson3d::fused
