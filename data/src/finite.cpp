#include "finite.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

#include "poisson3d/text.hpp"

namespace poisson3d::h5 {

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

std::string describe_index(const std::vector<hsize_t>& before, const Extents& index) {
    std::string text = "[";
    for (const hsize_t i : before) text.append(std::to_string(i)).append(", ");
    for (std::size_t a = 0; a < 3; ++a) text.append(a > 0 ? ", " : "").append(std::to_string(index[a]));
    return text.append("]");
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

template <class T>
void require_finite(const Subject& subject, Index first, FieldView<const T> slab,
                    const std::function<double(const Extents&)>& stored, const std::vector<hsize_t>& before) {
    const auto found = first_not_finite(slab);
    if (!found) return;
    const Extents index{first + (*found)[0], (*found)[1], (*found)[2]};
    const double value = stored(index);
    subject.fail(ErrorCode::data, "found " + format_number(value) + " at index " + describe_index(before, index) +
                                      (std::isfinite(value) ? ", wanted values that single precision can hold"
                                                            : ", wanted finite numbers everywhere"));
}

std::string describe_points(const Extents& points) {
    return describe_extents(
        {static_cast<hsize_t>(points[0]), static_cast<hsize_t>(points[1]), static_cast<hsize_t>(points[2])});
}

void require_planes(const Subject& subject, const Extents& points, Index first, const Extents& slab) {
    if (first >= 0 && slab[0] >= 0 && first + slab[0] <= points[0] && slab[1] == points[1] && slab[2] == points[2])
        return;
    subject.fail(ErrorCode::usage, "planes " + std::to_string(first) + " to " + std::to_string(first + slab[0]) +
                                       " of " + describe_points(slab) + " points were asked of " +
                                       describe_points(points));
}

template std::optional<Extents> first_not_finite<float>(FieldView<const float>) noexcept;
template std::optional<Extents> first_not_finite<double>(FieldView<const double>) noexcept;
template void require_finite<float>(const Subject&, Index, FieldView<const float>,
                                    const std::function<double(const Extents&)>&, const std::vector<hsize_t>&);
template void require_finite<double>(const Subject&, Index, FieldView<const double>,
                                     const std::function<double(const Extents&)>&, const std::vector<hsize_t>&);

}  // namespace poisson3d::h5
