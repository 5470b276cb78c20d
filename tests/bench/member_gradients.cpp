// Gradients of a cube by members on GPUs of this process, medians, beside the gradient by one of them:
// milliseconds, times one GPU's speed. All three components, by differences and through the modes.
//
//     member_gradients 0,1 512 [1024 …]
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "median.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/device_stream.hpp"
#include "poisson3d/distributed_gradient.hpp"
#include "poisson3d/error.hpp"

using namespace poisson3d;

namespace {

constexpr int repeats = 11;

/// u, of a number everywhere, and its gradient in the memory of a device, and its stream.
struct Slab {
    Slab(int number, const Extents& points) : device(number) {
        const DeviceScope scope(device);
        const auto bytes = static_cast<std::size_t>(points[0] * points[1] * points[2]) * sizeof(double);
        for (int i = 0; i < 4; ++i) fields.emplace_back(bytes);
        fill_on_device(fields[0].data(), 0x3f, bytes);
        synchronize();
        stream = std::make_unique<DeviceStream>();
        u = {static_cast<const double*>(fields[0].data()), points};
        for (std::size_t a = 0; a < 3; ++a) gradient[a] = {static_cast<double*>(fields[a + 1].data()), points};
    }
    int device;
    std::vector<DeviceBuffer> fields;
    std::unique_ptr<DeviceStream> stream;
    FieldView<const double> u;
    std::array<FieldView<double>, 3> gradient;
};

void measure(const std::vector<int>& list, Index n, Discretization discretization) {
    Problem problem;
    problem.discretization = discretization;
    for (Axis& axis : problem.grid.axes)
        axis = {n, 1.0 / static_cast<double>(n), 0.0, Centering::cell, Boundary::neumann, Boundary::neumann};
    const Extents points = problem.grid.points();
    const double one = [&] {
        const Slab whole(list[0], points);
        Options options;
        options.engine = Engine::fused;
        options.device = list[0];
        Gradient<double> gradient(problem, options);
        const DeviceScope scope(list[0]);
        return bench::median(repeats, 2, [&] {
            gradient.evaluate(whole.u, whole.gradient, {}, whole.stream->get());
            synchronize(whole.stream->get());
        });
    }();
    const Communicator all = devices(list);
    const Decomposition parts = Decomposition::slabs(points, all.size());
    std::vector<std::unique_ptr<Slab>> slabs;
    std::vector<FieldView<const double>> u;
    std::vector<std::array<FieldView<double>, 3>> gradients;
    std::vector<Stream> streams;
    for (int m = 0; m < all.size(); ++m) {
        slabs.push_back(std::make_unique<Slab>(list[static_cast<std::size_t>(m)], parts.box(m).points));
        u.push_back(slabs.back()->u), gradients.push_back(slabs.back()->gradient);
        streams.push_back(slabs.back()->stream->get());
    }
    DistributedGradient<double> gradient(problem, parts, all);
    const double many = bench::median(repeats, 2, [&] {
        gradient.evaluate(std::span(std::as_const(u)), std::span(std::as_const(gradients)), {}, streams);
        const DeviceScope scope(list[0]);
        synchronize(streams[0]);
    });
    std::printf("%td^3 double, %-12s one device %8.3f ms, %d members %8.3f ms, %5.2f times as fast, %.2f GB held\n",
                n, name(discretization), 1e3 * one, all.size(), 1e3 * many, one / many,
                1e-9 * static_cast<double>(gradient.workspace()));
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    if (const std::string why = missing_device(); !why.empty()) {
        std::printf("skipped: %s\n", why.c_str());
        return 77;
    }
    std::vector<int> list;
    for (char* at = count > 1 ? words[1] : nullptr; at != nullptr && *at != '\0'; at += *at == ',' ? 1 : 0)
        list.push_back(static_cast<int>(std::strtol(at, &at, 10)));
    try {
        for (int i = 2; i < count; ++i)
            for (const Discretization each : {Discretization::second_order, Discretization::spectral})
                measure(list, std::strtol(words[i], nullptr, 10), each);
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return count > 2 ? 0 : 2;
}
