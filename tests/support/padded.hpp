// A field inside a larger block of memory whose every other element is a NaN of its own: what is read from outside
// spoils the result, what is written outside or in the wrong place is seen.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "poisson3d/field.hpp"

namespace poisson3d::test {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// A quiet NaN that no other index has (below 2^22).
template <class T>
T nan_of(Index index) {
    constexpr Bits<T> quiet = sizeof(T) == 4 ? Bits<T>{0x7fc00000u} : static_cast<Bits<T>>(0x7ff8000000000000ull);
    return std::bit_cast<T>(static_cast<Bits<T>>(quiet | static_cast<Bits<T>>(index + 1)));
}

template <class T>
bool same_bits(T a, T b) {
    return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b);
}

/// How many elements of two views differ in any bit.
template <class T>
Index different(FieldView<const T> a, FieldView<const T> b) {
    Index count = 0;
    for (Index i = 0; i < a.extents[0]; ++i)
        for (Index j = 0; j < a.extents[1]; ++j)
            for (Index k = 0; k < a.extents[2]; ++k) count += same_bits(a(i, j, k), b(i, j, k)) ? 0 : 1;
    return count;
}

template <class T>
class Padded {
public:
    /// `below` and `above` elements are left around the view on each axis; the view of zeros is dense. The first
    /// element is not aligned to anything wider than itself.
    Padded(const Extents& points, const Extents& below, const Extents& above) : points_(points), below_(below) {
        for (int a = 0; a < 3; ++a) whole_[a] = below[a] + points[a] + above[a];
        memory_.resize(static_cast<std::size_t>(whole_[0] * whole_[1] * whole_[2] + 2 * margin));
        for (Index i = 0; i < size(); ++i) memory_[i] = nan_of<T>(i);
    }

    [[nodiscard]] FieldView<T> view() {
        return {memory_.data() + first(), points_, {whole_[1] * whole_[2], whole_[2], 1}};
    }
    [[nodiscard]] FieldView<const T> view() const {
        return {memory_.data() + first(), points_, {whole_[1] * whole_[2], whole_[2], 1}};
    }
    /// Copies values into the view.
    void fill(FieldView<const T> values) {
        for (Index i = 0; i < points_[0]; ++i)
            for (Index j = 0; j < points_[1]; ++j)
                for (Index k = 0; k < points_[2]; ++k) view()(i, j, k) = values(i, j, k);
    }

    /// Elements outside the view that no longer hold their NaN.
    [[nodiscard]] Index damage() const {
        Padded untouched(*this);
        for (Index i = 0; i < size(); ++i) untouched.memory_[i] = nan_of<T>(i);
        untouched.fill(view());
        return untouched.differs_from(*this);
    }
    /// Elements that differ from another one of the same shape, inside and outside.
    [[nodiscard]] Index differs_from(const Padded& other) const {
        Index count = 0;
        for (Index i = 0; i < size(); ++i) count += same_bits(memory_[i], other.memory_[i]) ? 0 : 1;
        return count;
    }

private:
    static constexpr Index margin = 37;  ///< odd: see above

    [[nodiscard]] Index size() const { return static_cast<Index>(memory_.size()); }
    [[nodiscard]] Index first() const {
        return margin + (below_[0] * whole_[1] + below_[1]) * whole_[2] + below_[2];
    }

    Extents points_, below_, whole_{};
    std::vector<T> memory_;
};

}  // namespace poisson3d::test
