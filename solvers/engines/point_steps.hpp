// A solve by conjugate gradients for a variable coefficient (variable_sweeps.hpp), as steps at one point: f̃ = scale
// f
// + what boundary data adds. Host and device share this file.
#pragma once

#include "operator_steps.hpp"

namespace poisson3d::points {

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
