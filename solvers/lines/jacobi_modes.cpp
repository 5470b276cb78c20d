#include "jacobi_modes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poisson3d::lines {

namespace {

constexpr int most_rounds_of_turns = 60;

/// R of a ring: its last diagonal element is 0. The tie k of a node to the last one is carried; see
/// elimination.hpp.
struct Factor {
    std::vector<double> diagonal, next;  ///< R_jj and R_j,j+1
    std::vector<double> last;            ///< R_j,n−1

    explicit Factor(const Chain& ring) : diagonal(ring.volumes.size()), next(diagonal), last(diagonal) {
        const std::size_t n = diagonal.size();
        long double tie = ring.links.front();
        for (std::size_t j = 0; j + 1 < n; ++j) {
            const long double link = ring.links[j + 1];
            const long double pivot = tie + link;
            diagonal[j] = static_cast<double>(std::sqrt(pivot / ring.volumes[j]));
            next[j] = static_cast<double>(-link / std::sqrt(pivot * ring.volumes[j + 1]));
            last[j] = static_cast<double>(-tie / std::sqrt(pivot * ring.volumes[n - 1]));
            tie *= link / pivot;
        }
    }
};

/// Columns of a matrix of n rows, one after the other.
class Columns {
public:
    Columns(std::size_t rows, std::size_t count) : rows_(rows), count_(count), values_(rows * count) {}

    [[nodiscard]] double* column(std::size_t k) { return &values_[k * rows_]; }

    /// In eight sums, which do not wait for each other.
    [[nodiscard]] double product(std::size_t k, std::size_t l) {
        const double *const a = column(k), *const b = column(l);
        double sums[8] = {};
        std::size_t j = 0;
        for (; j + 8 <= rows_; j += 8)
            for (std::size_t i = 0; i < 8; ++i) sums[i] += a[j + i] * b[j + i];
        for (; j < rows_; ++j) sums[0] += a[j] * b[j];
        return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    }

    /// Whether all are orthogonal to each other in the end.
    [[nodiscard]] bool make_orthogonal() {
        const double least = 0x1p-53 * std::sqrt(static_cast<double>(rows_));
        for (int sweep = 0; sweep < most_rounds_of_turns; ++sweep) {
            bool turned = false;
            for (std::size_t k = 0; k + 1 < count_; ++k) {
                exchange_longest(k);
                for (std::size_t l = k + 1; l < count_; ++l) {
                    const double first = std::sqrt(product(k, k)), second = std::sqrt(product(l, l));
                    const double cosine = product(k, l) / first / second;
                    if (!(std::abs(cosine) > least)) continue;
                    turned = true;
                    turn(k, l, (second / first - first / second) / (2.0 * cosine));
                }
            }
            if (!turned) return true;
        }
        return false;
    }

private:
    /// The longest column from k on to place k: then lengths come in descending order, and fewer turns do.
    void exchange_longest(std::size_t k) {
        std::size_t longest = k;
        double most = product(k, k);
        for (std::size_t l = k + 1; l < count_; ++l)
            if (const double square = product(l, l); square > most) {
                most = square;
                longest = l;
            }
        if (longest != k) std::swap_ranges(column(k), column(k) + rows_, column(longest));
    }

    void turn(std::size_t k, std::size_t l, double cotangent_of_twice) {
        const double tangent = std::copysign(1.0, cotangent_of_twice) /
                               (std::abs(cotangent_of_twice) + std::hypot(1.0, cotangent_of_twice));
        const double cosine = 1.0 / std::hypot(1.0, tangent), sine = tangent * cosine;
        double *const a = column(k), *const b = column(l);
        for (std::size_t j = 0; j < rows_; ++j) {
            const double x = a[j], y = b[j];
            a[j] = cosine * x - sine * y;
            b[j] = sine * x + cosine * y;
        }
    }

    std::size_t rows_, count_;
    std::vector<double> values_;
};

}  // namespace

std::optional<ChainModes> jacobi_modes(const Chain& ring) {
    const std::size_t n = ring.volumes.size();
    const Factor r(ring);
    Columns columns(n, n - 1);  // without the last one of Rᵀ, which is 0
    for (std::size_t k = 0; k + 1 < n; ++k) {
        double* const column = columns.column(k);
        column[k] = r.diagonal[k];
        column[k + 1] += r.next[k];
        column[n - 1] += r.last[k];
    }
    if (!columns.make_orthogonal()) return std::nullopt;
    // Near 1, so that single precision holds the matrices for any unit of length.
    const double total = std::accumulate(ring.volumes.begin(), ring.volumes.end(), 0.0);
    std::vector<double> root(n);
    for (std::size_t j = 0; j < n; ++j) root[j] = std::sqrt(ring.volumes[j] / total * static_cast<double>(n));

    ChainModes modes{std::vector<double>(n), std::vector<double>(n * n), std::vector<double>(n * n)};
    for (std::size_t j = 0; j < n; ++j) {
        modes.forward[j] = ring.volumes[j] / total;
        modes.backward[j * n] = 1.0;
    }
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k + 1 < n; ++k) order.emplace_back(std::sqrt(columns.product(k, k)), k);
    std::ranges::sort(order);
    for (std::size_t k = 1; k < n; ++k) {
        const auto [length, place] = order[k - 1];
        double* const v = columns.column(place);
        for (std::size_t j = 0; j < n; ++j) v[j] /= length;
        // Low modes are sums of large columns that nearly cancel: what they keep of the constant is taken away.
        const double part = std::inner_product(root.begin(), root.end(), v, 0.0) / static_cast<double>(n);
        for (std::size_t j = 0; j < n; ++j) v[j] -= part * root[j];
        modes.eigenvalues[k] = length * length;
        for (std::size_t j = 0; j < n; ++j) {
            modes.forward[k * n + j] = v[j] * root[j];
            modes.backward[j * n + k] = v[j] / root[j];
        }
    }
    return modes;
}

}  // namespace poisson3d::lines
