// The root mean square of numbers of any size, whose squares may leave the range of double.
#pragma once

#include <cmath>

namespace poisson3d {

/// Sums squares in units of a power of two, which follows the largest number: the same bits as in units of 1
/// wherever those can be had, and no overflow beyond. What is not finite makes the result so.
class SquareSum {
public:
    /// To be called before numbers are added whose magnitudes are at most `largest`.
    void expect(double largest) {
        if (!(largest > max_) || !std::isfinite(largest)) return;
        const int exponent = std::ilogb(largest);
        sum_ = std::ldexp(sum_, 2 * (exponent_ - exponent));
        use(exponent);
    }
    void add(double number) {
        const double scaled = number * unit_;
        sum_ += scaled * scaled;
    }
    [[nodiscard]] bool finite() const noexcept { return std::isfinite(sum_); }
    /// Times 2^shift.
    [[nodiscard]] double root_mean(double count, int shift = 0) const {
        return std::ldexp(std::sqrt(sum_ / count), exponent_ + shift);
    }

private:
    void use(int exponent) {
        exponent_ = exponent;
        unit_ = std::ldexp(1.0, -exponent);
        max_ = std::ldexp(1.0, exponent + 400);  // its square, and 10^60 of them, still fit; beyond: infinity
    }

    int exponent_ = -1000;
    double sum_ = 0.0;
    double unit_ = 0x1p1000, max_ = 0x1p-600;
};

}  // namespace poisson3d
