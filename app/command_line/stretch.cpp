#include "command_line/stretch.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace poisson3d::app {

namespace {

Stretch parse_stretch(const std::string& option, const std::string& text) {
    const std::vector<std::string> words = split(text, ':');
    const std::string& word = words.front();
    const auto refuse = [&]() {
        throw Error(ErrorCode::usage, option + ": found '" + text +
                                          "', wanted tanh:D or geometric:R with a number above 0, chebyshev, or "
                                          "random:SEED");
    };
    if (words.size() != (word == "chebyshev" ? 1U : 2U)) refuse();
    Stretch stretch;
    if (word == "random") {
        stretch.kind = Stretch::Kind::random;
        stretch.seed = static_cast<std::uint64_t>(parse_integer(option, words[1], 0));
    } else if (word == "tanh" || word == "geometric") {
        stretch.kind = word == "tanh" ? Stretch::Kind::tanh : Stretch::Kind::geometric;
        stretch.number = parse_number(option, words[1]);
        if (stretch.number <= 0.0) refuse();
    } else if (word != "chebyshev") {
        refuse();
    }
    return stretch;
}

}  // namespace

PerAxis<Stretch> parse_stretches(const std::string& option, const std::string& text) {
    return {option, text, [&](const std::string& word) { return parse_stretch(option, word); }};
}

std::vector<double> stretched(const Axis& uniform, const Stretch& stretch) {
    std::vector<double> x(static_cast<std::size_t>(step_count(uniform)) + 1, 0.0);
    std::mt19937_64 random(stretch.seed);
    const double d = stretch.number;
    for (std::size_t j = 1; j < x.size(); ++j) {
        const double t = static_cast<double>(j) / static_cast<double>(x.size() - 1);
        switch (stretch.kind) {
            case Stretch::Kind::tanh: x[j] = 0.5 + 0.5 * std::tanh(d * (2.0 * t - 1.0)) / std::tanh(d); break;
            case Stretch::Kind::chebyshev: x[j] = 0.5 - 0.5 * std::cos(std::numbers::pi * t); break;
            case Stretch::Kind::geometric: x[j] = x[j - 1] + std::pow(d, static_cast<double>(j)); break;
            case Stretch::Kind::random:  // not std::uniform_real_distribution, which each library has its own of
                x[j] = x[j - 1] + 0.4 + 1.2 * (static_cast<double>(random() >> 11) * 0x1p-53);
                break;
        }
    }
    const double length = uniform.length(), last = x.back();
    for (double& each : x) each = uniform.origin + length * (each / last);
    return x;
}

}  // namespace poisson3d::app
