#include "convolution_filter.hpp"

#include "convolution.hpp"
#include "convolution_radices.hpp"
#include "fft_plan.hpp"

namespace poisson3d::lines {

namespace {

constexpr Index elements_at_once = 1 << 14;  // of a thread at a time

/// Step s of an FFT of one line, its butterflies shared among the threads. Other convolutions have radices of which
/// even and odd sequences have all.
void shared_step(const LineFft<long double, Plain>& fft, int s, Complex<long double>* line, ThreadTeam& team) {
    team.parallel_for(fft.step[s].butterflies.count, elements_at_once / fft.step[s].radix,
                      [&](Index begin, Index end, int) {
                          LineFft<long double, Plain> part = fft;
                          part.step[s].first += static_cast<int>(begin);
                          part.step[s].butterflies = WorkItems(static_cast<int>(end - begin));
                          const StepTables<long double, Plain> tables{part.words, part.twiddles};
                          with_convolution_radix<SymmetricRadices>(part.step[s].radix, [&]<int r>() {
                              radix_step<r, false>(part.step[s], tables, line, 0, 1, NothingBeside{}, NoWait{});
                          });
                      });
}

/// An FFT of long double: elements with their padding, modes where the last step leaves them.
struct Transformed {
    FftPlan<long double, Plain> plan;
    std::vector<Complex<long double>> line;

    Transformed(const std::vector<int>& radices, const std::vector<Complex<long double>>& values, ThreadTeam& team)
        : plan(make_fft_plan<long double, Plain>(static_cast<Index>(values.size()), 1, {1, radices, 1})),
          line(plan.padded_length) {
        plan.fft.words = plan.words.data();
        plan.fft.twiddles = plan.twiddles.data();
        for (std::size_t i = 0; i < values.size(); ++i) line[plan.natural[i]] = values[i];
        for (int s = 0; s < plan.fft.steps; ++s) shared_step(plan.fft, s, line.data(), team);
    }
};

}  // namespace

template <class T>
std::vector<Complex<T>> filter_of(const std::vector<int>& radices, const std::vector<Complex<long double>>& values,
                                  ThreadTeam& team) {
    const auto m = static_cast<Index>(values.size());
    const auto [plan, line] = Transformed(radices, values, team);
    // Modes lie with reversed digits, as the last step leaves them: butterfly b has the positions b · r + k.
    const int r = radices.back();
    const Index butterflies = m / r;
    std::vector<Complex<T>> filter(m);
    team.parallel_for(m, elements_at_once, [&](Index begin, Index end, int) {
        for (Index i = begin; i < end; ++i) {
            const Complex<long double> mode = line[plan.natural[i]];
            filter[i % r * butterflies + i / r] = {static_cast<T>(mode.re / m), static_cast<T>(mode.im / m)};
        }
    });
    return filter;
}

template <class T>
std::vector<Complex<T>> modes_of(const std::vector<int>& radices, const std::vector<Complex<long double>>& values,
                                 ThreadTeam& team) {
    const auto [plan, line] = Transformed(radices, values, team);
    const auto m = static_cast<long double>(values.size());
    std::vector<Complex<T>> modes;
    for (const int place : plan.reversed)
        modes.push_back({static_cast<T>(line[place].re / m), static_cast<T>(line[place].im / m)});
    return modes;
}

template std::vector<Complex<float>> modes_of(const std::vector<int>&, const std::vector<Complex<long double>>&,
                                              ThreadTeam&);
template std::vector<Complex<double>> modes_of(const std::vector<int>&, const std::vector<Complex<long double>>&,
                                               ThreadTeam&);
template std::vector<Complex<float>> filter_of(const std::vector<int>&, const std::vector<Complex<long double>>&,
                                               ThreadTeam&);
template std::vector<Complex<double>> filter_of(const std::vector<int>&, const std::vector<Complex<long double>>&,
                                                ThreadTeam&);
template std::vector<Complex<long double>> filter_of(const std::vector<int>&,
                                                     const std::vector<Complex<long double>>&, ThreadTeam&);

}  // namespace poisson3d::lines
