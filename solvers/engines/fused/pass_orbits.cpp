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

template <class T>
bool same(Complex<T> a, Complex<T> b) {
    return a.re == b.re && a.im == b.im;
}

/// PairMap's b and d are 0, or conjugates of its own or its partner's α.
template <class T>
PairMix mix_of(Complex<T> a, Complex<T> b, Complex<T> c, Complex<T> d) {
    const Complex<T> none{0, 0};
    if (same(b, none) && same(d, none)) return PairMix::alone;
    const auto conj = [](Complex<T> z) { return Complex<T>{z.re, -z.im}; };
    return same(b, conj(a)) && same(d, conj(c)) ? PairMix::combine : PairMix::split;
}

}  // namespace

template <class T>
PassOrbitTable<T> make_pass_orbits(const cufft::OrbitTable<T>& table, const Places* from, const Places* to,
                                   const cufft::Mirror& mirror) {
    PassOrbitTable<T> result;
    PassOrbits<T>& head = result.head;
    head.size = table.size;
    head.count = static_cast<int>(table.orbits);
    head.sine = table.sine;
    head.odd = mirror.sine;
    head.plain = table.size == 2;
    if (mirror.half > 0 && mirror.sine && to != nullptr)
        for (int i = 0; i < 2; ++i) head.zero_place[i] = (*to)[mirror.row + i * mirror.half];
    const Index n = table.orbits;
    const auto pack = [](std::uint32_t low, std::uint32_t high) { return low | high << 16; };
    for (Index o = 0; o < n; ++o) {
        for (int e = 0; e < table.size; e += 2)
            result.words.push_back(
                pack(number(table.in[e * n + o], from), number(table.in[(e + 1) * n + o], from)));
        for (int e = 0; e < table.size; e += 2)
            result.words.push_back(pack(number(table.out[e * n + o], to), number(table.out[(e + 1) * n + o], to)));
        result.words.push_back(pack(image(table.out[o], to, mirror), image(table.out[n + o], to, mirror)));
        const Complex<T>* const c = table.coefficients.data() + o;
        if (table.size == 2) {
            const PairMix mix = mix_of(c[0], c[n], c[2 * n], c[3 * n]);
            result.words.push_back(static_cast<std::uint32_t>(mix));
            result.alpha.insert(result.alpha.end(), {c[0], c[2 * n]});
            head.plain = head.plain && mix == PairMix::alone && c[0].im == T(0) && c[2 * n].im == T(0);
        } else {
            result.words.push_back(0);
            for (int i = 0; i < alphas_of(table.size); ++i) result.alpha.push_back(c[i * n]);
        }
    }
    return result;
}

template PassOrbitTable<float> make_pass_orbits(const cufft::OrbitTable<float>&, const Places*, const Places*,
                                                const cufft::Mirror&);
template PassOrbitTable<double> make_pass_orbits(const cufft::OrbitTable<double>&, const Places*, const Places*,
                                                 const cufft::Mirror&);

}  // namespace poisson3d::fused
