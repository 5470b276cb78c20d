// Solves on a GPU with axes of any spacing, one of which is eliminated in the middle pass, beside the solve of a
// uniform box: milliseconds, and copies of the field measured in the same run. And the middle pass beside the usual
// way, as CaNS and others have it: Thomas' algorithm, a thread a mode, which keeps its multipliers in a second
// field.
//
//     eliminated_axis 512x512x512 511x512x512 …
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cuda/check.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::test {
namespace {

using cuda::check;

constexpr int repeats = 15;

class Timer {
public:
    Timer() {
        check(cudaEventCreate(&start_), "event");
        check(cudaEventCreate(&stop_), "event");
    }
    ~Timer() {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    /// Milliseconds of the median call; the first is not counted.
    template <class Call>
    double median(const Call& call) {
        std::vector<float> times;
        for (int i = 0; i <= repeats; ++i) {
            check(cudaEventRecord(start_), "event");
            call();
            check(cudaEventRecord(stop_), "event");
            check(cudaEventSynchronize(stop_), "event");
            float time = 0;
            check(cudaEventElapsedTime(&time, start_, stop_), "event");
            if (i > 0) times.push_back(time);
        }
        std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
        return times[repeats / 2];
    }

private:
    cudaEvent_t start_, stop_;
};

/// g_j (u_j − u_{j−1}) + g_{j+1} (u_j − u_{j+1}) + κ u_j = b_j along the slowest axis.
template <class T>
__global__ void thomas_kernel(T* u, T* multipliers, const T* links, int n, Index modes) {
    const Index mode = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (mode >= modes) return;
    const T kappa = T(1e-3) * static_cast<T>(mode + 1);
    T value = 0, multiplier = 0;
    for (int j = 0; j < n; ++j) {
        const T inverse = T(1) / (links[j] + links[j + 1] + kappa - links[j] * multiplier);
        value = (u[j * modes + mode] + links[j] * value) * inverse;
        multiplier = links[j + 1] * inverse;
        u[j * modes + mode] = value;
        multipliers[j * modes + mode] = multiplier;
    }
    for (int j = n - 2; j >= 0; --j) {
        value = u[j * modes + mode] + multipliers[j * modes + mode] * value;
        u[j * modes + mode] = value;
    }
}

std::vector<double> tanh_widths(Index n) {
    std::vector<double> widths;
    const auto face = [n](Index j) { return std::tanh(2.0 * (2.0 * static_cast<double>(j) / n - 1.0)); };
    for (Index j = 0; j < n; ++j) widths.push_back(face(j + 1) - face(j));
    return widths;
}

template <class T>
void measure(const Extents& points) {
    Timer timer;
    const Index size = points[0] * points[1] * points[2];
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T);
    const DeviceBuffer in(bytes), out(bytes);
    std::vector<T> numbers(static_cast<std::size_t>(size));
    unsigned state = 1;
    for (T& each : numbers) {
        state = state * 1664525U + 1013904223U;
        each = static_cast<T>(state) / T(4294967296.0) - T(0.5);
    }
    copy_to_device(in.data(), numbers.data(), bytes);
    synchronize();
    const double copy = timer.median(
        [&] { check(cudaMemcpyAsync(out.data(), in.data(), bytes, cudaMemcpyDeviceToDevice), "copy"); });
    std::printf("%td x %td x %td, %s: a copy takes %.4f ms\n", points[0], points[1], points[2],
                sizeof(T) == 8 ? "double" : "single", copy);

    const FieldView<const T> f(static_cast<const T*>(in.data()), points);
    const FieldView<T> u(static_cast<T*>(out.data()), points);
    double middle_x = 0;
    const auto row = [&](const char* what, const Problem& problem, Options options) {
        options.engine = Engine::fused;
        Solver<T> solver(problem, options);
        const double time = timer.median([&] { solver.solve(f, u); });
        solver.solve(f, u);
        static_cast<void>(solver.result());
        std::printf("  %-28s %8.3f ms %6.2f copies   passes:", what, time, time / copy);
        for (const PassReport& pass : solver.passes()) std::printf(" %.2f", 1e3 * pass.seconds / copy);
        std::printf("   %s\n", name(solver.memory()));
        if (std::string(what) == "x stretched") middle_x = 1e3 * solver.passes()[2].seconds;
    };
    Problem problem;
    for (int a = 0; a < 3; ++a) problem.grid.axes[a].points = points[a];
    Options options;
    options.middle = Middle::transform;
    row("uniform, transformed", problem, options);
    options.middle = Middle::eliminate;
    row("uniform, one eliminated", problem, options);
    options.middle = Middle::automatic;
    for (int a = 0; a < 3; ++a) {
        Problem stretched = problem;
        stretched.grid.axes[a].widths = tanh_widths(points[a]);
        row((std::string(1, "xyz"[a]) + " stretched").c_str(), stretched, options);
        for (const Memory memory : {Memory::standard, Memory::low}) {
            Options lean = options;
            lean.memory = memory;
            if (a == 0) row(("x stretched, " + std::string(name(memory))).c_str(), stretched, lean);
        }
    }
    Problem duct = problem;
    for (int a = 0; a < 3; ++a) {
        duct.grid.axes[a].widths = tanh_widths(points[a]);
        if (a > 0) row(a == 1 ? "x and y stretched" : "all stretched", duct, options);
    }
    Problem channel = problem;
    for (int a = 0; a < 3; ++a) {
        Axis& axis = channel.grid.axes[a];
        axis.lower = axis.upper = a == 2 ? Boundary::neumann : Boundary::periodic;
    }
    channel.grid.axes[2].widths = tanh_widths(points[2]);
    row("z stretched, singular", channel, options);
    channel.grid.axes[2].widths.clear();
    row("the same, uniform", channel, options);

    const DeviceBuffer multipliers(bytes), links(sizeof(T) * static_cast<std::size_t>(points[0] + 1));
    const std::vector<T> ones(static_cast<std::size_t>(points[0] + 1), T(1));
    copy_to_device(links.data(), ones.data(), sizeof(T) * ones.size());
    synchronize();
    const Index modes = points[1] * points[2];
    const double thomas = timer.median([&] {
        thomas_kernel<<<static_cast<unsigned>((modes + 127) / 128), 128>>>(
            u.data, static_cast<T*>(multipliers.data()), static_cast<const T*>(links.data()),
            static_cast<int>(points[0]), modes);
        check(cudaGetLastError(), "launch");
    });
    std::printf(
        "  middle pass along x: %.3f ms, by Thomas with stored multipliers %.3f ms (%.2f copies): ratio %.2f\n",
        middle_x, thomas, thomas / copy, middle_x / thomas);
}

Extents parse(const char* word) {
    Extents points{};
    char* end = nullptr;
    for (int a = 0; a < 3; ++a) {
        points[a] = std::strtol(word, &end, 10);
        word = end + (a < 2 && *end == 'x' ? 1 : 0);
    }
    if (*end != '\0' || std::min({points[0], points[1], points[2]}) < 1)
        throw Error(ErrorCode::usage, "wanted sizes like 512x511x512");
    return points;
}

}  // namespace
}  // namespace poisson3d::test

int main(int count, char** words) {
    using namespace poisson3d;
    if (const std::string reason = missing_device(); !reason.empty()) {
        std::printf("skipped: %s\n", reason.c_str());
        return 77;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a row when it is known, to a file as well
    try {
        for (int i = 1; i < count; ++i) {
            test::measure<double>(test::parse(words[i]));
            test::measure<float>(test::parse(words[i]));
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "eliminated_axis: %s\n", error.what());
        return 1;
    }
}
