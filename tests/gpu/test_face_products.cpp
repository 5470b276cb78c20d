// Products of matrices that are one launch, against their defining sums: matrices by rows and by columns, and with
// gaps between neighbours, that begin at 16 bytes or not; sizes that leave tiles and pieces incomplete; sums of
// several products, of which some give the first columns only; what lies between results stays as it is. And the
// sweep that sums modes next to faces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "face_products.hpp"
#include "mode_sweeps.hpp"
#include "poisson3d/device_memory.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"

namespace poisson3d::walled {
namespace {

using namespace test;

/// An array on the device with a copy here.
template <class T>
class Both {
public:
    explicit Both(std::vector<T> numbers) : here(std::move(numbers)), there_(here.size() * sizeof(T)) {
        copy_to_device(there_.data(), here.data(), here.size() * sizeof(T));
    }
    [[nodiscard]] T* there() const { return static_cast<T*>(there_.data()); }
    std::vector<T> fetched() const {
        std::vector<T> numbers(here.size());
        copy_to_host(numbers.data(), there_.data(), numbers.size() * sizeof(T));
        return numbers;
    }
    std::vector<T> here;

private:
    DeviceBuffer there_;
};

/// Where a matrix lies.
enum class Lie { rows, columns, rows_anywhere, columns_anywhere, apart };
constexpr Lie lies[] = {Lie::rows, Lie::columns, Lie::rows_anywhere, Lie::columns_anywhere, Lie::apart};

/// Places of matrices in one array, with room between them.
class Places {
public:
    struct Place {
        Index begin, row, column;
    };
    Place take(Index rows, Index columns, Lie lie) {
        const bool by_columns = lie == Lie::columns || lie == Lie::columns_anywhere;
        const bool anywhere = lie != Lie::rows && lie != Lie::columns;
        const Index across = by_columns ? rows : columns, along = by_columns ? columns : rows;
        const Index next = lie == Lie::apart ? 2 : 1;
        const Index pitch = anywhere ? across * next + 1 - across * next % 2 : (across + 7) / 4 * 4;
        const Index begin = (end + 3) / 4 * 4 + (anywhere ? 1 : 0);
        end = begin + along * pitch + next;
        return by_columns ? Place{begin, next, pitch} : Place{begin, pitch, next};
    }
    Index end = 0;
};

template <class T, class U>
Matrix<T> matrix(U* data, const Places::Place& place) {
    return {data + place.begin, place.row, place.column};
}

struct Size {
    Index rows, columns;
    std::vector<Index> inner;
};

template <class T>
void check(const std::vector<Size>& sizes) {
    Places in, out;
    std::vector<std::vector<Places::Place>> factors;  // by product: times, then a and b of each term
    std::vector<Places::Place> results;
    std::size_t turn = 0;
    const auto lie = [&] { return lies[hash(turn++) % std::size(lies)]; };
    for (const Size& size : sizes) {
        factors.push_back({in.take(size.rows, size.columns, lie())});
        for (const Index inner : size.inner) {
            factors.back().push_back(in.take(size.rows, inner, lie()));
            factors.back().push_back(in.take(inner, size.columns, lie()));
        }
        results.push_back(out.take(size.rows, size.columns, lie()));
    }
    std::vector<T> numbers;
    for (Index i = 0; i < in.end; ++i) numbers.push_back(static_cast<T>(uniform(static_cast<std::uint64_t>(i))));
    const Both<T> given(std::move(numbers)), got(std::vector<T>(static_cast<std::size_t>(out.end), T(77)));

    const auto list = [&](const T* from, T* to) {
        std::vector<Product<T>> products;
        for (std::size_t p = 0; p < sizes.size(); ++p) {
            Product<T> product;
            product.rows = sizes[p].rows, product.columns = sizes[p].columns;
            product.out = matrix<T>(to, results[p]);
            if (p % 2 == 1) product.times = matrix<const T>(from, factors[p][0]);
            for (const Index inner : sizes[p].inner) {
                const std::size_t term = static_cast<std::size_t>(product.terms);
                const Index columns = (p + term) % 5 == 4 ? (product.columns + 1) / 2 : product.columns;
                product.term[product.terms++] = {matrix<const T>(from, factors[p][1 + 2 * term]),
                                                 matrix<const T>(from, factors[p][2 + 2 * term]), inner, columns};
            }
            products.push_back(product);
        }
        return products;
    };
    std::vector<Product<T>> on_device = list(given.there(), got.there());
    Products<T> launch = arrange(on_device);
    const Both<Product<T>> table(on_device);
    launch.table = table.there();
    launch_products(launch, {});

    std::vector<T> result = got.fetched();
    double error = 0;
    for (const Product<T>& p : list(given.here.data(), result.data()))
        for (Index i = 0; i < p.rows; ++i)
            for (Index j = 0; j < p.columns; ++j) {
                double sum = 0;
                for (int t = 0; t < p.terms; ++t) {
                    const auto& [a, b, inner, columns] = p.term[t];
                    for (Index k = 0; j < columns && k < inner; ++k)
                        sum += static_cast<double>(a.data[i * a.row + k * a.column]) *
                               static_cast<double>(b.data[k * b.row + j * b.column]);
                }
                if (p.times.data != nullptr)
                    sum *= static_cast<double>(p.times.data[i * p.times.row + j * p.times.column]);
                T& mine = p.out.data[i * p.out.row + j * p.out.column];
                error = std::max(error, std::abs(static_cast<double>(mine) - sum));
                mine = T(77);
            }
    EXPECT_LE(error, tolerance::eps<T> * 64);
    EXPECT_TRUE(std::ranges::all_of(result, [](T value) { return value == T(77); })) << "a gap was written";
}

std::vector<Size> mixed_sizes() {
    std::vector<Size> sizes{{1, 1, {1}}, {64, 64, {16}}, {65, 3, {17, 1}}, {256, 192, {128, 71, 5}}};
    for (std::uint64_t p = 0; p < 60; ++p) {
        const auto some = [&](std::uint64_t seed, std::uint64_t most) {
            return static_cast<Index>(1 + hash(p, seed) % most);
        };
        Size size{some(1, 150), some(2, 150), {}};
        for (Index terms = some(3, 3); terms > 0; --terms)
            size.inner.push_back(some(4 + static_cast<std::uint64_t>(terms), 100));
        sizes.push_back(size);
    }
    return sizes;
}

TEST(FaceProducts, GiveTheirDefiningSums) {
    check<double>(mixed_sizes());
    check<float>(mixed_sizes());
}

TEST(FaceProducts, OneAlone) {
    check<double>({{5, 7, {3}}});
    check<float>({{70, 130, {33, 2}}});
}

/// Long ones first, tiles one after the other.
TEST(FaceProducts, HaveTilesInOrder) {
    std::vector<Product<double>> products(3);
    const auto set = [](Product<double>& p, Index rows, Index columns, Index inner) {
        p.rows = rows, p.columns = columns, p.terms = 1;
        p.term[0].inner = inner;
    };
    set(products[0], 64, 65, 16), set(products[1], 1, 1, 200), set(products[2], 129, 64, 90);
    const Products<double> all = arrange(products);
    EXPECT_EQ(all.count, 3);
    EXPECT_EQ(all.tiles, 2 + 1 + 3);
    EXPECT_EQ(products[0].rows, 1);
    EXPECT_EQ(products[0].first_tile, 0);
    EXPECT_EQ(products[1].rows, 129);
    EXPECT_EQ(products[1].first_tile, 1);
    EXPECT_EQ(products[2].first_tile, 4);
}

/// Next to the faces of j and of k, n points along the middle axis.
template <class T>
void check_sums(Index n, Index count_j, Index count_k, int faces_j, int faces_k) {
    ModeSweeps<T> sweeps;
    sweeps.middle = {n, 1};
    const Index counts[2] = {count_j, count_k};
    std::vector<Both<T>> numbers;
    std::vector<Both<int>> places;
    numbers.reserve(3), places.reserve(2);
    for (int a = 0; a < 2; ++a) {
        SweptModes<T>& mine = sweeps.modes[a];
        mine.count = counts[a], mine.faces = a == 0 ? faces_j : faces_k;
        mine.first_odd = static_cast<int>(mine.faces == 2 ? (mine.count + 1) / 2 : mine.count);
        std::vector<T> sums;
        std::vector<int> place;
        for (Index slot = 0; slot < mine.count; ++slot) {
            sums.push_back(
                static_cast<T>(uniform(static_cast<std::uint64_t>(slot), static_cast<std::uint64_t>(a))));
            place.push_back(static_cast<int>(slot * 7 % mine.count));  // 7 divides no count here
        }
        numbers.emplace_back(std::move(sums)), places.emplace_back(std::move(place));
        mine.sums = numbers.back().there(), mine.place = places.back().there();
    }
    Index end = 0;
    for (int a = 0; a < 2; ++a) {
        SweptModes<T>& mine = sweeps.modes[a];
        mine.next_i = counts[1 - a], mine.next_part = n * mine.next_i, mine.next_tile = mine.faces * mine.next_part;
    }
    const Index begins[2] = {0, sweeps.modes[0].tiles() * sweeps.modes[0].next_tile};
    end = begins[1] + sweeps.modes[1].tiles() * sweeps.modes[1].next_tile;
    sweeps.divided_j = count_k + 3, sweeps.divided_i = count_j * sweeps.divided_j + 1;
    std::vector<T> values;
    for (Index i = 0; i < n * sweeps.divided_i; ++i)
        values.push_back(static_cast<T>(uniform(static_cast<std::uint64_t>(i), 9)));
    const Both<T> field(std::move(values)), partial(std::vector<T>(static_cast<std::size_t>(end), T(77)));
    sweeps.divided = field.there();
    for (int a = 0; a < 2; ++a) sweeps.modes[a].partial = partial.there() + begins[a];
    launch_sum(sweeps, {});

    const std::vector<T> got = partial.fetched();
    std::vector<double> right(got.size(), 0.0);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < count_j; ++j)
            for (Index k = 0; k < count_k; ++k)
                for (int a = 0; a < 2; ++a) {
                    const SweptModes<T>& mine = sweeps.modes[a];
                    if (mine.faces == 0) continue;
                    const Index slot = a == 0 ? j : k, other = a == 0 ? k : j;
                    const int part = places[a].here[static_cast<std::size_t>(slot)] < mine.first_odd ? 0 : 1;
                    const Index at = begins[a] + sweeps.partial_at(a, slot / tile_of_sums, part, i) + other;
                    right[static_cast<std::size_t>(at)] +=
                        static_cast<double>(numbers[a].here[static_cast<std::size_t>(slot)]) *
                        static_cast<double>(
                            field.here[static_cast<std::size_t>(i * sweeps.divided_i + j * sweeps.divided_j + k)]);
                }
    double error = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
        error = std::max(error, std::abs(right[i] - static_cast<double>(got[i])));
    EXPECT_LE(error, tolerance::eps<T> * 64);
}

TEST(SumsOverModes, AreThoseOfTheirParts) {
    for (const int faces_j : {0, 1, 2})
        for (const int faces_k : {0, 1, 2}) {
            if (faces_j + faces_k == 0) continue;
            check_sums<double>(5, 130, 257, faces_j, faces_k);
            check_sums<float>(3, 3, 129, faces_j, faces_k);
        }
    check_sums<double>(2300, 13, 5, 2, 2);  // several planes a block
    check_sums<float>(1, 128, 128, 2, 2);
}

}  // namespace
}  // namespace poisson3d::walled
