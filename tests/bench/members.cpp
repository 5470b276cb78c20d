// Solves of a cube by members on GPUs of this process, medians, beside the solve of one of them: milliseconds,
// times one GPU's speed.
//
//     members 0,1 512 [1024 …]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/error.hpp"

using namespace poisson3d;

namespace {

constexpr int repeats = 15;

/// Median seconds of body(), which returns when its work is done.
template <class Body>
double median(const Body& body) {
    std::vector<double> times;
    for (int i = 0; i < repeats + 2; ++i) {
        const auto start = std::chrono::steady_clock::now();
        body();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (i > 1) times.push_back(seconds);
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[repeats / 2];
}

/// f and u of a slab in the memory of a device, and its stream.
template <class T>
struct Slab {
    Slab(int number, const Extents& points) : device(number) {
        const DeviceScope scope(device);
        const auto bytes = static_cast<std::size_t>(points[0] * points[1] * points[2]) * sizeof(T);
        in = DeviceBuffer(bytes), out = DeviceBuffer(bytes);
        stream = std::make_unique<DeviceStream>();
        std::vector<T> numbers(bytes / sizeof(T));
        unsigned state = 1;
        for (T& each : numbers) {
            state = state * 1664525U + 1013904223U;
            each = static_cast<T>(state) / T(4294967296.0) - T(0.5);
        }
        copy_to_device(in.data(), numbers.data(), bytes);
        f = {static_cast<const T*>(in.data()), points};
        u = {static_cast<T*>(out.data()), points};
    }
    int device;
    DeviceBuffer in, out;
    std::unique_ptr<DeviceStream> stream;
    FieldView<const T> f;
    FieldView<T> u;
};

template <class T>
void measure(const std::vector<int>& list, Index n) {
    Problem problem;
    for (Axis& axis : problem.grid.axes)
        axis = {n, 1.0 / static_cast<double>(n), 0.0, Centering::cell, Boundary::dirichlet, Boundary::dirichlet};
    const Extents points = problem.grid.points();
    const char* const type = sizeof(T) == 8 ? "double" : "single";
    const double one = [&] {
        const Slab<T> whole(list[0], points);
        Options options;
        options.device = list[0];
        Solver<T> solver(problem, options);
        const DeviceScope scope(list[0]);
        return median([&] {
            solver.solve(whole.f, whole.u, T(1), whole.stream->get());
            synchronize(whole.stream->get());
        });
    }();
    std::printf("%td^3 %s: one device %.3f ms\n", n, type, 1e3 * one);
    const Communicator all = devices(list);
    const Decomposition parts = Decomposition::slabs(points, all.size());
    std::vector<std::unique_ptr<Slab<T>>> slabs;
    std::vector<FieldView<const T>> from;
    std::vector<FieldView<T>> to;
    std::vector<Stream> streams;
    for (int m = 0; m < all.size(); ++m) {
        slabs.push_back(std::make_unique<Slab<T>>(list[static_cast<std::size_t>(m)], parts.box(m).points));
        from.push_back(slabs.back()->f), to.push_back(slabs.back()->u);
        streams.push_back(slabs.back()->stream->get());
    }
    for (const Method method : {Method::eliminate, Method::transpose}) {
        DistributedSolver<T> solver(problem, parts, all, {.method = method});
        double launched = 1e300;
        const double seconds = median([&] {
            const auto start = std::chrono::steady_clock::now();
            solver.solve(std::span(from), std::span(to), T(1), streams);
            launched =
                std::min(launched, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
            const DeviceScope scope(list[0]);
            synchronize(streams[0]);
        });
        std::printf("  %-10s %8.3f ms  %5.2f times one device's speed, launched in %.3f ms\n    %s\n",
                    name(solver.method()), 1e3 * seconds, one / seconds, 1e3 * launched,
                    solver.description().c_str());
    }
}

}  // namespace

int main(int count, char** words) {
    if (const std::string reason = missing_device(); !reason.empty()) {
        std::printf("skipped: %s\n", reason.c_str());
        return 77;
    }
    try {
        if (count < 3) throw Error(ErrorCode::usage, "wanted devices and points, like 0,1 512");
        std::vector<int> list;
        for (char* at = words[1]; *at != '\0'; at += *at == ',' ? 1 : 0)
            list.push_back(static_cast<int>(std::strtol(at, &at, 10)));
        for (int i = 2; i < count; ++i) {
            measure<double>(list, std::atoi(words[i]));
            measure<float>(list, std::atoi(words[i]));
        }
    } catch (const Error& error) {
        std::fprintf(stderr, "members: %s\n", error.what());
        return 1;
    }
}
