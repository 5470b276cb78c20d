// The kernel that multiplies lines with matrices, against its defining sums: every fold, axis, both precisions,
// sizes that leave tiles incomplete, fields with gaps, which must stay as they are. And the kernel that makes such
// matrices, which gives the host's bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine_under_test.hpp"
#include "line_product.hpp"
#include "poisson3d/device_memory.hpp"
#include "problems.hpp"
#include "random_values.hpp"
#include "tolerance.hpp"
#include "wave_matrix.hpp"

namespace poisson3d::fused {
namespace {

using namespace test;

/// Where elements stand: with `gap` elements behind every row, and behind every field.
struct Place {
    Strides strides;
    Index next;
    Place(const Extents& n, Index gap)
        : strides{n[1] * (n[2] + gap), n[2] + gap, 1}, next(n[0] * strides[0] + gap) {}
    [[nodiscard]] Index at(Index field, Index i, Index j, Index k) const {
        return field * next + i * strides[0] + j * strides[1] + k;
    }
};

template <class T>
class Product {
public:
    Product(const Extents& n, int axis, Fold fold, bool periodic) : n_(n), axis_(axis) {
        matrix_.unknowns = n[axis];
        matrix_.fold = fold;
        matrix_.periodic = periodic;
        matrix_.even = fold == Fold::none ? tile_side * tiles((n[axis] + 1) / 2)
                       : periodic         ? n[axis] / 2 + 1
                                          : (n[axis] + 1) / 2;
        for (Index i = 0; i < n[axis] * n[axis]; ++i) by_rows_.push_back(uniform(static_cast<std::uint64_t>(i), 1));
        tiles_ = tiled(matrix_, by_rows_);
    }

    void check(Index fields, Index gap_in, Index gap_out) const {
        const Place from(n_, gap_in), to(n_, gap_out);
        std::vector<T> in(static_cast<std::size_t>(fields * from.next)),
            out(static_cast<std::size_t>(fields * to.next), T(77));
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(uniform(i));
        const DeviceBuffer tiles(tiles_.size() * sizeof(double)), there(in.size() * sizeof(T)),
            back(out.size() * sizeof(T));
        copy_to_device(tiles.data(), tiles_.data(), tiles.size());
        copy_to_device(there.data(), in.data(), there.size());
        copy_to_device(back.data(), out.data(), back.size());
        LineProduct<T> product;
        product.matrix = matrix_;
        product.matrix.data = reinterpret_cast<const double*>(tiles.data());
        product.axis = axis_;
        product.in = {reinterpret_cast<const T*>(there.data()), n_, from.strides};
        product.out = {reinterpret_cast<T*>(back.data()), n_, to.strides};
        product.fields = fields;
        product.in_next = from.next;
        product.out_next = to.next;
        product.scale = T(0.25);
        launch_line_product(product, {});
        copy_to_host(out.data(), back.data(), back.size());
        double error = 0;
        std::vector<double> x(static_cast<std::size_t>(n_[axis_])), y(x.size());
        Extents across = n_;
        across[axis_] = 1;
        for (Index b = 0; b < fields; ++b)
            for (Index i = 0; i < across[0]; ++i)
                for (Index j = 0; j < across[1]; ++j)
                    for (Index k = 0; k < across[2]; ++k) {
                        for (std::size_t m = 0; m < x.size(); ++m)
                            x[m] = in[static_cast<std::size_t>(from.at(b, i, j, k) +
                                                               static_cast<Index>(m) * from.strides[axis_])];
                        multiply(x, y);
                        for (std::size_t m = 0; m < y.size(); ++m) {
                            T& result = out[static_cast<std::size_t>(to.at(b, i, j, k) +
                                                                     static_cast<Index>(m) * to.strides[axis_])];
                            error = std::max(error, std::abs(static_cast<double>(result) - 0.25 * y[m]));
                            result = T(77);
                        }
                    }
        EXPECT_LE(error, tolerance::eps<T> * std::sqrt(static_cast<double>(n_[axis_])) * 4);
        EXPECT_TRUE(std::ranges::all_of(out, [](T value) { return value == T(77); })) << "a gap was written";
    }

private:
    /// What the matrix and its symmetry mean (line_product.hpp), from the matrix by rows.
    void multiply(const std::vector<double>& x, std::vector<double>& y) const {
        const Index n = matrix_.unknowns, h = matrix_.even;
        const auto m = [&](Index row, Index column) {
            return by_rows_[static_cast<std::size_t>(row * n + column)];
        };
        const auto partner = [&](Index k) { return matrix_.periodic ? (n - k) % n : n - 1 - k; };
        const auto value = [&](Index k) { return x[static_cast<std::size_t>(k)]; };
        std::ranges::fill(y, 0.0);
        for (Index row = 0; row < n; ++row) {
            double& sum = y[static_cast<std::size_t>(row)];
            if (matrix_.fold == Fold::none)
                for (Index k = 0; k < n; ++k) sum += m(row, k) * value(k);
            if (matrix_.fold == Fold::before)
                for (Index k = 0; k < h; ++k) {
                    const Index other = partner(k);
                    if (row < h) sum += m(row, k) * (other == k ? value(k) : value(k) + value(other));
                    if (row >= h && other != k) sum += m(row, k) * (value(k) - value(other));
                }
            if (matrix_.fold == Fold::after) {
                const bool mirrored = row >= h;
                const Index k = mirrored ? partner(row) : row;
                for (Index column = 0; column < n; ++column) {
                    if (column >= h && partner(k) == k) continue;
                    sum += (column < h || !mirrored ? 1.0 : -1.0) * m(k, column) * value(column);
                }
            }
        }
    }

