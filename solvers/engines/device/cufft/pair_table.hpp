// Orbits of two elements, and elements that go alone, two to an orbit.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "orbit_tables.hpp"

namespace poisson3d::cufft {

/// Elements of 128 bytes.
template <class T>
constexpr Index line_elements = 128 / static_cast<Index>(2 * sizeof(T));

template <class T>
constexpr Index padded(Index rows) {
    return (rows + line_elements<T> - 1) / line_elements<T> * line_elements<T>;
}

template <class T>
Complex<T> conj(Complex<T> z) {
    return {z.re, -z.im};
}

template <class T>
Complex<T> scaled(Complex<T> z, T sign) {
    return {sign * z.re, sign * z.im};
}

/// An element of a pair: where it comes from and goes to, and its number α or its factor.
template <class T>
struct Member {
    Index in = -1, out = -1;
    Complex<T> alpha{1, 0};
};

enum class Mix { alone, combine, split };

template <class T>
class PairTable {
public:
    explicit PairTable(Index orbits) {
        table_.orbits = orbits;
        table_.in.assign(2 * orbits, -1);
        table_.out.assign(2 * orbits, -1);
        table_.coefficients.assign(4 * orbits, Complex<T>{0, 0});
    }

    void set(Index o, Mix mix, const Member<T>& q, const Member<T>& p) {
        const Index n = table_.orbits;
        table_.in[o] = static_cast<std::int32_t>(q.in);
        table_.in[n + o] = static_cast<std::int32_t>(p.in);
        table_.out[o] = static_cast<std::int32_t>(q.out);
        table_.out[n + o] = static_cast<std::int32_t>(p.out);
        const Complex<T> none{0, 0};
        const bool combine = mix == Mix::combine;
        const Complex<T> b = mix == Mix::alone ? none : conj(combine ? q.alpha : p.alpha);
        const Complex<T> d = mix == Mix::alone ? none : conj(combine ? p.alpha : q.alpha);
        Complex<T>* const c = table_.coefficients.data();
        c[o] = q.alpha, c[n + o] = b, c[2 * n + o] = p.alpha, c[3 * n + o] = d;
    }

    OrbitTable<T> take() { return std::move(table_); }

private:
    OrbitTable<T> table_;
};

/// Elements that go alone, two to an orbit, in runs: elements 2R·b + t and 2R·b + R + t.
template <class T>
OrbitTable<T> list_alone(const std::vector<Member<T>>& members, Index run) {
    const auto count = static_cast<Index>(members.size());
    PairTable<T> table((count + 1) / 2);
    Index o = 0;
    for (Index base = 0; base < count; base += 2 * run) {
        const Index half = std::min(run, (count - base + 1) / 2);
        for (Index t = 0; t < half; ++t, ++o)
            table.set(o, Mix::alone, members[base + t],
                      base + half + t < count ? members[base + half + t] : Member<T>{});
    }
    return table.take();
}

/// Members by sample, or sorted by the position they have.
template <class T>
OrbitTable<T> list_alone(std::vector<Member<T>> members, Listing listing, Index Member<T>::*position) {
    if (listing == Listing::by_sample) {
        const auto all = static_cast<Index>(members.size());
        return list_alone(members, (all + 1) / 2);
    }
    std::sort(members.begin(), members.end(),
              [&](const Member<T>& a, const Member<T>& b) { return a.*position < b.*position; });
    return list_alone(members, run_length);
}

}  // namespace poisson3d::cufft
