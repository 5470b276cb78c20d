#include "pass_orbits.hpp"

#include <algorithm>

namespace poisson3d::fused {

namespace {

std::uint32_t number(std::int32_t position, const Places* places) {
    if (position < 0) return nowhere;
    return static_cast<std::uint32_t>(places != nullptr ? (*places)[position] : position);
}

/// Where the image of a position goes.
std::uint32_t image(std::int32_t position, const Places* places, const cufft::Mirror& mirror) {
    const int j = position - mirror.row;
    if (mirror.half == 0 || places == nullptr || position < 0 || j <= 0 || j >= mirror.half) return nowhere;
    return number(mirror.row + 2 * mirror.half - j, places);
}

/// Whether the elements of pair o go alone: PairMap's b and d are 0.
template <class T>
bool alone(const cufft::OrbitTable<T>& table, Index o) {
    const Index n = table.orbits;
    const auto none = [](Complex<T> z) { return z.re == T(0) && z.im == T(0); };
    return none(table.coefficients[n + o]) && none(table.coefficients[3 * n + o]);
}

/// All pairs go alone, times 1 or −1; elements that are not there have 1.
template <class T>
bool plain(const cufft::OrbitTable<T>& table) {
    const auto is_sign = [](Complex<T> z) { return z.im == T(0) && (z.re == T(1) || z.re == T(-1)); };
    for (Index o = 0; o < table.orbits; ++o)
        if (!alone(table, o) || !is_sign(table.coefficients[o]) ||
            !is_sign(table.coefficients[2 * table.orbits + o]))
            return false;
    return true;
}

template <class T>
bool all_alone(const cufft::OrbitTable<T>& table) {
    for (Index o = 0; o < table.orbits; ++o)
        if (!alone(table, o)) return false;
    return true;
}

std::uint32_t pack(std::uint32_t low, std::uint32_t high) {
    return low | high << 16;
}

}  // namespace

template <class T>
PassOrbitTable<T> make_pass_orbits(const cufft::OrbitTable<T>& table, const Places* from, const Places* to,
                                   const cufft::Mirror& mirror, Side side) {
    PassOrbitTable<T> result;
    PassOrbits<T>& head = result.head;
    head.size = table.size;
    head.count = static_cast<int>(table.orbits);
    head.sine = table.sine;
    head.images = mirror.half > 0 && to != nullptr;
    head.odd = mirror.sine;
    if (mirror.half > 0 && mirror.sine && to != nullptr)
        for (int i = 0; i < 2; ++i) head.zero_place[i] = (*to)[mirror.row + i * mirror.half];
    const Index n = table.orbits;
    if (table.size == 2 && !all_alone(table))
        head.mix = side == Side::samples_in || side == Side::modes_in ? Mix::split : Mix::combine;
    else if (table.size == 2 && plain(table) && (side == Side::samples_in || side == Side::samples_out))
        head.mix = Mix::plain;
    for (Index o = 0; o < n; ++o) {
        for (int e = 0; e < table.size; e += 2)
            result.words.push_back(
                pack(number(table.in[e * n + o], from), number(table.in[(e + 1) * n + o], from)));
        for (int e = 0; e < table.size; e += 2)
            result.words.push_back(pack(number(table.out[e * n + o], to), number(table.out[(e + 1) * n + o], to)));
        result.words.push_back(pack(image(table.out[o], to, mirror), image(table.out[n + o], to, mirror)));
        const Complex<T>* const c = table.coefficients.data() + o;
        if (table.size == 2) {
            const std::uint32_t signs = (c[0].re < 0 ? 1U : 0U) | (c[2 * n].re < 0 ? 2U : 0U);
            result.words.push_back(head.mix == Mix::plain ? signs : alone(table, o) ? 1U : 0U);
            result.alpha.insert(result.alpha.end(), {c[0], c[2 * n]});
        } else {
            result.words.push_back(0);
            for (int i = 0; i < alphas_of(table.size); ++i) result.alpha.push_back(c[i * n]);
        }
    }
    return result;
}

template PassOrbitTable<float> make_pass_orbits(const cufft::OrbitTable<float>&, const Places*, const Places*,
                                                const cufft::Mirror&, Side);
template PassOrbitTable<double> make_pass_orbits(const cufft::OrbitTable<double>&, const Places*, const Places*,
                                                 const cufft::Mirror&, Side);

}  // namespace poisson3d::fused
