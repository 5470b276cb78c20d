// Solves of a box by ranks of MPI with a GPU each, by every way between their devices that is there: least of
// several, the slowest rank's, from call to result. Beside them one GPU, and as many GPUs of one process.
//
//     mpirun -n 2 device_ranks [POINTS [REPEAT [double|single [WAYS [eliminate|transpose]]]]]
//
// WAYS: names with commas, of automatic, copies, stores, passes, passes:PER CENT:CHUNKS, nccl, mpi, staged. The
// time in which a solve is launched stands beside that of the whole.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "on_ranks.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/mpi.hpp"

using namespace poisson3d;

namespace {

/// Least seconds of some calls, from call to result and until it is launched.
struct Times {
    double whole = 1e300, launched = 1e300;
};

void tell(const std::string& what, const Times& times, double one) {
    if (rank_of_world() != 0) return;
    std::printf("%-150s %9.3f ms  %5.2f  launched in %.3f\n", what.c_str(), 1e3 * times.whole, one / times.whole,
                1e3 * times.launched);
    std::fflush(stdout);
}

/// Names in a text, between commas.
std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        all.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return all;
}

/// Of `repeat` calls, which result() waits for; both times are `agreed` on by those that call.
template <class Solve, class Wait, class Agreed>
Times least(int repeat, const Solve& solve, const Wait& result, const Agreed& agreed) {
    Times best;
    for (int i = 0; i < repeat + 2; ++i) {
        agreed(0.0);
        const auto start = std::chrono::steady_clock::now();
        const auto passed = [start] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        };
        solve();
        const double launched = passed();
        result();
        const double whole = agreed(passed());
        if (i < 2) continue;  // the first load kernels
        best.whole = std::min(best.whole, whole);
        best.launched = std::min(best.launched, launched);
    }
    return best;
}

