// Variable coefficients by an engine: a smooth coefficient of contrast 1000 on a cube of cells between Dirichlet
// walls, iterations to 1e-8, the time of one, and those of a solve with a constant coefficient in double, which is
// what else a field of doubles takes, and in single precision.
//
//     variable ENGINE POINTS …
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "median.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/variable_solver.hpp"

using namespace poisson3d;

namespace {

/// Where the engine works.
template <class T>
class There {
public:
    There(const Field<T>& values, bool on_device) : host_(values.extents()), points_(values.extents()) {
        std::copy_n(values.data(), values.size(), host_.data());
        if (!on_device) return;
        const auto bytes = static_cast<std::size_t>(values.size()) * sizeof(T);
        device_ = DeviceBuffer(bytes);
        copy_to_device(device_.data(), values.data(), bytes);
    }
    [[nodiscard]] FieldView<T> view() {
        return device_.data() != nullptr ? FieldView<T>{static_cast<T*>(device_.data()), points_} : host_.view();
    }

private:
    Field<T> host_;
    Extents points_;
    DeviceBuffer device_;
};

void measure(Engine engine, Index n) {
    const bool on_device = engine != Engine::host;
    Problem problem;
    for (Axis& axis : problem.grid.axes) {
        axis = {n, 1.0 / static_cast<double>(n)};
        axis.lower = axis.upper = Boundary::dirichlet;
    }
    Field<double> f(problem.grid.points()), epsilon(problem.grid.points());
    Field<float> g(problem.grid.points());
    const auto wave = [n](Index j) {
        return std::sin(6.28 * (static_cast<double>(j) + 0.5) / static_cast<double>(n));
    };
    unsigned state = 1;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
            for (Index k = 0; k < n; ++k) {
                state = state * 1664525U + 1013904223U;
                f.view()(i, j, k) = state / 4294967296.0 - 0.5;
                g.view()(i, j, k) = static_cast<float>(f.view()(i, j, k));
                epsilon.view()(i, j, k) = std::exp(0.5 * std::log(1000.0) * wave(i) * wave(j) * wave(k));
            }
    Options options;
    options.engine = engine;
    VariableSolver<double> solver(problem, options);
    Solver<double> in_double(problem, options);
    Solver<float> in_single(problem, options);
    There<double> from(f, on_device), to(f, on_device), coefficient(epsilon, on_device);
    There<float> single(g, on_device);
    const double set =
        bench::median(5, 1, [&] { solver.set_coefficient(FieldView<const double>(coefficient.view())); });
    VariableResult result;
    const double whole = bench::median(5, 1, [&] { result = solver.solve(from.view(), to.view()); });
    const auto of_constant = [&](auto& constant, auto view) {
        return bench::median(5, 1, [&] {
            constant.solve(view, view);
            (void)constant.result();
            if (on_device) synchronize();
        });
    };
    const double solve = of_constant(in_double, to.view()), less = of_constant(in_single, single.view());
    const double each = whole / result.iterations;
    std::printf(
        "%td^3 %s: %d iterations, %.3f ms, each %.3f ms, %.2f double solves of %.3f ms, %.2f single ones of %.3f; "
        "coefficient set in %.3f ms\n",
        n, solver.description().c_str(), result.iterations, 1e3 * whole, 1e3 * each, each / solve, 1e3 * solve,
        each / less, 1e3 * less, 1e3 * set);
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) try {
    for (int i = 2; i < count; ++i)
        measure(std::string(words[1]) == "host" ? Engine::host : Engine::fused, std::strtol(words[i], nullptr, 10));
    return 0;
} catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.code() == ErrorCode::device || error.code() == ErrorCode::unsupported ? 77 : 1;
}
