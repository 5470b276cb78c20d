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
    std::vector<int> radices;
    for (const int p : {7, 5, 3})
        for (; length % p == 0; length /= p) radices.push_back(p);
    int twos = 0;
    for (; length > 1; length /= 2) ++twos;
    // 8 as often as possible, but two fours rather than two and eight. Eights last: what lies together is then as
    // wide as the banks of shared memory.
    const int eights = twos % 3 == 1 && twos > 1 ? (twos - 4) / 3 : twos / 3;
    twos -= 3 * eights;
    if (twos % 2 == 1) radices.push_back(2);
    radices.insert(radices.end(), twos / 2, 4);
    radices.insert(radices.end(), eights, 8);
    return radices;
}

namespace {

template <class T>
Complex<T> root(Index turn, Index n) {
    const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(turn) / n;
    return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
}

/// The digits of an FFT: q_s in positions, Q_s in places.
struct Digits {
    std::vector<int> radices;
    std::vector<Index> apart, stride;
    Index length = 1, places = 1;

    explicit Digits(Index n) : radices(radices_of(n)), apart(radices.size()), stride(radices.size()), length(n) {
        Index q = 1;
        for (std::size_t s = radices.size(); s-- > 0;) {
            apart[s] = q;
            stride[s] = places | 1;
            q *= radices[s];
            places = radices[s] * stride[s];
        }
    }
    [[nodiscard]] Index place(Index position) const {
        Index sum = 0;
        for (std::size_t s = 0; s < radices.size(); ++s) sum += position / apart[s] % radices[s] * stride[s];
        return sum;
    }
    /// Where mode k ends: its digits come in the opposite order.
    [[nodiscard]] Index place_of_mode(Index k) const {
        Index sum = 0;
        for (std::size_t s = 0; s < radices.size(); k /= radices[s], ++s) sum += k % radices[s] * stride[s];
        return sum;
    }
};

template <class T>
class Maker {
public:
    explicit Maker(Index rows) {
        plan_.natural.assign(rows, -1);
        plan_.reversed.assign(rows, -1);
    }

    /// The FFT at positions first …
    void add(Index first, Index length) {
        const Digits digits(length);
        for (Index k = 0; k < length; ++k) {
            plan_.natural[first + k] = static_cast<std::int32_t>(end_ + digits.place(k));
            plan_.reversed[first + k] = static_cast<std::int32_t>(end_ + digits.place_of_mode(k));
        }
        for (std::size_t s = 0; s < digits.radices.size(); ++s) {
            if (phases_.size() <= s) phases_.emplace_back();
            phases_[s].push_back(step(digits, s));
        }
        end_ += digits.places;
    }

    FftPlan<T> take() {
        int steps = 0;
        for (const std::vector<RadixStep>& phase : phases_) {
            for (const RadixStep& step : phase) {
                plan_.fft.step[steps++] = step;
                plan_.fft.twos = plan_.fft.twos && (step.radix & (step.radix - 1)) == 0;
            }
            plan_.fft.phase_end[plan_.fft.phases++] = steps;
        }
        plan_.pitch = static_cast<int>(end_ | 1);
        return std::move(plan_);
    }

private:
    RadixStep step(const Digits& digits, std::size_t s) {
        const int r = digits.radices[s];
        const Index q = digits.apart[s];
        RadixStep step;
        step.radix = r;
        step.count = static_cast<int>(digits.length / r);
        step.stride = static_cast<int>(digits.stride[s]);
        step.apart = static_cast<int>(q);
        step.along = std::min(256, (step.count + 31) / 32 * 32);
        step.first = static_cast<int>(plan_.words.size());
        for (Index b = 0; b < digits.length / (r * q); ++b)
            for (Index j = 0; j < q; ++j)
                plan_.words.push_back(static_cast<std::uint32_t>((end_ + digits.place(b * r * q + j)) | j << 16));
        step.twiddles = twiddles(r, q);
        return step;
    }

    int twiddles(int r, Index q) {
        const auto [table, is_new] = tables_.try_emplace({q, r}, static_cast<int>(plan_.twiddles.size()));
        if (is_new && q > 1)
            for (int k = 1; k < r; ++k)
                for (Index j = 0; j < q; ++j) plan_.twiddles.push_back(root<T>(j * k, q * r));
        return table->second;
    }

    FftPlan<T> plan_;
    std::vector<std::vector<RadixStep>> phases_;
    std::map<std::pair<Index, int>, int> tables_;  ///< twiddles by q and radix
    Index end_ = 0;
};

}  // namespace

template <class T>
FftPlan<T> make_fft_plan(const std::vector<cufft::FftBlock>& blocks, Index rows) {
    Maker<T> maker(rows);
    for (const cufft::FftBlock& block : blocks)
        for (Index set = 0; set < block.count; ++set)
            maker.add(block.offset + set * (rows / block.count), block.length);
    return maker.take();
}

template FftPlan<float> make_fft_plan(const std::vector<cufft::FftBlock>&, Index);
template FftPlan<double> make_fft_plan(const std::vector<cufft::FftBlock>&, Index);

}  // namespace poisson3d::fused
