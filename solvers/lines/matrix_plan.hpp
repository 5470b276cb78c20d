// What plans of lines by two products with matrices share (matrix_units.hpp).
#pragma once

#include <array>
#include <vector>

#include "axis_kind.hpp"
#include "matrix_shape.hpp"

namespace poisson3d::lines {

/// Cosines and sines number(j, k), j < in, k < out, in the order in which threads hold them.
template <class NumberOf>
void add_matrices(std::vector<Complex<double>>& table, const MatrixShape& shape, int in, int out,
                  const NumberOf& number) {
    const std::size_t first = table.size();
    table.resize(first + static_cast<std::size_t>(shape.numbers), Complex<double>{0, 0});
    for (int j = 0; j < in; ++j)
        for (int k = 0; k < out; ++k) {
            const auto z = number(Index{j}, Index{k});
            table[first + static_cast<std::size_t>(matrix_entry(shape, j, k))] = {static_cast<double>(z.re),
                                                                                  static_cast<double>(z.im)};
        }
}

/// What a complex line asks of a block: its elements, those that it takes in shared memory, both steps, and the
/// twiddles and numbers of matrices that all lines of the block share there.
struct MatrixWork {
    struct Step {
        int units, half;  ///< elements of a unit going in, of each matrix
        bool is_complex;
        [[nodiscard]] MatrixShape shape() const {
            return {2 * half - 2, is_complex ? most_complex_tiles : most_real_tiles};
        }
    };
    int elements, padded;
    std::array<Step, 2> steps;
    int twiddles;
    [[nodiscard]] int matrices() const;
    /// Of twiddles and matrices; `element`: bytes of a real number of the field.
    [[nodiscard]] std::size_t table_bytes(std::size_t element) const {
        return 2 * element * static_cast<std::size_t>(twiddles) +
               sizeof(Complex<double>) * static_cast<std::size_t>(matrices());
    }
};

/// The two numbers of a line by matrix steps, a and what is left. None: there are none.
std::vector<int> matrix_radices(const AxisKind& kind);
MatrixWork matrix_work(const AxisKind& kind, const std::vector<int>& radices);

/// The warps of a block of so many complex lines with which the steps take the least time, and that: copies of four
/// lines of doubles beyond those of a pass that multiplies nothing, estimated.
struct MatrixBlock {
    int warps;
    double copies;
};
MatrixBlock fastest_block(const MatrixWork& work, int lines);

/// a, odd, at least 3, and length/a, both up to so many, that take the least time; work(a and length/a). None:
/// there are none.
template <class WorkOf>
std::vector<int> fastest_radices(Index length, Index largest, Index largest_other, const WorkOf& work) {
    std::vector<int> best;
    double least = 0;
    for (Index a = 3; a <= largest && a <= length; a += 2) {
        if (length % a != 0 || length / a > largest_other) continue;
        const std::vector<int> radices{static_cast<int>(a), static_cast<int>(length / a)};
        const double copies = fastest_block(work(radices), 4).copies;
        if (best.empty() || copies < least) best = radices, least = copies;
    }
    return best;
}

/// From line to line in shared memory: so that the same elements of neighbours use different banks.
template <class T>
int pitch_between_banks(int elements) {
    constexpr int banks = 128 / static_cast<int>(2 * sizeof(T));
    return (elements - 2 + banks - 1) / banks * banks + 2;
}

}  // namespace poisson3d::lines
