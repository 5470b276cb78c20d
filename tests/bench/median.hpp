// The median time of calls, by the host's clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace poisson3d::bench {

/// Median seconds of `repeats` calls of body(), which returns when its work is done. `before`: calls that are not
/// counted.
template <class Body>
double median(int repeats, int before, const Body& body) {
    std::vector<double> times;
    for (int i = -before; i < repeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        body();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (i >= 0) times.push_back(seconds);
    }
    const auto middle = times.begin() + (repeats - 1) / 2;
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

}  // namespace poisson3d::bench
