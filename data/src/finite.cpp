#include "finite.hpp"

#include <bit>
#include <cmath>
#include <type_traits>

namespace poisson3d {

namespace {

// NaN and Inf are the values whose exponent bits are all ones. Adding one unit to the exponent then carries into
// the sign bit, so that OR over a row tells in its sign bit whether any was met. No branch, no comparison: the
// compiler makes vector code of it.
template <class T>
bool row_is_finite(const T* row, Index count) noexcept {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    constexpr int mantissa_bits = sizeof(T) == 8 ? 52 : 23;
    constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1);
    constexpr Bits unit = Bits{1} << mantissa_bits;
    constexpr Bits exponent = sign - unit;
    Bits met = 0;
    for (Index k = 0; k < count; ++k) met |= (std::bit_cast<Bits>(row[k]) & exponent) + unit;
    return (met & sign) == 0;
}

}  // namespace

template <class T>
std::optional<Extents> first_not_finite(FieldView<const T> view) noexcept {
    for (Index i = 0; i < view.extents[0]; ++i)
        for (Index j = 0; j < view.extents[1]; ++j) {
            const T* row = &view(i, j, 0);
            if (row_is_finite(row, view.extents[2])) continue;
            Index k = 0;
            while (std::isfinite(row[k])) ++k;
            return Extents{i, j, k};
        }
    return std::nullopt;
}

template std::optional<Extents> first_not_finite<float>(FieldView<const float>) noexcept;
template std::optional<Extents> first_not_finite<double>(FieldView<const double>) noexcept;

}  // namespace poisson3d
