// The sweeps of conjugate gradients for a variable coefficient (variable_sweeps.hpp) as steps at one point, for
// engines that give each point a thread. A step is plain data; called with a point it adds to `sums` numbers, or,
// if it has maxima, raises as many more. Host and device share this file.
#pragma once

#include "boundary_terms.hpp"
#include "scaled_points.hpp"

namespace poisson3d::points {

/// Fields and operator of an iteration, in numbers of N.
template <class T, class N>
struct Iteration {
    ScaledPoints<T> op;
    N *r = nullptr, *p = nullptr, *q = nullptr, *z = nullptr;
    N *c = nullptr, *a[3] = {};  ///< of N: those of op over a mean value of a, if N is another type

    [[nodiscard]] POISSON3D_HD N product(Index i, Index j, Index k, N& diagonal) const {
        const N* const faces[3] = {a[0], a[1], a[2]};
        return op.multiply(static_cast<const N*>(c), faces, static_cast<const N*>(p), op.stride(0), op.stride(1), i,
                           j, k, diagonal);
    }
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

// A solve. f̃ = scale f + what boundary data adds.

/// ε times the data of a face of axis `axis`; (i, j, k) is on the face, whose index there is 0.
template <class T>
struct TakeFlux : Step<0> {
    ScaledPoints<T> op;
    FaceValues<T> face;
    double* flux;
    int axis, side;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double*) const {
        const Index n = op.wall_place(axis, i, j, k);
        flux[n] =
            op.wall[axis][side][n] * static_cast<double>(value_at(face, axis == 0 ? j : i, axis == 2 ? j : k));
    }
};

template <class T>
struct RightHandSide {
    Rows<const T> f;
    double scale;
    BoundaryTerms<double> terms;
    POISSON3D_HD double operator()(Index i, Index j, Index k) const {
        const double value = scale * static_cast<double>(f(i, j, k));
        return terms.any ? value + terms(i, j, k) : value;
    }
};

/// w := s w, or 0; sums of f̃ and its square.
template <class T>
struct Begin : Step<2> {
    ScaledPoints<T> op;
    RightHandSide<T> f;
    Rows<T> w;
    bool from_zero;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        w(i, j, k) = from_zero ? T(0) : op.s[op.place(i, j, k)] * w(i, j, k);
        const double wanted = f(i, j, k);
        value[0] += op.weight(i, j, k) * wanted;
        value[1] += op.weight(i, j, k) * wanted * wanted;
    }
};

/// r and the sums of its norms.
template <class T, class N>
struct Evaluate : Step<4> {
    Iteration<T, N> it;
    RightHandSide<T> f;
    Rows<const T> w;
    double mean, inverse;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        const Index n = it.op.place(i, j, k);
        const auto s = static_cast<double>(it.op.s[n]);
        double diagonal = 0.0;
        const T* const faces[3] = {it.op.a[0], it.op.a[1], it.op.a[2]};
        const double product =
            it.op.multiply(static_cast<const T*>(it.op.c), faces, w.data, w.x, w.y, i, j, k, diagonal);
        const double wanted = mean - f(i, j, k), scaled = wanted / s - product;
        const double weight = it.op.weight(i, j, k), size = diagonal * s * static_cast<double>(w(i, j, k));
        it.r[n] = static_cast<N>(inverse * scaled);
        value[0] += weight * s * s * scaled * scaled;
        value[1] += weight * scaled * scaled;
        value[2] += weight * wanted * wanted;
        value[3] += weight * size * size;
    }
};

/// ⟨x, y + constant⟩
template <class T, class N>
struct Dot : Step<1> {
    ScaledPoints<T> op;
    const N *x, *y;
    N constant;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        const Index n = op.place(i, j, k);
        value[0] += op.weight(i, j, k) * static_cast<double>(x[n]) * static_cast<double>(y[n] + constant);
    }
};

/// w := w + α p;  p := z + constant + β p
template <class T, class N>
struct Direction : Step<0> {
    Iteration<T, N> it;
    Rows<T> w;
    T alpha;
    N beta, constant;
    bool first;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double*) const {
        const Index n = it.op.place(i, j, k);
        const N old = first ? N(0) : it.p[n];
        if (!first) w(i, j, k) += alpha * static_cast<T>(old);
        it.p[n] = it.z[n] + constant + beta * old;
    }
};

/// q := B p and ⟨p, q⟩
template <class T, class N>
struct Multiply : Step<1> {
    Iteration<T, N> it;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        const Index n = it.op.place(i, j, k);
        N diagonal = 0;
        const N product = it.product(i, j, k, diagonal);
        it.q[n] = product;
        value[0] += it.op.weight(i, j, k) * static_cast<double>(it.p[n]) * static_cast<double>(product);
    }
};

/// r := r − α q and ⟨r, r⟩
template <class T, class N>
struct Reduce : Step<1> {
    Iteration<T, N> it;
    N alpha;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        const Index n = it.op.place(i, j, k);
        const N r = it.r[n] - alpha * it.q[n];
        it.r[n] = r;
        value[0] += it.op.weight(i, j, k) * static_cast<double>(r) * static_cast<double>(r);
    }
};

/// ⟨s r, s r⟩
template <class T, class N>
struct Unscaled : Step<1> {
    Iteration<T, N> it;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        const Index n = it.op.place(i, j, k);
        const double r = static_cast<double>(it.r[n]) * static_cast<double>(it.op.s[n]);
        value[0] += it.op.weight(i, j, k) * r * r;
    }
};

/// w := w + α p
template <class T, class N>
struct Advance : Step<0> {
    Iteration<T, N> it;
    Rows<T> w;
    T alpha;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double*) const {
        w(i, j, k) += alpha * static_cast<T>(it.p[it.op.place(i, j, k)]);
    }
};

/// u := w/s and its sum
template <class T>
struct Finish : Step<1> {
    ScaledPoints<T> op;
    Rows<T> w;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double* value) const {
        T& u = w(i, j, k);
        u /= op.s[op.place(i, j, k)];
        value[0] += op.weight(i, j, k) * static_cast<double>(u);
    }
};

/// u := u − constant
template <class T>
struct Subtract : Step<0> {
    Rows<T> u;
    double constant;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double*) const {
        u(i, j, k) = static_cast<T>(static_cast<double>(u(i, j, k)) - constant);
    }
};

/// Nodes on Dirichlet faces.
template <class T>
struct Hold : Step<0> {
    BoundaryTerms<T> held;
    Rows<T> u;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double*) const { u(i, j, k) = held.held(i, j, k); }
};

/// w := s u, dense
template <class T>
struct Scale : Step<0> {
    ScaledPoints<T> op;
    Rows<const T> u;
    T* w;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double*) const {
        const Index n = op.place(i, j, k);
        w[n] = op.s[n] * u(i, j, k);
    }
};

/// f := A u, w = s u; of all stored points, 0 where there is no unknown.
template <class T>
struct Apply : Step<0> {
    ScaledPoints<T> op;
    const T* w;
    Rows<T> f;
    POISSON3D_HD void operator()(Index i, Index j, Index k, double*) const {
        if (!op.unknown(i, j, k)) {
            f(i, j, k) = T(0);
            return;
        }
        double diagonal = 0.0;
        const T* const faces[3] = {op.a[0], op.a[1], op.a[2]};
        const double product =
            op.multiply(static_cast<const T*>(op.c), faces, w, op.stride(0), op.stride(1), i, j, k, diagonal);
        f(i, j, k) = static_cast<T>(-product * static_cast<double>(op.s[op.place(i, j, k)]));
    }
};

}  // namespace poisson3d::points
