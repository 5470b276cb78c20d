#include "chirp_tables.hpp"

#include <limits>
#include <string>

#include "convolution_filter.hpp"
#include "convolution_radices.hpp"
#include "poisson3d/error.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

namespace {

constexpr Index share = 1 << 14;  // of a thread at a time

}  // namespace

Index chirp_padded_length(Index n) {
    const Index elements = padded_length_of({1, chirp_convolution(n).radices, 1});
    if (elements > std::numeric_limits<int>::max())  // tables hold them as such
        throw Error(ErrorCode::unsupported,
                    "an FFT of length " + std::to_string(n) +
                        ", which has a large prime factor, is too long: choose a length that has none");
    return elements;
}

template <class T, class Format>
ChirpPlan<T, Format> make_chirp_plan(Index n, int count, ThreadTeam& team) {
    const Convolution convolution = chirp_convolution(n);
    const Index m = convolution.length;
    const Radices radices{1, convolution.radices, 1};
    ChirpPlan<T, Format> result;
    ChirpTables<T>& tables = result.tables;
    std::vector<Complex<long double>> values(m);
    tables.chirp.resize(m / 2);
    const RootsOfUnity roots(2 * n);
    team.parallel_for(n, share, [&](Index begin, Index end, int) {
        for (Index j = begin; j < end; ++j) {
            const Complex<long double> w = roots(j * j);  // e^{−iπ j²/n}, the argument reduced exactly
            tables.chirp[j] = {static_cast<T>(w.re), static_cast<T>(w.im)};
            values[j] = values[(m - j) % m] = {w.re, -w.im};
        }
    });
    tables.filter = filter_of<T>(radices.inner, values, team);
    tables.view.length = static_cast<int>(n);
    tables.view.butterflies = static_cast<int>(m / radices.inner.back());
    result.plan = make_fft_plan<T, Format>(m, count, radices);
    result.plan.length = n;
    result.plan.radices = {};
    result.plan.natural.resize(n);
    result.plan.reversed = result.plan.natural;
    return result;
}

template ChirpPlan<float, Compact> make_chirp_plan(Index, int, ThreadTeam&);
template ChirpPlan<double, Compact> make_chirp_plan(Index, int, ThreadTeam&);
template ChirpPlan<float, Plain> make_chirp_plan(Index, int, ThreadTeam&);
template ChirpPlan<double, Plain> make_chirp_plan(Index, int, ThreadTeam&);

}  // namespace poisson3d::lines
