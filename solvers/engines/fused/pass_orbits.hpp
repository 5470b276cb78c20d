// The tables of orbits (orbit_ops.hpp) as the fused passes read them: few bytes, since every block reads them
// again.
//
// An orbit of `size` elements has words of two 16-bit numbers: where its elements come from, where they go to,
// where the images of the first two go (of an extended type I line), and how a pair mixes. A pair needs two numbers
// α, of which PairMap's four follow. Host and device share the reading.
#pragma once

#include <cstdint>
#include <vector>

#include "orbit_access.hpp"
#include "orbit_tables.hpp"

namespace poisson3d::fused {

inline constexpr int nowhere = 0xffff;

enum class PairMix : std::uint32_t { alone, combine, split };

/// A table in device memory.
template <class T>
struct PassOrbits {
    int size = 2;
    int count = 0;
    bool sine = false;   ///< of type I
    bool plain = false;  ///< every element goes alone, times a real number
    bool odd = false;    ///< images are negative, and zero_place[…] become 0
    int zero_place[2] = {nowhere, nowhere};
    const std::uint32_t* words = nullptr;  ///< orbit o at o · words_of(size)
    const Complex<T>* alpha = nullptr;     ///< … and at o · alphas_of(size)
};

constexpr POISSON3D_HD int words_of(int size) {
    return size + 2;
}
constexpr POISSON3D_HD int alphas_of(int size) {
    return size == 2 ? 2 : size / 2 - 1;
}

template <class T, int size>
struct PassOrbit {
    std::uint32_t word[words_of(size)];
    Complex<T> alpha[alphas_of(size)];

    POISSON3D_HD void read(const PassOrbits<T>& orbits, int o) {
        if constexpr (size == 2) {
            cufft::load_words(orbits.words + o * words_of(2), word);
        } else {
            POISSON3D_UNROLL
            for (int i = 0; i < words_of(size); ++i)
                word[i] = cufft::load_table(orbits.words + o * words_of(size) + i);
        }
        POISSON3D_UNROLL
        for (int i = 0; i < alphas_of(size); ++i)
            alpha[i] = cufft::load_table(orbits.alpha + o * alphas_of(size) + i);
    }
    [[nodiscard]] POISSON3D_HD int from(int e) const { return half(word[e / 2], e); }
    [[nodiscard]] POISSON3D_HD int to(int e) const { return half(word[size / 2 + e / 2], e); }
    /// Of elements 0 and 1.
    [[nodiscard]] POISSON3D_HD int image(int e) const { return half(word[size], e); }

    /// FFT outputs to samples or modes.
    POISSON3D_HD void post(const PassOrbits<T>& orbits, Complex<T> (&z)[size]) const {
        if constexpr (size == 2)
            mix(orbits, z);
        else
            cufft::type_one_post<size>(orbits.sine, alpha, z);
    }
    /// Samples or modes to FFT inputs.
    POISSON3D_HD void pre(const PassOrbits<T>& orbits, Complex<T> (&z)[size]) const {
        if constexpr (size == 2)
            mix(orbits, z);
        else
            cufft::type_one_pre<size>(orbits.sine, alpha, z);
    }

private:
    static POISSON3D_HD int half(std::uint32_t word, int e) {
        return static_cast<int>(e % 2 == 0 ? word & 0xffff : word >> 16);
    }
    POISSON3D_HD void mix(const PassOrbits<T>& orbits, Complex<T> (&z)[size]) const {
        const Complex<T> a = alpha[0];
        const Complex<T> c = alpha[1];
        if (orbits.plain) {
            z[0] = a.re * z[0];
            z[1] = c.re * z[1];
            return;
        }
        const auto how = static_cast<PairMix>(word[3]);
        const bool combine = how == PairMix::combine;
        const T one = how == PairMix::alone ? T(0) : T(1);
        const Complex<T> b = combine ? a : c;
        const Complex<T> d = combine ? c : a;
        const cufft::PairMap<T> map{a, {one * b.re, -one * b.im}, c, {one * d.re, -one * d.im}};
        cufft::apply(map, z[0], z[1]);
    }
};

/// A table on the host.
template <class T>
struct PassOrbitTable {
    PassOrbits<T> head;
    std::vector<std::uint32_t> words;
    std::vector<Complex<T>> alpha;
};

/// Where positions lie, if a side of the table counts them.
using Places = std::vector<std::int32_t>;

/// `from` and `to` translate positions to places, null where a side counts samples or slots. `mirror` and `to`
/// belong together: images of positions.
template <class T>
PassOrbitTable<T> make_pass_orbits(const cufft::OrbitTable<T>& table, const Places* from, const Places* to,
                                   const cufft::Mirror& mirror);

}  // namespace poisson3d::fused
