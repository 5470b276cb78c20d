#include "chirp_fft.hpp"

namespace poisson3d::fused {

namespace {

Radices convolution_radices(Index length) {
    return {1, inner_radices_of(length), 1};
}

/// e^{−iπ j²/n}, the argument reduced exactly.
template <class T>
Complex<T> chirp_of(Index j, Index n) {
    return root_of_one<T>(j * j % (2 * n), 2 * n);
}

}  // namespace

Index convolution_length(Index n) {
    // Steps over m elements are what it costs.
    Index best = 0;
    std::size_t best_steps = 0;
    for (Index m = 2 * n - 1; best == 0 || 4 * m <= 5 * best; ++m) {
        if (!has_radices(m)) continue;
        const std::size_t steps = inner_radices_of(m).size();
        if (best == 0 || m * static_cast<Index>(steps + 1) < best * static_cast<Index>(best_steps + 1))
            best = m, best_steps = steps;
    }
    return best;
}

Index convolution_places(Index n) {
    return places_of(convolution_radices(convolution_length(n)));
}

template <class T>
ChirpTable<T> make_chirp_table(Index n) {
    const Index m = convolution_length(n);
    const Radices radices = convolution_radices(m);
    ChirpTable<T> table;
    table.plan = make_fft_plan<T, Plain>(m, 1, radices);
    table.head.length = static_cast<int>(n);
    table.head.convolution = static_cast<int>(m);
    table.head.fft = table.plan.fft;
    // The filter by an FFT of more digits, rounded once.
    FftPlan<long double, Plain> plan = make_fft_plan<long double, Plain>(m, 1, radices);
    plan.fft.words = plan.words.data();
    plan.fft.roots = plan.roots.data();
    std::vector<Complex<long double>> places(plan.places);
    for (Index j = 0; j < n; ++j) {
        const Complex<long double> w = chirp_of<long double>(j, n);
        table.chirp.push_back({static_cast<T>(w.re), static_cast<T>(w.im)});
        places[plan.natural[j]] = places[plan.natural[(m - j) % m]] = {w.re, -w.im};
    }
    for (int s = 0; s < plan.fft.steps; ++s) inner_step<false>(plan.fft, s, places.data(), 0, 1);
    for (Index k = 0; k < m; ++k) {
        const Complex<long double> mode = places[plan.reversed[k]];
        table.filter.push_back({static_cast<T>(mode.re / m), static_cast<T>(mode.im / m)});
    }
    return table;
}

template ChirpTable<float> make_chirp_table(Index);
template ChirpTable<double> make_chirp_table(Index);

}  // namespace poisson3d::fused
