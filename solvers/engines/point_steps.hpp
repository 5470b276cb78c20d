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
