// A DFT of N values takes N steps for each prime factor p of N, of p multiplications each: N = p N',
//
//     X_{k + N'm} = Σ_{r<p} w^{rk} u^{rm} Y_r(k),     Y_r the DFT of x_r, x_{r+p}, …,   w = e^{−2πi/N}, u =
//     e^{−2πi/p}
//
// (Cooley and Tukey, Math. Comp. 19 (1965)). Where a factor is large, all of it is a convolution with a chirp,
// rs = (r² + s² − (r−s)²)/2 in the exponent, by DFTs of a power of two (Bluestein, IEEE Trans. Audio 18 (1970)).
#include "cosine_sums.hpp"

#include <bit>
#include <complex>
#include <vector>

#include "roots_of_unity.hpp"

namespace poisson3d {

namespace {

using Number = std::complex<long double>;

/// A product without the checks for infinities of operator*.
Number times(Number a, Number b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Index smallest_factor(Index n) {
    for (Index p = 2; p * p <= n; ++p)
        if (n % p == 0) return p;
    return n;
}

class FactoredDft {
public:
    explicit FactoredDft(Index length) : roots_(length) {
        const RootsOfUnity exact(length);
        for (Index t = 0; t < length; ++t) roots_[t] = {exact(t).re, exact(t).im};
        for (Index rest = length; rest > 1; rest /= factors_.back()) factors_.push_back(smallest_factor(rest));
        scratch_.resize(factors_.empty() ? 1 : factors_.back());
    }

    [[nodiscard]] Index greatest_factor() const { return factors_.empty() ? 1 : factors_.back(); }

    void operator()(const Number* from, Number* to) { transform(from, to, 1, 0); }

private:
    /// The DFT of every stride-th value; `level` factors are done outside.
    void transform(const Number* from, Number* to, Index stride, std::size_t level) {
        const auto length = static_cast<Index>(roots_.size());
        if (level == factors_.size()) {
            *to = *from;
            return;
        }
        const Index p = factors_[level];
        const Index part = length / stride / p;
        for (Index r = 0; r < p; ++r) transform(from + r * stride, to + r * part, stride * p, level + 1);
        for (Index k = 0; k < part; ++k) {
            for (Index r = 0; r < p; ++r) scratch_[r] = times(to[r * part + k], roots_[r * k * stride]);
            if (p == 2) {
                to[k] = scratch_[0] + scratch_[1];
                to[part + k] = scratch_[0] - scratch_[1];
                continue;
            }
            for (Index m = 0; m < p; ++m) {
                Number sum = scratch_[0];
                for (Index r = 1; r < p; ++r) sum += times(scratch_[r], roots_[r * m % p * (length / p)]);
                to[m * part + k] = sum;
            }
        }
    }

    std::vector<Number> roots_;
    std::vector<Index> factors_;
    std::vector<Number> scratch_;
};

class ChirpDft {
public:
    explicit ChirpDft(Index length)
        : length_(length), size_(std::bit_ceil(static_cast<std::uint64_t>(2 * length))), dft_(size_) {
        const RootsOfUnity exact(2 * length);
        for (Index r = 0; r < length; ++r) {
            const Complex<long double> root = exact(r * r % (2 * length));
            chirp_.emplace_back(root.re, root.im);
        }
        std::vector<Number> filter(size_);
        for (Index r = 0; r < length; ++r) filter[r] = filter[(size_ - r) % size_] = std::conj(chirp_[r]);
        filter_.resize(size_);
        dft_(filter.data(), filter_.data());
        work_.resize(size_);
        modes_.resize(size_);
    }

    void operator()(const Number* from, Number* to) {
        for (Index r = 0; r < size_; ++r) work_[r] = r < length_ ? times(from[r], chirp_[r]) : Number(0);
        dft_(work_.data(), modes_.data());
        for (Index r = 0; r < size_; ++r) modes_[r] = std::conj(times(modes_[r], filter_[r]));
        dft_(modes_.data(), work_.data());  // conjugated before and after: backward
        for (Index s = 0; s < length_; ++s)
            to[s] = times(std::conj(work_[s]), chirp_[s]) / static_cast<long double>(size_);
    }

private:
    Index length_, size_;
    FactoredDft dft_;
    std::vector<Number> chirp_, filter_, work_, modes_;
};

}  // namespace

struct CosineSums::Plan {
    explicit Plan(Index m) : window(m), factored(2 * m), line(2 * m), sums(2 * m) {
        if (factored.greatest_factor() > 60) chirp = std::make_unique<ChirpDft>(2 * m);
    }

    Index window;
    FactoredDft factored;
    std::unique_ptr<ChirpDft> chirp;
    std::vector<Number> line, sums;
};

CosineSums::CosineSums(Index window) : plan_(std::make_unique<Plan>(window)) {}
CosineSums::~CosineSums() = default;
CosineSums::CosineSums(CosineSums&&) noexcept = default;
CosineSums& CosineSums::operator=(CosineSums&&) noexcept = default;

void CosineSums::operator()(std::span<long double> first, std::span<long double> second) {
    Plan& plan = *plan_;
    const Index m = plan.window;
    for (Index j = 0; j <= m; ++j) plan.line[j] = plan.line[(2 * m - j) % (2 * m)] = {first[j], second[j]};
    if (plan.chirp)
        (*plan.chirp)(plan.line.data(), plan.sums.data());
    else
        plan.factored(plan.line.data(), plan.sums.data());
    for (Index k = 0; k <= m; ++k) {
        first[k] = plan.sums[k].real();
        second[k] = plan.sums[k].imag();
    }
}

}  // namespace poisson3d
