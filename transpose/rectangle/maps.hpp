// A rectangle transposed in place is a product of permutations of its columns and of its rows.
//
// Source: B. Catanzaro, A. Keller, M. Garland, "A decomposition for in-place matrix transposition", PPoPP 2014.
// Matrix of m rows × n columns, c = gcd(m, n), a = m/c, b = n/c. Two maps do it all:
//
//     within row i                      d(i, j) = ((i + ⌊j/b⌋) mod m + j·m) mod n
//     the same rows for all columns     q(k) = (⌊(k + c − 1)/c⌋ · (b⁻¹ mod a)) mod a + (((c − 1)·k) mod c)·a
//
//     C2R: the matrix becomes its transpose                   R2C: the inverse, so n × m becomes its transpose
//     1  element (k, j) ← (k + ⌊j/b⌋ mod m, j)   (c > 1)      1  (k + j mod m, j) ← (q(k), j)
//     2  (i, d(i, j)) ← (i, j)                                2  (i, j) ← (i, d(i, j))
//     3  (q(k), j) ← (k + j mod m, j)                         3  (k + ⌊j/b⌋ mod m, j) ← (k, j)   (c > 1)
//
// Every step reads one side and writes the other. On its straight side neighbours stay neighbours; on the other
// side columns are skewed, by ⌊j/b⌋ or by j, or rows are shuffled. R2C is C2R with the sides of every step
// exchanged.
#pragma once

#include <cstdint>
#include <numeric>

#include "poisson3d/grid.hpp"

namespace poisson3d::rectangle {

/// x / divisor for every x < 2^32: the high word of a product is it, or one less.
struct Reciprocal {
    std::uint32_t divisor = 1;
    std::uint32_t factor = 0xffffffffU;  ///< ⌊2^32 / divisor⌋, as far as it fits

    constexpr Reciprocal() = default;
    constexpr explicit Reciprocal(std::uint32_t d)
        : divisor(d), factor(d == 1 ? 0xffffffffU : static_cast<std::uint32_t>((std::uint64_t{1} << 32) / d)) {}

    [[nodiscard]] constexpr std::uint32_t quotient(std::uint32_t x) const {
        const auto low = static_cast<std::uint32_t>((static_cast<std::uint64_t>(x) * factor) >> 32);
        return x - low * divisor >= divisor ? low + 1 : low;
    }
    [[nodiscard]] constexpr std::uint32_t remainder(std::uint32_t x) const { return x - quotient(x) * divisor; }
};

/// u⁻¹ mod v for coprime u, v; 0 if v = 1.
constexpr Index inverse(Index u, Index v) {
    Index r0 = v, r1 = u % v, t0 = 0, t1 = 1;
    while (r1 > 1) {
        const Index quotient = r0 / r1;
        r0 -= quotient * r1;
        t0 -= quotient * t1;
        std::swap(r0, r1);
        std::swap(t0, t1);
    }
    return v == 1 ? 0 : (t1 % v + v) % v;
}

/// The maps as they stand above, for m, n < 2^31.
struct Maps {
    Index m, n, a, b, c, inverse_of_b;

    constexpr Maps(Index rows, Index columns)
        : m(rows),
          n(columns),
          a(rows / std::gcd(rows, columns)),
          b(columns / std::gcd(rows, columns)),
          c(std::gcd(rows, columns)),
          inverse_of_b(inverse(b, a)) {}

    [[nodiscard]] constexpr Index d(Index i, Index j) const { return ((i + j / b) % m + j * m) % n; }
    [[nodiscard]] constexpr Index q(Index k) const {
        return (k + c - 1) / c * inverse_of_b % a + (c - 1) * k % c * a;
    }
};

/// What d(i, j) needs in 32 bits, for m ≤ n.
struct RowMap {
    std::uint32_t m = 1, n = 1;
    Reciprocal by_b, by_n;

    constexpr RowMap() = default;
    constexpr explicit RowMap(const Maps& maps)
        : m(static_cast<std::uint32_t>(maps.m)),
          n(static_cast<std::uint32_t>(maps.n)),
          by_b(static_cast<std::uint32_t>(maps.b)),
          by_n(static_cast<std::uint32_t>(maps.n)) {}
};

/// From one item to another, a constant number of items further on, row after row.
struct RowStride {
    std::uint32_t rows = 0, columns = 0;  ///< items = rows·n + columns
    std::uint32_t product = 0;            ///< columns·m mod n

    constexpr RowStride() = default;
    constexpr RowStride(const RowMap& map, std::uint32_t items)
        : rows(map.by_n.quotient(items)),
          columns(map.by_n.remainder(items)),
          product(static_cast<std::uint32_t>(static_cast<std::uint64_t>(columns) * map.m % map.n)) {}
};

/// d(i, j) of items whose distance is a RowStride, by sums instead of products.
struct RowImages {
    RowMap map;
    std::uint32_t row, column;  ///< of the current item
    std::uint32_t product;      ///< column·m mod n

    /// Begins at item number `item`, counted from the beginning of row `first`.
    constexpr RowImages(const RowMap& of, std::uint32_t first, std::uint32_t item) : map(of) {
        const RowStride from(of, item);
        row = first + from.rows;
        column = from.columns;
        product = from.product;
    }
    constexpr void advance(const RowStride& by) {
        column += by.columns;
        row += by.rows;
        if (column >= map.n) column -= map.n, ++row;
        product += by.product;
        if (product >= map.n) product -= map.n;
    }
    /// d(row, column)
    [[nodiscard]] constexpr std::uint32_t image() const {
        std::uint32_t shift = row + map.by_b.quotient(column);
        if (shift >= map.m) shift -= map.m;
        shift += product;
        return shift >= map.n ? shift - map.n : shift;
    }
};

/// The same within one row of coprime sides, where d(i, j) = (i + j·m) mod n: one sum.
struct CoprimeImages {
    std::uint32_t n, now;

    constexpr CoprimeImages(const RowMap& of, std::uint32_t row, std::uint32_t item)
        : n(of.n), now(RowImages(of, row, item).image()) {}
    constexpr void advance(const RowStride& by) {
        now += by.product;
        now = now < now - n ? now : now - n;  // the smaller one: now − n wraps where now < n
    }
    [[nodiscard]] constexpr std::uint32_t image() const { return now; }
};

}  // namespace poisson3d::rectangle
