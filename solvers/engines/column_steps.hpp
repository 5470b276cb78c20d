// What an iteration of conjugate gradients does for a variable coefficient (variable_sweeps.hpp), beside solves,
// for engines that give each thread a column of points: tasks of stencil_columns.hpp, and steps that need no
// neighbours. Host and device share this file. Those steps are called with a point and its place in dense fields;
// their terms are added up with the weights of means.
#pragma once

#include "point_steps.hpp"
#include "stencil_columns.hpp"

namespace poisson3d::points {

/// A new direction p := z + constant + β old, in memory of its own;  q := B p and ⟨p, q⟩.
template <class T, class N>
struct Direction {
    using Number = N;
    static constexpr int sums = 1;
    ScaledPoints<T> operator_;
    Coefficients<N> coefficients;
    PlaneStrides strides;
    const N *z, *old;
    N *p, *q;
    N beta, constant;

    struct Raw {
        N z, old;
    };
    [[nodiscard]] POISSON3D_HD Raw read(Index n) const { return {z[n], old[n]}; }
    [[nodiscard]] POISSON3D_HD N value(const Raw& raw) const { return raw.z + constant + beta * raw.old; }
    POISSON3D_HD void take(Index, Index, Index, Index n, N here, N product, N, double (&terms)[sums]) const {
        p[n] = here;
        q[n] = product;
        terms[0] = static_cast<double>(here) * static_cast<double>(product);
    }
};

/// r and the sums of its norms, of w as it stands in the caller's field.
template <class T, class N>
struct Residual {
    using Number = double;
    static constexpr int sums = 4;
    ScaledPoints<T> operator_;
    Coefficients<T> coefficients;
    PlaneStrides strides;
    const T* w;
    RightHandSide<T> f;
    N* r;
    double mean, inverse;

    using Raw = T;
    [[nodiscard]] POISSON3D_HD T read(Index place) const { return w[place]; }
    [[nodiscard]] POISSON3D_HD double value(T raw) const { return static_cast<double>(raw); }
    POISSON3D_HD void take(Index i, Index j, Index k, Index n, double here, double product, double diagonal,
                           double (&terms)[sums]) const {
        const auto s = static_cast<double>(operator_.s[n]);
        const double wanted = mean - f(i, j, k);
        const double scaled = wanted / s - product, size = diagonal * s * here;
        r[n] = static_cast<N>(inverse * scaled);
        terms[0] = s * s * scaled * scaled;
        terms[1] = scaled * scaled;
        terms[2] = wanted * wanted;
        terms[3] = size * size;
    }
};

/// The same where w is 0: sums of the squares of (f̃ − mean)/s and of f̃ − mean.
template <class T, class N>
struct ResidualOfZero {
    static constexpr int sums = 2;
    ScaledPoints<T> op;
    RightHandSide<T> f;
    N* r;
    double mean, inverse;
    POISSON3D_HD void operator()(Index i, Index j, Index k, Index n, double (&terms)[sums]) const {
        const double wanted = mean - f(i, j, k), scaled = wanted / static_cast<double>(op.s[n]);
        r[n] = static_cast<N>(inverse * scaled);
        terms[0] = scaled * scaled;
        terms[1] = wanted * wanted;
    }
};

/// ⟨x, y + constant⟩
template <class N>
struct Dot {
    static constexpr int sums = 1;
    const N *x, *y;
    N constant;
    POISSON3D_HD void operator()(Index, Index, Index, Index n, double (&terms)[sums]) const {
        terms[0] = static_cast<double>(x[n]) * static_cast<double>(y[n] + constant);
    }
};

/// r := r − α q and ⟨r, r⟩
template <class N>
struct Reduce {
    static constexpr int sums = 1;
    N* r;
    const N* q;
    N alpha;
    POISSON3D_HD void operator()(Index, Index, Index, Index n, double (&terms)[sums]) const {
        const N here = r[n] - alpha * q[n];
        r[n] = here;
        terms[0] = static_cast<double>(here) * static_cast<double>(here);
    }
};

/// ⟨s r, s r⟩
template <class T, class N>
struct Unscaled {
    static constexpr int sums = 1;
    const N* r;
    const T* s;
    POISSON3D_HD void operator()(Index, Index, Index, Index n, double (&terms)[sums]) const {
        const double here = static_cast<double>(r[n]) * static_cast<double>(s[n]);
        terms[0] = here * here;
    }
};

/// w := w + Σ α p of some directions, in their order.
template <class T, class N>
struct Advance {
    static constexpr int sums = 0, most = 4;
    Rows<T> w;
    const N* p[most];
    T alpha[most];
    int directions;
    POISSON3D_HD void operator()(Index i, Index j, Index k, Index n, double*) const {
        T& here = w(i, j, k);
        T sum = here;
        POISSON3D_UNROLL
        for (int d = 0; d < most; ++d)
            if (d < directions) sum += alpha[d] * static_cast<T>(p[d][n]);
        here = sum;
    }
};

}  // namespace poisson3d::points
