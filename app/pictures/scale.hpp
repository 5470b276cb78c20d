// Numbers along an axis or a colour bar: where each lies between the ends, and which are written there.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "pictures/ticks.hpp"

namespace poisson3d::app {

/// A monotone map of low … high to 0 … 1.
class Scale {
public:
    static Scale linear(double low, double high) { return {Kind::linear, low, high, 0.0}; }
    /// 0 < low.
    static Scale logarithmic(double low, double high) { return {Kind::logarithmic, low, high, 0.0}; }
    /// asinh(v / linear_below): nearly linear below that magnitude, logarithmic of both signs above it.
    static Scale both_signs(double low, double high, double linear_below) {
        return {Kind::both_signs, low, high, linear_below};
    }

    [[nodiscard]] double low() const noexcept { return low_; }
    [[nodiscard]] double high() const noexcept { return high_; }

    /// Below 0 and above 1 for numbers outside; minus infinity for numbers whose logarithm does not exist.
    [[nodiscard]] double fraction(double value) const noexcept {
        const double from = moved(low_), span = moved(high_) - from;
        return span > 0.0 ? (moved(value) - from) / span : 0.5;
    }

    [[nodiscard]] Ticks ticks(int most) const {
        if (kind_ == Kind::linear) return round_ticks(low_, high_, most);
        if (kind_ == Kind::logarithmic) return power_ticks(low_, high_, most);
        Ticks ticks;
        const Ticks half = power_ticks(linear_below_, std::max(high_, -low_), std::max(1, most / 2));
        const auto add = [&](double value, const std::string& label) {
            if (value >= low_ && value <= high_) ticks.list.push_back({value, label});
        };
        for (auto tick = half.list.rbegin(); tick != half.list.rend(); ++tick)
            add(-tick->value, tick->label.empty() ? "" : "−" + tick->label);
        add(0.0, "0");
        for (const Tick& tick : half.list) add(tick.value, tick.label);
        return ticks;
    }

private:
    enum class Kind { linear, logarithmic, both_signs };
    Scale(Kind kind, double low, double high, double linear_below)
        : kind_(kind), low_(low), high_(high), linear_below_(linear_below) {}

    /// Halves, because the difference of two numbers may overflow.
    [[nodiscard]] double moved(double value) const noexcept {
        if (kind_ == Kind::linear) return 0.5 * value;
        if (kind_ == Kind::both_signs) return std::asinh(value / linear_below_);
        return value > 0.0 ? std::log(value) : -std::numeric_limits<double>::infinity();
    }

    Kind kind_;
    double low_, high_, linear_below_;
};

}  // namespace poisson3d::app
