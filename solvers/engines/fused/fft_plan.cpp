#include "fft_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace poisson3d::fused {

bool has_radices(Index length) noexcept {
    for (const Index p : {2, 3, 5, 7})
        while (length % p == 0) length /= p;
    return length == 1;
}

std::vector<int> radices_of(Index length) {
    std::vector<int> odd;
    for (const int p : {7, 5, 3})
        for (; length % p == 0; length /= p) odd.push_back(p);
    // 8 as often as possible, but two fours rather than eight and two.
    std::vector<int> radices;
    int twos = 0;
    for (; length > 1; length /= 2) ++twos;
    while (twos > 4 || twos == 3) radices.push_back(8), twos -= 3;
    for (; twos >= 2; twos -= 2) radices.push_back(4);
    if (twos == 1) radices.push_back(2);
    radices.insert(radices.end(), odd.begin(), odd.end());
    return radices;
}

namespace {

/// Where mode k of an FFT of these radices ends.
Index reversed(Index k, Index length, const std::vector<int>& radices) {
    Index place = 0;
    for (const int r : radices) {
        length /= r;
        place += k % r * length;
        k /= r;
    }
    return place;
}

template <class T>
Complex<T> root(Index turn, Index n) {
    const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(turn) / n;
    return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
}

}  // namespace

template <class T>
FftPlan<T> make_fft_plan(const std::vector<cufft::FftBlock>& blocks, Index rows) {
    FftPlan<T> plan;
    for (Index p = 0; p < rows; ++p) plan.natural.push_back(spread(static_cast<int>(p)));
    plan.reversed = plan.natural;
    plan.pitch = (spread(static_cast<int>(rows)) + 1) | 1;
    std::vector<std::vector<RadixStep>> phases;
    std::map<std::pair<Index, int>, int> tables;  // by size and radix
    for (const cufft::FftBlock& block : blocks)
        for (Index set = 0; set < block.count; ++set) {
            const Index offset = block.offset + set * (rows / block.count);
            const std::vector<int> radices = radices_of(block.length);
            for (Index k = 0; k < block.length; ++k)
                plan.reversed[offset + k] = spread(static_cast<int>(offset + reversed(k, block.length, radices)));
            Index size = block.length;
            for (std::size_t s = 0; s < radices.size(); ++s) {
                const int r = radices[s];
                const Index q = size / r;
                const auto [table, is_new] = tables.try_emplace({size, r}, static_cast<int>(plan.twiddles.size()));
                if (is_new && q > 1)
                    for (int k = 1; k < r; ++k)
                        for (Index j = 0; j < q; ++j) plan.twiddles.push_back(root<T>(j * k, size));
                if (phases.size() <= s) phases.emplace_back();
                RadixStep step;
                step.radix = r;
                step.offset = static_cast<int>(offset);
                step.size = static_cast<int>(size);
                step.twiddles = table->second;
                step.apart = Divisor(static_cast<std::uint32_t>(q));
                step.per_line = Divisor(static_cast<std::uint32_t>(block.length / r));
                phases[s].push_back(step);
                size = q;
            }
        }
    int steps = 0;
    for (const std::vector<RadixStep>& phase : phases) {
        for (const RadixStep& step : phase) plan.fft.step[steps++] = step;
        plan.fft.phase_end[plan.fft.phases++] = steps;
    }
    return plan;
}

template FftPlan<float> make_fft_plan(const std::vector<cufft::FftBlock>&, Index);
template FftPlan<double> make_fft_plan(const std::vector<cufft::FftBlock>&, Index);

}  // namespace poisson3d::fused
