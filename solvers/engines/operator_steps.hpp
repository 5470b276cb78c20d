// How the operator of a variable coefficient is made, as steps at one point (variable_sweeps.hpp), for engines that
// give each point a thread. A step is plain data; called with a point it adds to `sums` numbers, or, if it has
// maxima, raises as many more. Host and device share this file.
#pragma once

#include "boundary_terms.hpp"
#include "scaled_points.hpp"

namespace poisson3d::points {

/// Fields and operator of an iteration, in numbers of N.
template <class T, class N>
struct Iteration {
    ScaledPoints<T> op;
    N *r = nullptr, *q = nullptr, *z = nullptr;
    N *c = nullptr, *a[3] = {};  ///< of N: those of op over a mean value of a, if N is another type
};

/// A view as plain data.
template <class T>
struct Rows {
    T* data = nullptr;
    Index x = 0, y = 0;
    Rows() = default;
    template <class U>
    explicit Rows(const FieldView<U>& view) : data(view.data), x(view.strides[0]), y(view.strides[1]) {}
    POISSON3D_HD T& operator()(Index i, Index j, Index k) const { return data[i * x + j * y + k]; }
};

template <int sums_, int maxima_ = 0>
struct Step {
    static constexpr int sums = sums_, maxima = maxima_;
};

// What is asked of a coefficient before.

/// At most: −value, value, and 1 if one is not finite and above 0, or at it where that is allowed.
template <class T>
struct LookAt : Step<0, 3> {
    Rows<const T> field;
    T most;  ///< finite
    bool allow_zero;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        const T here = field(i, j, k);
        const auto number = static_cast<double>(here);
        const bool good = (allow_zero ? here >= T(0) : here > T(0)) && here <= most;
        value[0] = value[0] < -number ? -number : value[0];
        value[1] = value[1] < number ? number : value[1];
        value[2] = good && value[2] < 1.0 ? 0.0 : 1.0;
    }
};

/// 1 at most if the faces `n` apart along an axis are not the same; of the first ones.
template <class T>
struct LookAtEnds : Step<0, 1> {
    Rows<const T> faces;
    Index apart;  ///< elements from the first to the last
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        const T* const first = &faces(i, j, k);
        value[0] = same_face(*first, first[apart]) && value[0] < 1.0 ? 0.0 : 1.0;
    }
};

// The operator, in this order.

template <class T>
struct TakeFaces : Step<0> {
    ScaledPoints<T> op;
    Coefficient<T> coefficient;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double*) const { op.take_faces(coefficient, i, j, k); }
};

/// Of some rows: jumps of ln ε̄, their squares; −ln ε̄ and ln ε̄ at most.
template <class T>
struct Jumps : Step<2, 2> {
    ScaledPoints<T> op;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        if ((j - op.axis[1].first) % 4 != i % 4) return;
        op.add_jumps(i, j, k, value[0], value[1]);
        const double logarithm = std::log(static_cast<double>(op.s[op.place(i, j, k)]));
        value[2] = value[2] < -logarithm ? -logarithm : value[2];
        value[3] = value[3] < logarithm ? logarithm : value[3];
    }
};

/// And the sum of ln ε̄.
template <class T>
struct ScaleFaces : Step<1> {
    ScaledPoints<T> op;
    double exponent;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        op.scale_faces(exponent, i, j, k);
        value[0] += op.weight(i, j, k) * std::log(static_cast<double>(op.s[op.place(i, j, k)]));
    }
};

/// s of ε̄; sums of λ/s² and ε̄/s².
template <class T>
struct TakeRoots : Step<2> {
    ScaledPoints<T> op;
    Coefficient<T> coefficient;
    double exponent;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        T& s = op.s[op.place(i, j, k)];
        const auto mean = static_cast<double>(s);
        const double inverse = op.weight(i, j, k) / power(mean, 2.0 * exponent);
        value[0] += inverse * coefficient.helmholtz_at(i, j, k, op.helmholtz);
        value[1] += inverse * mean;
        s = static_cast<T>(power(mean, exponent));
    }
};

/// And the sum of c.
template <class T>
struct FindRest : Step<1> {
    ScaledPoints<T> op;
    Coefficient<T> coefficient;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        op.find_rest(coefficient, i, j, k);
        value[0] += op.weight(i, j, k) * static_cast<double>(op.c[op.place(i, j, k)]);
    }
};

/// The operator in N, times `factor`.
template <class T, class N>
struct CopyOperator : Step<0> {
    Iteration<T, N> it;
    double factor;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double*) const {
        const Index n = it.op.place(i, j, k);
        it.c[n] = static_cast<N>(factor * static_cast<double>(it.op.c[n]));
        for (int a = 0; a < 3; ++a) it.a[a][n] = static_cast<N>(factor * static_cast<double>(it.op.a[a][n]));
    }
};

}  // namespace poisson3d::points
