#include "chain_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ladder_modes.hpp"
#include "poisson3d/error.hpp"
#include "ring_modes.hpp"

#ifdef POISSON3D_HAVE_LAPACK
extern "C" {
// The last arguments are the lengths of the texts, as Fortran compilers pass them.
void dgesvj_(const char* joba, const char* jobu, const char* jobv, const int* m, const int* n, double* a,
             const int* lda, double* sva, const int* mv, double* v, const int* ldv, double* work, const int* lwork,
             int* info, std::size_t, std::size_t, std::size_t);
}
#endif

namespace poisson3d::lines {

namespace {

#ifdef POISSON3D_HAVE_LAPACK

/// Singular values and the vectors that belong to them, a column each, in any order.
struct Singular {
    std::vector<double> values, vectors;
};

void require_done(int info, const char* routine) {
    if (info == 0) return;
    throw Error(ErrorCode::internal, std::string("LAPACK's ") + routine +
                                         " found no eigenvectors of an axis (info = " + std::to_string(info) + ")");
}

/// R of a ring: its last diagonal element is 0.
struct Factor {
    std::vector<double> diagonal, next;  ///< R_jj and R_j,j+1
    std::vector<double> last;            ///< R_j,n−1
};

/// The tie k of a node to the last one is carried; see elimination.hpp.
Factor factor_of(const Chain& chain) {
    const std::size_t n = chain.volumes.size();
    Factor r{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
    long double tie = chain.links.front();
    for (std::size_t j = 0; j + 1 < n; ++j) {
        const long double link = chain.links[j + 1];
        const long double pivot = tie + link;
        r.diagonal[j] = static_cast<double>(std::sqrt(pivot / chain.volumes[j]));
        r.next[j] = static_cast<double>(-link / std::sqrt(pivot * chain.volumes[j + 1]));
        r.last[j] = static_cast<double>(-tie / std::sqrt(pivot * chain.volumes[n - 1]));
        tie *= link / pivot;
    }
    return r;
}

/// Of Rᵀ without its last column, which is 0: the left vectors, and the constant for the vector that is missing.
/// Those of low modes are sums of large columns that nearly cancel: what they keep of the constant is taken away.
Singular of_ring(const Factor& r, const std::vector<double>& constant) {
    const int n = static_cast<int>(r.diagonal.size());
    const int columns = n - 1;
    const auto rows = static_cast<std::size_t>(n);
    Singular found{std::vector<double>(rows, 0.0), std::vector<double>(rows * rows, 0.0)};
    std::vector<double>& matrix = found.vectors;  // columns one after the other
    for (std::size_t j = 0; j + 1 < rows; ++j) {
        matrix[j * rows + j] += r.diagonal[j];
        matrix[j * rows + j + 1] += r.next[j];
        matrix[j * rows + rows - 1] += r.last[j];
    }
    if (columns > 0) {
        const int of_work = std::max(6, n + columns);
        std::vector<double> work(static_cast<std::size_t>(of_work));
        const int unused = 1;
        double none = 0.0;
        int info = 0;
        dgesvj_("G", "U", "N", &n, &columns, matrix.data(), &n, found.values.data(), &unused, &none, &unused,
                work.data(), &of_work, &info, 1, 1, 1);
        require_done(info, "dgesvj");
        for (double& value : found.values) value *= work[0];
    }
    for (std::size_t k = 0; k + 1 < rows; ++k) {
        double* const vector = matrix.data() + k * rows;
        const double part = std::inner_product(constant.begin(), constant.end(), vector, 0.0);
        for (std::size_t j = 0; j < rows; ++j) vector[j] -= part * constant[j];
    }
    std::ranges::copy(constant, matrix.end() - n);
    return found;
}

/// The constant is the first.
ChainModes ring_modes(const Chain& chain) {
    const std::size_t n = chain.volumes.size();
    const double total = std::accumulate(chain.volumes.begin(), chain.volumes.end(), 0.0);
    std::vector<double> root(n);  // near 1, so that single precision holds the matrices for any unit of length
    for (std::size_t j = 0; j < n; ++j) root[j] = std::sqrt(chain.volumes[j] / total * static_cast<double>(n));
    std::vector<double> constant = root;
    for (double& each : constant) each /= std::sqrt(static_cast<double>(n));
    const Singular found = of_ring(factor_of(chain), constant);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return found.values[k]; });

    ChainModes modes{std::vector<double>(n), std::vector<double>(n * n), std::vector<double>(n * n)};
    for (std::size_t k = 0; k < n; ++k) {
        const double* const vector = found.vectors.data() + order[k] * n;
        modes.eigenvalues[k] = found.values[order[k]] * found.values[order[k]];
        for (std::size_t j = 0; j < n; ++j) {
            modes.forward[k * n + j] = vector[j] * root[j];
            modes.backward[j * n + k] = vector[j] / root[j];
        }
    }
    modes.eigenvalues[0] = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
        modes.forward[j] = chain.volumes[j] / total;
        modes.backward[j * n] = 1.0;
    }
    return modes;
}

#else

ChainModes ring_modes(const Chain&) {
    throw Error(ErrorCode::unsupported, ring_modes_unavailable());
}

#endif

}  // namespace

std::string ring_modes_unavailable() {
#ifdef POISSON3D_HAVE_LAPACK
    return {};
#else
    return "this build of poisson3d has no LAPACK, which finds the modes of a second axis with positions, widths "
           "or "
           "coefficients if it is periodic";
#endif
}

ChainModes make_chain_modes(const Chain& chain, ThreadTeam* team) {
    const std::size_t n = chain.volumes.size();
    if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()) / 2)
        throw Error(ErrorCode::unsupported,
                    "an axis of " + std::to_string(n) + " points has too many for matrices");
    std::optional<ChainModes> modes = chain.ring ? ring_ladder_modes(chain, team) : ladder_modes(chain, team);
    if (!modes && chain.ring) return ring_modes(chain);
    if (!modes)
        throw Error(ErrorCode::internal, "the modes of an axis of " + std::to_string(n) + " points were not found");
    return *std::move(modes);
}

}  // namespace poisson3d::lines
