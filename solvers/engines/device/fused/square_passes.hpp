// Passes over columns by lines of r² elements (square_lines.hpp): blocks of the middle pass, and those of a launch
// that has passes of up to three slabs, all of them alike for a multiprocessor.
#pragma once

#include <array>

#include "square_lines.hpp"

namespace poisson3d::fused {

/// Whether all passes over columns have such kernels where those of both axes may, so that passes of three slabs
/// are one launch (PaddedPasses::columns).
template <class T>
inline constexpr bool joins_columns = sizeof(T) == 8;

/// Passes over columns of up to three slabs that one launch may have, since none reads what another one writes.
enum class ColumnPass : std::uint8_t { there, middle, back };
template <class T>
struct JoinedColumns {
    int count = 0;
    ColumnPass pass[3]{};
    ComplexTask<T> task[3];  ///< of the middle pass with as many slow indices as groups

    void add(ColumnPass which, const ComplexTask<T>& its) {
        pass[count] = which;
        task[count++] = its;
    }
};

/// A block of padded columns: of a pass along the slow axis of planes, there or back, at a slow index, or of the
/// middle pass at a group of slots (run_complex_symbol). There is what the middle pass begins with, back is what it
/// ends with, so that a kernel of all three has its DFTs once.
template <bool slots, int r, class T, class Barrier>
POISSON3D_HD void run_square_block(ColumnPass pass, const ComplexTask<T>& task, const SummedSymbol<T>& symbol,
                                   int chunk, int slow, T* shared, const Barrier& barrier) {
    constexpr int count = complex_count<T>, half_row = r * r / 2;
    const SquareLine<T, r> line{task.square, shared, task.none};
    const SymbolMemory<count, T> memory(shared + count * square_pitch<r>, symbol);
    const bool middle = pass == ColumnPass::middle;
    SquareNumbers<T, r> numbers;
    POISSON3D_ROLLED
    for (int i = 0; i < (middle && !slots ? 2 : 1); ++i) {
        const Index slot = middle ? symbol.slots[2 * slow + i] : slow;
        if (slot < 0) break;
        // Made where it is used: what it is made of lies in no registers between.
        const auto columns = [&](int turn) {
            const int here = in_this_turn(turn);
            const Index first = Index{task.count} * chunk, at = middle ? symbol.slots[2 * slow + here] : slow;
            if constexpr (slots)
                return SlotColumns<T>(task, first, at, symbol.slots[2 * slow + 1]);
            else
                return ComplexColumns<T>(task, first, at);
        };
        if (middle && i == 0) sum_symbol(symbol, slot, Index{task.count} * chunk, task.lines, memory, barrier);
        if (pass == ColumnPass::back) {
            load_square<false>(numbers, columns(i));
            numbers.for_each([](int, int, Complex<T>(&z)[r]) { exchange_parts(z); });
        } else {
            load_square<true>(numbers, columns(i));
            numbers.template transform<true>(line, barrier);
            if (!middle) return store_square_modes(numbers, columns(i));
            numbers.for_each([&](int l, int mine, Complex<T>(&z)[r]) {
                const T* const values =
                    shared + count * square_pitch<r> + l * static_cast<int>(symbol_pitch(half_row + 1));
                Complex<T> divided[r];
                POISSON3D_UNROLL
                for (int k = 0; k < r; ++k) {
                    const int row = k < r / 2 ? mine + r * k : 2 * half_row - mine - r * k;
                    divided[k] = exchanged(task.factor * values[row] * z[square_place<r>(k)]);
                }
                POISSON3D_UNROLL
                for (int k = 0; k < r; ++k) z[k] = divided[k];
            });
        }
        numbers.template transform<false>(line, barrier);
        store_square_samples(numbers, columns(i));
    }
}

/// A block of a launch of several passes; chunks and slow indices are as many as any of them has.
template <int r, class T, class Barrier>
POISSON3D_HD void run_joined_block(const JoinedColumns<T>& passes, const SummedSymbol<T>& symbol, int number,
                                   int chunk, int slow, T* shared, const Barrier& barrier) {
    const ComplexTask<T>& task = passes.task[number];
    if (chunk * task.count >= task.lines || slow >= task.slow) return;
    run_square_block<false, r>(passes.pass[number], task, symbol, chunk, slow, shared, barrier);
}

/// As many chunks and slow indices as any of these passes has.
template <class T>
std::array<int, 2> joined_blocks(const JoinedColumns<T>& passes) {
    std::array<int, 2> most{};
    for (int i = 0; i < passes.count; ++i) {
        most[0] = std::max(most[0], complex_chunks(passes.task[i], false));
        most[1] = std::max(most[1], static_cast<int>(passes.task[i].slow));
    }
    return most;
}

/// `rows` elements a line (square_lines.hpp). Asynchronous on `stream`; throws Error{device} when refused.
template <int rows, class T>
void launch_joined_columns(const JoinedColumns<T>& passes, const SummedSymbol<T>& symbol, const BlockShape& shape,
                           bool early, Stream stream);

}  // namespace poisson3d::fused
