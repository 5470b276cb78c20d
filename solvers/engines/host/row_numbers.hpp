// Which row of the field, or of scratch, each element of the outer butterflies of a line is, in the order in which
// loops take them. For lines that need no questions: every element is there, and signs are where they always are.
// A loop then reads a number and multiplies it with the distance of rows, two instructions; finding a row in a
// table of pairs (pair_map.hpp) takes a dozen.
#pragma once

#include <vector>

#include "kernels.hpp"

namespace poisson3d::host {

template <class T>
class RowNumberTable {
public:
    /// Of one side of lines; with another Form than theirs the table is useless.
    template <class Form>
    static RowNumberTable make(const lines::ButterflyPairs<T, Plain>& pairs, const lines::PairMap<T, Plain>& map) {
        RowNumberTable table;
        const int r = pairs.radix, count = pairs.items.count;
        if (map.words == nullptr || r < 2) return table;
        table.rows_.resize(static_cast<std::size_t>(2 * r * count));
        bool plain = true, half = Form::pairs || r % 2 == 0;
        for (int o = 0; o < count; ++o) {
            const lines::ButterflyOffsets at = pairs.offsets_of(o);
            for (int k = 0; k < 2 * r; ++k) {  // first those of a, then those of b
                const bool of_b = k >= r;
                if (!Form::pairs && of_b && at.a == at.b) continue;  // a alone
                const int m = !of_b ? k : Form::straight ? k - r : 2 * r - 1 - k;
                const bool second = (m < (r + 1) / 2) == of_b;
                const lines::PairMapEntryOf<Plain::Word> entry{map.words[m * count + o]};
                const int row = second ? entry.second() : entry.first();
                if (row == lines::no_element_in<Plain::Word>) return {};
                table.rows_[static_cast<std::size_t>(2 * o * r + k)] = row;
                if (Form::zeroth == lines::Arrangement::mirror && o == 0 && m == r / 2) continue;  // self-paired
                const bool negative = (second ? entry.second_sign() : entry.first_sign()) != 0;
                plain = plain && !negative;
                half = half && negative == (Form::pairs ? second : 2 * (k % r) >= r);
            }
        }
        table.signs_ = plain ? Signs::plain : half ? Signs::half : Signs::listed;
        return table;
    }

    [[nodiscard]] RowNumbers view() const noexcept { return {signs_, rows_.data()}; }

private:
    Signs signs_ = Signs::listed;
    std::vector<std::int32_t> rows_;
};

}  // namespace poisson3d::host
