#include "chirp_fft.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "poisson3d/error.hpp"
#include "poisson3d/threads.hpp"
#include "roots_of_unity.hpp"

namespace poisson3d::lines {

namespace {

Radices convolution_radices(Index length) {
    return {1, inner_radices_of(length), 1};
}

/// The plan of the same FFT in fewer digits.
template <class T>
FftPlan<T, Plain> rounded(FftPlan<long double, Plain>&& exact) {
    FftPlan<T, Plain> plan;
    plan.length = exact.length;
    plan.count = exact.count;
    plan.radices = std::move(exact.radices);
    std::copy_n(exact.fft.step, max_steps, plan.fft.step);
    plan.fft.steps = exact.fft.steps;
    plan.words = std::move(exact.words);
    plan.twiddles.reserve(exact.twiddles.size());
    for (const Complex<long double>& root : exact.twiddles)
        plan.twiddles.push_back({static_cast<T>(root.re), static_cast<T>(root.im)});
    plan.natural = std::move(exact.natural);
    plan.reversed = std::move(exact.reversed);
    plan.padded_length = exact.padded_length;
    plan.samples_stride = exact.samples_stride;
    return plan;
}

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

Index convolution_padded_length(Index n) {
    const Index work = padded_length_of(convolution_radices(convolution_length(n)));
    if (work > std::numeric_limits<int>::max())  // tables hold them as such
        throw Error(ErrorCode::unsupported, "an FFT of length " + std::to_string(n) +
                                                ", which has a prime factor above 31, is too long for the host: " +
                                                "choose a length that has none");
    return work;
}

template <class T>
ChirpTable<T> make_chirp_table(Index n, ThreadTeam& team) {
    const Index m = convolution_length(n);
    ChirpTable<T> table;
    // The filter by an FFT of more digits, rounded once.
    FftPlan<long double, Plain> plan = make_fft_plan<long double, Plain>(m, 1, convolution_radices(m));
    plan.fft.words = plan.words.data();
    plan.fft.twiddles = plan.twiddles.data();
    std::vector<Complex<long double>> work(plan.padded_length);
    table.chirp.resize(n);
    const RootsOfUnity roots(2 * n);
    team.parallel_for(n, share, [&](Index begin, Index end, int) {
        for (Index j = begin; j < end; ++j) {
            const Complex<long double> w = roots(j * j);  // e^{−iπ j²/n}, the argument reduced exactly
            table.chirp[j] = {static_cast<T>(w.re), static_cast<T>(w.im)};
            work[plan.natural[j]] = work[plan.natural[(m - j) % m]] = {w.re, -w.im};
        }
    });
    for (int s = 0; s < plan.fft.steps; ++s) shared_step(plan.fft, s, work.data(), team);
    table.filter.resize(m);
    team.parallel_for(m, share, [&](Index begin, Index end, int) {
        for (Index k = begin; k < end; ++k) {
            const Complex<long double> mode = work[plan.reversed[k]];
            table.filter[k] = {static_cast<T>(mode.re / m), static_cast<T>(mode.im / m)};
        }
    });
    table.plan = rounded<T>(std::move(plan));
    table.view.length = static_cast<int>(n);
    table.view.convolution = static_cast<int>(m);
    table.view.fft = table.plan.fft;
    return table;
}

template ChirpTable<float> make_chirp_table(Index, ThreadTeam&);
template ChirpTable<double> make_chirp_table(Index, ThreadTeam&);

}  // namespace poisson3d::lines
