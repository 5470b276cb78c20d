// Lines times a matrix, on the tensor cores for double precision: all lines of some fields along one axis.
//
//     y_m = Σ_k M_mk x_k      m, k = 0 … n − 1, for every line x
//
// Modes of a uniform axis are even or odd about its middle, so that half of the products are enough. With partner
// r(k) = n − 1 − k, or n − k mod n on periodic axes, and h = n − (number of odd modes):
//
//     forward     e_k = x_k + x_r(k), o_k = x_k − x_r(k), k < h;   y_m = Σ E_mk e_k,   y_{h+m} = Σ O_mk o_k
//     backward    e_k = Σ E_km y_m,   o_k = Σ O_km y_{h+m};        x_k = e_k + o_k,    x_r(k) = e_k − o_k
//
// Both are two products with matrices of h × h at most, on shared tiles of lines. Even modes come first.
#pragma once

#include "line_matrix.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::fused {

/// The axis across which a field is cut into slices: lines are counted along the one that remains.
constexpr int slice_axis(int axis) {
    return axis == 0 ? 1 : 0;
}

/// Some fields whose lines along `axis` are multiplied. In and out do not overlap.
template <class T>
struct LineProduct {
    LineMatrix matrix;
    int axis;
    FieldView<const T> in;
    FieldView<T> out;
    Index fields = 1, in_next = 0, out_next = 0;  ///< elements from a field to the next
    T scale = 1;                                  ///< of results
};

/// Asynchronous on `stream`; throws Error{device} when refused.
template <class T>
void launch_line_product(const LineProduct<T>& product, Stream stream);

}  // namespace poisson3d::fused
