#include "chirp_tables.hpp"

#include <limits>
#include <string>

#include "convolution.hpp"
#include "poisson3d/error.hpp"
#include "prime_step.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

namespace {

constexpr Index share = 1 << 14;  // of a thread at a time

/// Step s of an FFT of one line, its butterflies shared among the threads.
void shared_step(const LineFft<long double, Plain>& fft, int s, Complex<long double>* line, ThreadTeam& team) {
    team.parallel_for(fft.step[s].butterflies.count, share / fft.step[s].radix, [&](Index begin, Index end, int) {
        LineFft<long double, Plain> part = fft;
        part.step[s].first += static_cast<int>(begin);
        part.step[s].butterflies = WorkItems(static_cast<int>(end - begin));
        inner_step<false>(part, s, line, 0, 1);
    });
}

}  // namespace

Index chirp_padded_length(Index n) {
    const Index elements = padded_length_of({1, convolution_of(n).radices, 1});
    if (elements > std::numeric_limits<int>::max())  // tables hold them as such
        throw Error(ErrorCode::unsupported,
                    "an FFT of length " + std::to_string(n) +
                        ", which has a prime factor above 31, is too long: " + "choose a length that has none");
    return elements;
}

template <class T, class Format>
ChirpPlan<T, Format> make_chirp_plan(Index n, int count, ThreadTeam& team) {
    const Convolution convolution = convolution_of(n);
    const Index m = convolution.length;
    const Radices radices{1, convolution.radices, 1};
    FftPlan<long double, Plain> exact = make_fft_plan<long double, Plain>(m, 1, radices);
    exact.fft.words = exact.words.data();
    exact.fft.twiddles = exact.twiddles.data();
    ChirpPlan<T, Format> result;
    ChirpTables<T>& tables = result.tables;
    std::vector<Complex<long double>> line(exact.padded_length);
    tables.chirp.resize(m / 2);
    const RootsOfUnity roots(2 * n);
    team.parallel_for(n, share, [&](Index begin, Index end, int) {
        for (Index j = begin; j < end; ++j) {
            const Complex<long double> w = roots(j * j);  // e^{−iπ j²/n}, the argument reduced exactly
            tables.chirp[j] = {static_cast<T>(w.re), static_cast<T>(w.im)};
            line[exact.natural[j]] = line[exact.natural[(m - j) % m]] = {w.re, -w.im};
        }
    });
    for (int s = 0; s < exact.fft.steps; ++s) shared_step(exact.fft, s, line.data(), team);
    // Modes lie with reversed digits, as the last step leaves them: butterfly b has the positions b · r + k.
    const int r = exact.fft.step[exact.fft.steps - 1].radix;
    const Index butterflies = m / r;
    tables.filter.resize(m);
    team.parallel_for(m, share, [&](Index begin, Index end, int) {
        for (Index i = begin; i < end; ++i) {
            const Complex<long double> mode = line[exact.natural[i]];
            tables.filter[i % r * butterflies + i / r] = {static_cast<T>(mode.re / m), static_cast<T>(mode.im / m)};
        }
    });
    tables.view.length = static_cast<int>(n);
    tables.view.butterflies = static_cast<int>(butterflies);
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
