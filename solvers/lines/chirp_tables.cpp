#include "chirp_tables.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "convolution_filter.hpp"
#include "convolution_radices.hpp"
#include "poisson3d/error.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

namespace {

constexpr Index share = 1 << 14;  // of a thread at a time

/// Steps behind the first one without twiddles (known_chirp.hpp): kernels that know less multiply by 1.
template <class T, class Format>
void drop_twiddles(FftPlan<T, Format>& plan, const ChirpRadices& known) {
    const Index length = Index{known.first} * known.last;
    const RadixStep& step = plan.fft.step[1];
    std::fill_n(plan.twiddles.begin() + step.twiddles,
                twiddles_of(known.first, Format::few_twiddles) * step.twiddle_stride, Complex<T>{1, 0});
    const std::vector<int> places = plan.natural;
    for (Index f = 0; f < plan.count; ++f)
        for (Index j = 0; j < length; ++j)
            plan.words[plan.fft.step[0].first + f * length + j] =
                word_of<Format>(f * plan.padded_length + places[known.place(j)], j);
    for (std::size_t i = 0; i < plan.natural.size(); ++i) {
        const auto j = static_cast<Index>(i) % length;
        plan.natural[i] = places[static_cast<Index>(i) - j + known.place(j)];
    }
}

/// The filter of such steps from modes in natural order.
template <class T>
std::vector<Complex<T>> in_order_of(const ChirpRadices& known, const std::vector<Complex<T>>& modes) {
    constexpr Index ffts = periodic_chirp_radix;
    std::vector<Complex<T>> filter;
    for (Index e = 0; e < known.last; ++e)
        for (Index k = 0; k < ffts; ++k)
            for (Index d = 0; d < known.first; ++d) filter.push_back(modes[ffts * known.mode(d, e) + k]);
    return filter;
}

}  // namespace

template <class Format>
Index chirp_padded_length(Index n) {
    const Index elements = padded_length_of({1, chirp_convolution(n, Format::few_twiddles).radices, 1});
    if (elements > std::numeric_limits<int>::max())  // tables hold them as such
        throw Error(ErrorCode::unsupported,
                    "an FFT of length " + std::to_string(n) +
                        ", which has a large prime factor, is too long: choose a length that has none");
    return elements;
}

template <class T, class Format>
ChirpPlan<T, Format> make_chirp_plan(Index n, int count, ThreadTeam& team) {
    const Convolution convolution = chirp_convolution(n, Format::few_twiddles);
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
    const ChirpRadices known = known_periodic_radices(Format::few_twiddles ? known_periodic_length(n) : 0);
    tables.filter = known.first > 0 ? in_order_of(known, modes_of<T>(radices.inner, values, team))
                                    : filter_of<T>(radices.inner, values, team);
    tables.view.length = static_cast<int>(n);
    tables.view.butterflies = static_cast<int>(m / radices.inner.back());
    result.plan = make_fft_plan<T, Format>(m, count, radices);
    if (known.coprime()) drop_twiddles(result.plan, known);
    result.plan.length = n;
    result.plan.radices = {};
    result.plan.natural.resize(n);
    result.plan.reversed = result.plan.natural;
    return result;
}

template Index chirp_padded_length<Compact>(Index);
template Index chirp_padded_length<Plain>(Index);
template ChirpPlan<float, Compact> make_chirp_plan(Index, int, ThreadTeam&);
template ChirpPlan<double, Compact> make_chirp_plan(Index, int, ThreadTeam&);
template ChirpPlan<float, Plain> make_chirp_plan(Index, int, ThreadTeam&);
template ChirpPlan<double, Plain> make_chirp_plan(Index, int, ThreadTeam&);

}  // namespace poisson3d::lines