double alone(double seconds) {
    return seconds;
}
/// All ranks begin a call together; that of the slowest.
double of_slowest(double seconds) {
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

/// A way, and what else passes that store are asked for.
struct Asked {
    Way way = Way::automatic;
    int chunks = 0;
    double stored = 1.0;
};

Asked asked(const std::string& text) {
    Asked one;
    const std::string word = text.substr(0, text.find(':'));
    for (const Way way : {Way::copies, Way::stores, Way::nccl, Way::staged, Way::passes, Way::mpi, Way::automatic})
        if (word == name(way)) one.way = way;
    if (word != name(one.way)) throw Error(ErrorCode::usage, "there is no way " + text);
    double percent = 100.0;
    if (word.size() < text.size() && std::sscanf(text.c_str() + word.size(), ":%lf:%d", &percent, &one.chunks) < 1)
        throw Error(ErrorCode::usage, "found " + text + ", wanted such as passes:60:2");
    one.stored = percent / 100.0;
    return one;
}

std::string what(const Asked& way) {
    std::string text = name(way.way);
    if (way.way == Way::passes) text += ", " + std::to_string(std::lround(100 * way.stored)) + " per cent";
    if (way.chunks > 0) text += ", " + std::to_string(way.chunks) + " chunks";
    return text + ": ";
}

/// A field of numbers in the memory of a device.
template <class T>
class OnDevice {
public:
    OnDevice(int device, const Extents& points) : points_(points) {
        const DeviceScope scope(device);
        const auto count = static_cast<std::size_t>(points[0] * points[1] * points[2]);
        std::vector<T> numbers(std::min(count, std::size_t{1} << 20));
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(i * 7919 % 1000) / T(1000);
        memory_ = DeviceBuffer(count * sizeof(T));
        auto* const first = static_cast<T*>(memory_.data());
        copy_to_device(first, numbers.data(), numbers.size() * sizeof(T));
        for (std::size_t there = numbers.size(); there < count; there = std::min(count, 2 * there))
            copy_on_device(first + there, first, std::min(there, count - there) * sizeof(T));
        synchronize();
    }
    [[nodiscard]] FieldView<T> view() const { return {static_cast<T*>(memory_.data()), points_}; }

private:
    Extents points_;
    DeviceBuffer memory_;
};

/// By members with these devices, all of this process; in place.
template <class T>
void of_one_process(const Problem& problem, const std::vector<int>& numbers, const std::vector<Asked>& ways,
                    const std::vector<Method>& methods, int repeat, double one) {
    const Decomposition parts = Decomposition::slabs(problem.grid.points(), static_cast<int>(numbers.size()));
    std::vector<std::unique_ptr<OnDevice<T>>> fields;
    std::vector<FieldView<T>> u;
    for (std::size_t m = 0; m < numbers.size(); ++m) {
        fields.push_back(std::make_unique<OnDevice<T>>(numbers[m], parts.box(static_cast<int>(m)).points));
        u.push_back(fields.back()->view());
    }
    const std::vector<FieldView<const T>> f(u.begin(), u.end());
    const Communicator all = devices(numbers);
    for (const Method method : methods)
        for (const Asked& way : ways) try {
                DistributedSolver<T> solver(
                    problem, parts, all,
                    {.method = method, .chunks = way.chunks, .way = way.way, .stored = way.stored});
                const Times times = least(
                    repeat, [&] { solver.solve(std::span(f), std::span(u)); },
                    [&] { static_cast<void>(solver.result()); }, alone);
                tell(what(way) + solver.description(), times, one);
            } catch (const Error& error) {
                if (error.code() != ErrorCode::unsupported) throw;
                std::printf("%s\n", error.what());
            }
}

template <class T>
Times of_one_device(const Problem& problem, int device, int repeat) {
    const OnDevice<T> field(device, problem.grid.points());
    Options options;
    options.engine = Engine::fused;
    options.device = device;
    Solver<T> solver(problem, options);
    return least(
        repeat, [&] { solver.solve(field.view(), field.view()); }, [&] { static_cast<void>(solver.result()); },
        alone);
}

template <class T>
void measure(Index n, const std::vector<Asked>& ways, const std::vector<Method>& methods, int repeat) {
    Problem problem;
    for (Axis& axis : problem.grid.axes)
        axis = {n, 1.0 / static_cast<double>(n), 0.0, Centering::cell, Boundary::dirichlet, Boundary::dirichlet};
    const int device = device_of_rank(MPI_COMM_WORLD);
    const DeviceScope scope(device);
    const Communicator all = mpi(MPI_COMM_WORLD, device);
    double one = 0.0;
    if (rank_of_world() == 0) {
        const Times times = of_one_device<T>(problem, device, repeat);
        one = times.whole;
        tell(std::to_string(n) + (sizeof(T) == 8 ? "^3 double" : "^3 single") + ", one GPU", times, one);
        std::vector<int> numbers(static_cast<std::size_t>(all.size()));
        std::iota(numbers.begin(), numbers.end(), 0);
        if (all.size() <= count_devices()) of_one_process<T>(problem, numbers, ways, methods, repeat, one);
    }
    wait_asleep();
    const Decomposition parts = Decomposition::slabs(problem.grid.points(), all.size());
    const OnDevice<T> mine(device, parts.box(rank_of_world()).points);
    const std::vector<FieldView<T>> u{mine.view()};
    const std::vector<FieldView<const T>> f(u.begin(), u.end());
    for (const Method method : methods)
        for (const Asked& way : ways) try {
                DistributedSolver<T> solver(
                    problem, parts, all,
                    {.method = method, .chunks = way.chunks, .way = way.way, .stored = way.stored});
                const Times times = least(
                    repeat, [&] { solver.solve(std::span(f), std::span(u)); },
                    [&] { static_cast<void>(solver.result()); }, of_slowest);
                tell(what(way) + solver.description(), times, one);
            } catch (const Error& error) {
                if (error.code() != ErrorCode::unsupported) throw;
                if (rank_of_world() == 0) std::printf("%s\n", error.what());
            }
}

}  // namespace

int main(int argc, char** argv) try {
    MPI_Init(&argc, &argv);
    int without = missing_device().empty() ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &without, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (without == 0) {
        const auto argument = [&](int i, const char* otherwise) { return argc > i ? argv[i] : otherwise; };
        const Index points = std::atoi(argument(1, "256"));
        const int repeat = std::atoi(argument(2, "9"));
        std::vector<Asked> ways;
        for (const std::string& way : words(argument(4, "automatic,copies,passes:60:2,nccl,mpi,staged")))
            ways.push_back(asked(way));
        std::vector<Method> methods;
        for (const Method method : {Method::eliminate, Method::transpose})
            if (argc <= 5 || std::string(argv[5]) == name(method)) methods.push_back(method);
        std::string(argument(3, "double")) == "single" ? measure<float>(points, ways, methods, repeat)
                                                       : measure<double>(points, ways, methods, repeat);
    }
    MPI_Finalize();
    return without == 0 ? 0 : 77;
} catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
}
