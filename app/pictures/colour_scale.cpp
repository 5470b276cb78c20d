#include "pictures/colour_scale.hpp"

#include <limits>

#include "poisson3d/error.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::app {

namespace {

using Limits = std::array<double, 2>;
constexpr double most = std::numeric_limits<double>::max();

/// Of a logarithmic scale that is not given: from its greatest value down.
constexpr double decades = 1e-6, decades_of_each_sign = 1e-3;

double quantile(const std::vector<double>& rising, double fraction) {
    const double at = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(rising.size() - 1);
    return rising[static_cast<std::size_t>(std::lround(at))];
}

bool both_signs(double low, double high) {
    const double below = std::max(0.0, -low), above = std::max(0.0, high);
    return std::min(below, above) > 1e-3 * std::max(below, above);
}

/// The range that holds so many of the values, in their middle: of magnitudes where both signs matter.
Limits middle(const Values& values, bool diverging, double percent) {
    if (!diverging)
        return {quantile(values.sample, 0.5 - percent / 200.0), quantile(values.sample, 0.5 + percent / 200.0)};
    std::vector<double> sizes;
    for (const double value : values.sample) sizes.push_back(std::fabs(value));
    std::sort(sizes.begin(), sizes.end());
    const double size = quantile(sizes, percent / 100.0);
    return {-size, size};
}

Limits all_of(const Values& values, bool diverging) {
    const double larger = std::max(std::fabs(values.least), std::fabs(values.greatest));
    if (diverging) return {-larger, larger};
    return {values.least, values.greatest};
}

Limits chosen(const Values& values, bool diverging, const ColourOptions& options) {
    const Limits all = all_of(values, diverging);
    if (values.sample.empty()) return all;
    if (options.percent) return *options.percent < 100.0 ? middle(values, diverging, *options.percent) : all;
    if (options.logarithmic) return all;
    const auto part = [&](const Limits& limits) {
        return (0.5 * limits[1] - 0.5 * limits[0]) / (0.5 * all[1] - 0.5 * all[0]);
    };
    const Limits usual = middle(values, diverging, 95.0);
    const bool few_far_away = part(middle(values, diverging, 98.0)) < 0.2 && part(usual) > 1e-3;
    return few_far_away ? usual : all;
}

/// One number only: it shall lie inside of its scale.
Limits opened(const Limits& limits) {
    const auto [low, high] = limits;
    if (low < high) return limits;
    const double size = std::fabs(low), margin = size > 0.0 ? 0.5 * size : 1.0;
    return {std::max(low - margin, -most), std::min(high + margin, most)};
}

[[noreturn]] void refuse(const Limits& limits) {
    throw Error(ErrorCode::usage, "--range: found " + format_number(limits[0]) + "," + format_number(limits[1]) +
                                      ", wanted two numbers above 0, or -A,A, for --log");
}

Scale scale_of(const Values& values, bool diverging, const Limits& limits, const ColourOptions& options) {
    const auto [low, high] = limits;
    if (!options.logarithmic) return Scale::linear(low, high);
    if (diverging) {
        if (low != -high) refuse(limits);
        return Scale::both_signs(low, high, decades_of_each_sign * high);
    }
    if (options.limits && !(low > 0.0)) refuse(limits);
    if (high <= 0.0) return Scale::both_signs(low, high, -decades_of_each_sign * low);
    double least = high;  // of those above 0
    for (const double value : values.sample)
        if (value > 0.0) least = std::min(least, value);
    least = low > 0.0 ? low : least;
    return Scale::logarithmic(options.limits ? low : std::max(std::min(least, 0.5 * high), decades * high), high);
}

}  // namespace

ColourScale::ColourScale(const Values& values, const ColourOptions& options)
    : bar_(Scale::linear(0.0, 1.0)), colours_(bar_) {
    const bool empty = values.least > values.greatest;
    const Values one{0.0, 0.0, {}};
    const Values& shown = empty ? one : values;
    const Limits& ends = options.limits ? *options.limits : Limits{shown.least, shown.greatest};
    diverging_ = both_signs(ends[0], ends[1]);
    const Limits limits = opened(options.limits ? *options.limits : chosen(shown, diverging_, options));
    bar_ = colours_ = scale_of(shown, diverging_, limits, options);
    if (diverging_ && !options.logarithmic) {
        const double larger = std::max(-limits[0], limits[1]);
        colours_ = Scale::linear(-larger, larger);
    }
    cut_below_ = !empty && values.least < bar_.low();
    cut_above_ = !empty && values.greatest > bar_.high();
}

Colour ColourScale::operator()(double value) const {
    if (!std::isfinite(value)) return not_finite;
    return at_fraction(std::clamp(bar_.fraction(value), 0.0, 1.0));
}

Colour ColourScale::at_fraction(double fraction) const {
    const double low = colours_.fraction(bar_.low()), high = colours_.fraction(bar_.high());
    const double at = (1.0 - fraction) * low + fraction * high;
    return diverging_ ? colour_at(diverging_map, at) : colour_at(sequential_map, at);
}

}  // namespace poisson3d::app
