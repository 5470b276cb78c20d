// Products of matrices, many in one launch: the face operator is small ones (device_faces.hpp), each of which would
// leave most of a device idle.
#pragma once

#include <vector>

#include "poisson3d/grid.hpp"
#include "poisson3d/stream.hpp"

namespace poisson3d::walled {

/// A matrix with any strides.
template <class T>
struct Matrix {
    T* data = nullptr;
    Index row = 0, column = 1;

    [[nodiscard]] Matrix transposed() const { return {data, column, row}; }
};

/// out = times ∘ Σ a · b, over one to three terms; ∘ is element by element.
template <class T>
struct Product {
    struct Term {
        Matrix<const T> a, b;
        Index inner = 0;
        Index columns = 0;  ///< the first ones of `out`: others get nothing of this term
    };
    Term term[3];
    int terms = 0;
    Matrix<const T> times;  ///< null: 1
    Matrix<T> out;
    Index rows = 0, columns = 0;
    Index first_tile = 0;  ///< of its tiles among those of all products of a launch
};

/// A table on the device of products that do not wait for each other, in tiles that a block each works on.
template <class T>
struct Products {
    const Product<T>* table = nullptr;
    Index count = 0;
    Index tiles = 0;
};
inline constexpr int tile_rows = 64, tile_columns = 64;  ///< of results

/// Long products first, so that short ones fill what these leave; and where their tiles begin. Without the table.
template <class T>
Products<T> arrange(std::vector<Product<T>>& products);

/// Asynchronous on `stream`; throws Error{device} when refused.
template <class T>
void launch_products(const Products<T>& products, Stream stream);

}  // namespace poisson3d::walled
