// A time loop of many steps: solves, alone and in batches, in both precisions and mixed, in all memory modes, with
// walls, without, and spectral, and gradients, one after the other, on the host or on a device.
//
//     time_loop STEPS            on the host
//     time_loop STEPS --device   on a device, all fields there; ends with 77 if there is none
//
// Ends with 1 if after the first round the host's heap was asked for anything or grew, if the device's free memory
// changed (all processes share it: up to five times as many steps are taken, until it is the same before and after
// STEPS of them), or if the last results are not the bits of the first. What valgrind says of the same loop is the
// other witness (test_valgrind.sh).
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "count_allocations.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/gradient.hpp"
#include "poisson3d/mixed_solver.hpp"
#include "problems.hpp"

namespace poisson3d::test {
namespace {

/// Random values where the loop runs.
class LoopMemory {
public:
    template <class T>
    LoopMemory(const Field<T>& values, bool on_device)
        : bytes_(static_cast<std::size_t>(values.size()) * sizeof(T)) {
        if (on_device) device_ = DeviceBuffer(bytes_);
        host_ = HostBuffer(bytes_);
        std::copy_n(reinterpret_cast<const char*>(values.data()), bytes_, static_cast<char*>(host_.data()));
        if (on_device) copy_to_device(device_.data(), host_.data(), bytes_);
    }
    [[nodiscard]] void* data() { return device_.data() != nullptr ? device_.data() : host_.data(); }
    [[nodiscard]] std::string bits() {
        if (device_.data() != nullptr) copy_to_host(host_.data(), device_.data(), bytes_);
        return {static_cast<const char*>(host_.data()), bytes_};
    }

private:
    std::size_t bytes_;
    HostBuffer host_;
    DeviceBuffer device_;
};

class TimeLoop {
public:
    explicit TimeLoop(bool on_device)
        : on_device_(on_device), points_(on_device ? Extents{45, 49, 63} : Extents{5, 7, 9}) {
        const Problem walls = make_problem({cell_dn, node_nn, cell_p}, points_);
        const Problem spectral = make_problem({node_dd, cell_p, cell_nd}, points_, Discretization::spectral, 0.5);
        Problem closed = make_problem({cell_nn, cell_p, node_nn}, points_);
        closed.gauge.point = {1, 2, 3};
        std::vector<Engine> engines{Engine::host};
        if (on_device) engines = {Engine::fused, Engine::cufft};
        for (const Engine engine : engines)
            for (const Memory memory : {Memory::fast, Memory::standard, Memory::low}) {
                Options options;
                options.engine = engine;
                options.memory = memory;
                options.threads = 1 + static_cast<int>(memory == Memory::standard);
                for (const Problem& problem : {walls, closed, spectral}) {
                    add_solve<Solver<double>, double>(problem, options);
                    add_solve<Solver<float>, float>(problem, options);
                    if (problem.discretization != Discretization::spectral)
                        add_solve<MixedSolver, double>(problem, options);
                    add_gradient<double>(problem, options);
                    add_gradient<float>(problem, options);
                }
                options.batch = 3;
                add_batch<double>(walls, options);
                add_batch<float>(closed, options);
            }
    }

    [[nodiscard]] int round() const { return static_cast<int>(calls_.size()); }
    void step(int number) { calls_[static_cast<std::size_t>(number) % calls_.size()](); }

    /// All that was computed.
    [[nodiscard]] std::string bits() {
        std::string all;
        for (LoopMemory& memory : memory_) all += memory.bits();
        return all;
    }

private:
    /// Room for `fields` of them, one behind the other.
    template <class T>
    FieldView<T> field(Index fields = 1) {
        Extents all = points_;
        all[0] *= fields;
        memory_.emplace_back(random_field<T>(all, memory_.size()), on_device_);
        return {static_cast<T*>(memory_.back().data()), points_};
    }

    /// Values on the walls where there are any.
    template <class T>
    static BoundaryData<T> boundary(const Problem& problem) {
        BoundaryData<T> data;
        if (problem.grid.axes[1].periodic()) return data;
        data.faces[0][0].constant = T(1.5);
        data.faces[1][1].constant = T(-0.25);
        return data;
    }

