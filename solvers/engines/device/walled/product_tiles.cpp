// The tiles of the products of a launch (face_products.hpp).
#include <algorithm>

#include "face_products.hpp"

namespace poisson3d::walled {

namespace {

constexpr Index divide_up(Index a, Index b) {
    return (a + b - 1) / b;
}

/// Of a tile: pieces of 16 of the inner index, and as much time as some of them take for the rest.
template <class T>
Index length(const Product<T>& product) {
    Index pieces = 3;
    for (int t = 0; t < product.terms; ++t) pieces += divide_up(product.term[t].inner, 16);
    return pieces;
}

}  // namespace

template <class T>
Products<T> arrange(std::vector<Product<T>>& products) {
    Products<T> all;
    all.count = static_cast<Index>(products.size());
    std::stable_sort(products.begin(), products.end(),
                     [](const auto& one, const auto& other) { return length(one) > length(other); });
    for (Product<T>& product : products) {
        product.first_tile = all.tiles;
        all.tiles += divide_up(product.rows, tile_rows) * divide_up(product.columns, tile_columns);
    }
    return all;
}

template Products<float> arrange(std::vector<Product<float>>&);
template Products<double> arrange(std::vector<Product<double>>&);

}  // namespace poisson3d::walled