    Extents n_;
    int axis_;
    LineMatrix matrix_;
    std::vector<double> by_rows_, tiles_;
};

template <class T>
void check_all(const Extents& n, Index fields, Index gap_in, Index gap_out) {
    for (int axis = 0; axis < 3; ++axis)
        for (const Fold fold : {Fold::none, Fold::before, Fold::after})
            for (const bool periodic : {false, true}) {
                if (fold == Fold::none && periodic) continue;
                SCOPED_TRACE("axis " + std::to_string(axis) + ", fold " + std::to_string(static_cast<int>(fold)) +
                             (periodic ? ", periodic" : ""));
                Product<T>(n, axis, fold, periodic).check(fields, gap_in, gap_out);
            }
}

TEST(LineProduct, IsWhatItsSumsSay) {
    for (const Extents& n :
         {Extents{1, 1, 1}, Extents{2, 3, 1}, Extents{5, 7, 9}, Extents{33, 70, 40}, Extents{17, 130, 65}}) {
        SCOPED_TRACE(std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]));
        check_all<double>(n, 1, 0, 0);
        check_all<double>(n, 3, 1, 4);
        check_all<float>(n, 1, 2, 1);
    }
}

TEST(WaveMatrix, IsMadeOnTheDevice) {
    for (int kind = 0; kind < 10; ++kind)
        for (const Index points : {2, 3, 17, 32, 61, 509}) {
            const Axis axis = make_axis(kind, points, 0.3);
            if (points < fewest_points(axis)) continue;
            SCOPED_TRACE(std::string(kinds[kind].name) + " " + std::to_string(points));
            const lines::WaveTables tables = lines::make_wave_tables(axis);
            const auto on_device = [](const auto& numbers) {
                DeviceBuffer buffer(numbers.size() * sizeof(numbers[0]));
                copy_to_device(buffer.data(), numbers.data(), buffer.size());
                return buffer;
            };
            const DeviceBuffer values = on_device(tables.values), weights = on_device(tables.weights),
                               modes = on_device(tables.modes);
            lines::WaveMatrix waves = tables.view();
            waves.values = static_cast<const double*>(values.data());
            waves.weights = static_cast<const double*>(weights.data());
            waves.modes = static_cast<const lines::ModeWave*>(modes.data());
            for (const bool forward : {true, false}) {
                const LineMatrix matrix = line_matrix(axis, forward);
                std::vector<double> wanted(static_cast<std::size_t>(matrix.size())), made(wanted.size());
                for (Index place = 0; place < matrix.size(); ++place)
                    wanted[static_cast<std::size_t>(place)] = wave_element(matrix, tables.view(), forward, place);
                const DeviceBuffer elements(made.size() * sizeof(double));
                fill_on_device(elements.data(), 255, elements.size());
                launch_wave_matrix(matrix, waves, forward, static_cast<double*>(elements.data()), {});
                copy_to_host(made.data(), elements.data(), elements.size());
                EXPECT_EQ(made, wanted);
            }
        }
}

}  // namespace
}  // namespace poisson3d::fused