    template <class AnySolver, class T>
    void add_solve(const Problem& problem, const Options& options) {
        const auto solver = std::make_shared<AnySolver>(problem, options);
        calls_.emplace_back([=, f = FieldView<const T>(field<T>()), u = field<T>(), data = boundary<T>(problem)] {
            solver->solve(f, u, data);
            (void)solver->result();
        });
    }

    template <class T>
    void add_batch(const Problem& problem, const Options& options) {
        const auto solver = std::make_shared<Solver<T>>(problem, options);
        const Index fields = options.batch;
        calls_.emplace_back([=, f = FieldBatch<const T>(field<T>(fields).data, points_, fields),
                             u = FieldBatch<T>(field<T>(fields).data, points_, fields),
                             data = boundary<T>(problem)] {
            solver->solve(f, u, data);
            (void)solver->result();
        });
    }

    template <class T>
    void add_gradient(const Problem& problem, const Options& options) {
        const auto gradient = std::make_shared<Gradient<T>>(problem, options);
        calls_.emplace_back([=, u = FieldView<const T>(field<T>()),
                             components = std::array{field<T>(), field<T>(), field<T>()},
                             data = boundary<T>(problem)] { gradient->evaluate(u, components, data); });
    }

    bool on_device_;
    Extents points_;
    std::deque<LoopMemory> memory_;
    std::vector<std::function<void()>> calls_;
};

std::size_t device_memory_left(bool on_device) {
    if (!on_device) return 0;
    synchronize();
    return free_device_memory();
}

/// Bytes of the heap that somebody holds.
long heap_in_use() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<long>(info.uordblks + info.hblkhd);
}

int run(int steps, bool on_device) {
    TimeLoop loop(on_device);
    const int round = loop.round();
    for (int step = 0; step < round; ++step) loop.step(step);
    const std::string bits = loop.bits();
    const std::size_t left = device_memory_left(on_device);
    const std::array before{new_calls.load(), malloc_calls.load(), heap_in_use()};
    for (int step = round; step < steps; ++step) loop.step(step);
    const std::array after{new_calls.load(), malloc_calls.load(), heap_in_use()};
    std::size_t then = device_memory_left(on_device), kept = left;
    for (int more = 0; more < 4 && then != kept; ++more) {  // others may use the device: a leak is in every loop
        kept = then;
        for (int step = round; step < steps; ++step) loop.step(step);
        then = device_memory_left(on_device);
    }
    const bool same_memory = then == kept;
    const bool same_bits = loop.bits() == bits;
    const long news = after[0] - before[0], mallocs = after[1] - before[1], grown = after[2] - before[2];
    std::printf(
        "%d steps on the %s in rounds of %d; after the first one %ld operator new, %ld malloc, heap grown by "
        "%ld bytes%s, %s bits\n",
        steps, on_device ? "device" : "host", round, news, mallocs, grown,
        same_memory ? "" : ", device memory gone", same_bits ? "the same" : "other");
    // The runtime of a device takes and returns host memory as it likes, and may keep a little.
    const bool heap_kept = on_device ? grown < 16384 : mallocs == 0 && grown == 0;
    return news == 0 && heap_kept && same_memory && same_bits ? 0 : 1;
}

}  // namespace
}  // namespace poisson3d::test

int main(int count, char** words) {
    const std::vector<std::string> arguments(words + 1, words + count);
    const bool on_device = arguments.size() == 2 && arguments[1] == "--device";
    const int steps = arguments.empty() ? 0 : std::atoi(arguments[0].c_str());
    if (steps < 1) {
        std::fprintf(stderr, "usage: time_loop STEPS [--device]\n");
        return 2;
    }
    if (const std::string reason = on_device ? poisson3d::missing_device() : ""; !reason.empty()) {
        std::printf("skipped: %s\n", reason.c_str());
        return 77;
    }
    try {
        return poisson3d::test::run(steps, on_device);
    } catch (const poisson3d::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
