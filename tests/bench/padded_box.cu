// Free space by padded lines beside the usual way, a box zero-padded to twice its length along every axis: cuFFT's
// real transforms of (2n)³ points, with the same kernel multiplied from a table. Milliseconds, copies of the field
// measured in the same run, and memory beside f and u in fields. Both must have the same solution.
//
//     padded_box 256 512
#include <cuda_runtime_api.h>
#include <cufft.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/check.hpp"
#include "padded_symbol.hpp"
#include "poisson3d/device.hpp"
#include "poisson3d/device_memory.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::test {
namespace {

using cuda::check;

void check(cufftResult status, const char* what) {
    if (status != CUFFT_SUCCESS)
        throw std::runtime_error(std::string(what) + ": cuFFT status " + std::to_string(static_cast<int>(status)));
}

/// Milliseconds of the median of a few calls; the first is not counted.
template <class Call>
double median(const Call& call) {
    constexpr int repeats = 9;
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start), "event");
    check(cudaEventCreate(&stop), "event");
    std::vector<float> times;
    for (int i = 0; i <= repeats; ++i) {
        check(cudaEventRecord(start), "event");
        call();
        check(cudaEventRecord(stop), "event");
        check(cudaEventSynchronize(stop), "event");
        float time = 0;
        check(cudaEventElapsedTime(&time, start, stop), "event");
        if (i > 0) times.push_back(time);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[repeats / 2];
}

/// A thread an element of n × n × n, blocks of columns.
constexpr int threads = 256;
dim3 blocks_of(int columns, int rows, int planes) {
    return {static_cast<unsigned>((columns + threads - 1) / threads), static_cast<unsigned>(rows),
            static_cast<unsigned>(planes)};
}
__device__ int column() {
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

struct SymbolView {
    const double *late, *early, *eigenvalue;  ///< of one axis, as all are
    int terms;
    double zero;
};

/// −K / (2n)³ of the modes of a real transform, [2n][2n][n + 1].
__global__ void fill_table(double* table, SymbolView symbol, int n) {
    const int z = column(), y = static_cast<int>(blockIdx.y), x = static_cast<int>(blockIdx.z);
    if (z > n) return;
    const int k[3] = {min(x, 2 * n - x), min(y, 2 * n - y), z};
    double sum = 0, lost = 0, value = 0;
    for (const int i : k) sum += symbol.eigenvalue[i];
    for (const int i : k) lost += symbol.early[i] * (1 + lost);
    for (int q = 0; q < symbol.terms; ++q)
        value += symbol.late[(symbol.terms * (n + 1)) + k[0] * symbol.terms + q] *
                 symbol.late[k[1] * symbol.terms + q] * symbol.late[k[2] * symbol.terms + q];
    value = sum == 0 ? symbol.zero : value - lost / sum;
    table[(static_cast<Index>(x) * 2 * n + y) * (n + 1) + z] = -value / (8.0 * n * n * n);
}

/// f into the corner of a box of zeros, whose rows have room for n + 1 complex numbers.
__global__ void pad(const double* f, double* box, int n) {
    const int z = column(), y = static_cast<int>(blockIdx.y), x = static_cast<int>(blockIdx.z);
    if (z >= 2 * n) return;
    const bool inside = x < n && y < n && z < n;
    box[(static_cast<Index>(x) * 2 * n + y) * (2 * n + 2) + z] =
        inside ? f[(static_cast<Index>(x) * n + y) * n + z] : 0.0;
}
__global__ void multiply(double2* modes, const double* table, int n) {
    const int z = column(), y = static_cast<int>(blockIdx.y), x = static_cast<int>(blockIdx.z);
    if (z > n) return;
    const Index at = (static_cast<Index>(x) * 2 * n + y) * (n + 1) + z;
    modes[at].x *= table[at];
    modes[at].y *= table[at];
}
__global__ void crop(const double* box, double* u, int n) {
    const int z = column(), y = static_cast<int>(blockIdx.y), x = static_cast<int>(blockIdx.z);
    if (z < n)
        u[(static_cast<Index>(x) * n + y) * n + z] = box[(static_cast<Index>(x) * 2 * n + y) * (2 * n + 2) + z];
}

class PaddedBox {
public:
    explicit PaddedBox(const Problem& problem, int n)
        : n_(n),
          box_(8 * static_cast<std::size_t>(n) * n * (n + 1) * sizeof(double)),
          table_(4 * static_cast<std::size_t>(n) * n * (n + 1) * sizeof(double)) {
        const PaddedSymbol<double> tables = padded_symbol<double>(problem);
        std::vector<double> late = tables.late[1];  // weights are in those of axis 0
        late.insert(late.end(), tables.late[0].begin(), tables.late[0].end());
        const auto upload = [](const std::vector<double>& from) {
            DeviceBuffer there(from.size() * sizeof(double));
            copy_to_device(there.data(), from.data(), from.size() * sizeof(double));
            return there;
        };
        const DeviceBuffer on_device = upload(late), early = upload(tables.early[0]),
                           sigma = upload(tables.eigenvalue[0]);
        const auto view = [](const DeviceBuffer& buffer) { return static_cast<const double*>(buffer.data()); };
        fill_table<<<blocks_of(n + 1, 2 * n, 2 * n), threads>>>(
            table(), {view(on_device), view(early), view(sigma), static_cast<int>(tables.terms), tables.zero}, n);
        check(cudaGetLastError(), "table");
        check(cudaDeviceSynchronize(), "table");
        check(cufftPlan3d(&forward_, 2 * n, 2 * n, 2 * n, CUFFT_D2Z), "plan");
        check(cufftPlan3d(&backward_, 2 * n, 2 * n, 2 * n, CUFFT_Z2D), "plan");
    }
    ~PaddedBox() {
        cufftDestroy(forward_);
        cufftDestroy(backward_);
    }
    PaddedBox(const PaddedBox&) = delete;
    PaddedBox& operator=(const PaddedBox&) = delete;

    void solve(const double* f, double* u) const {
        const int n = n_;
        auto* const box = static_cast<double*>(const_cast<void*>(box_.data()));
        auto* const modes = reinterpret_cast<double2*>(box);
        pad<<<blocks_of(2 * n, 2 * n, 2 * n), threads>>>(f, box, n);
        check(cufftExecD2Z(forward_, box, modes), "forward");
        multiply<<<blocks_of(n + 1, 2 * n, 2 * n), threads>>>(modes, table(), n);
        check(cufftExecZ2D(backward_, modes, box), "backward");
        crop<<<blocks_of(n, n, n), threads>>>(box, u, n);
        check(cudaGetLastError(), "padded box");
    }
    [[nodiscard]] double bytes() const {
        std::size_t forward = 0, backward = 0;
        check(cufftGetSize(forward_, &forward), "size");
        check(cufftGetSize(backward_, &backward), "size");
        return static_cast<double>(box_.size() + table_.size() + std::max(forward, backward));
    }

private:
    [[nodiscard]] double* table() const { return static_cast<double*>(const_cast<void*>(table_.data())); }
    int n_;
    DeviceBuffer box_, table_;
    cufftHandle forward_{}, backward_{};
};

/// The largest difference of two fields over the largest number of the second.
double difference(const DeviceBuffer& a, const DeviceBuffer& b, std::size_t points) {
    std::vector<double> one(points), other(points);
    copy_to_host(one.data(), a.data(), points * sizeof(double));
    copy_to_host(other.data(), b.data(), points * sizeof(double));
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < points; ++i) {
        const double gap = std::abs(one[i] - other[i]);
        if (!(gap <= most)) most = std::isnan(gap) ? INFINITY : gap;
        largest = std::max(largest, std::abs(other[i]));
    }
    return most / largest;
}

/// Whether the solutions agree.
bool measure(int n) {
    Problem problem;
    for (Axis& axis : problem.grid.axes) axis = {n, 1.0 / n, 0.0, Centering::cell, Boundary::free, Boundary::free};
    problem.discretization = Discretization::spectral;
    const auto points = static_cast<std::size_t>(n) * n * n;
    const double field = static_cast<double>(points) * sizeof(double);
    std::vector<double> values(points);
    for (std::size_t i = 0; i < points; ++i)
        values[i] = static_cast<double>(i * 2654435761U % 65536) / 32768.0 - 1.0;
    DeviceBuffer f(points * sizeof(double)), u(points * sizeof(double)), expected(points * sizeof(double));
    copy_to_device(f.data(), values.data(), points * sizeof(double));
    auto* const from = static_cast<double*>(f.data());
    const double copy = median([&] {
        check(cudaMemcpyAsync(u.data(), f.data(), points * sizeof(double), cudaMemcpyDeviceToDevice), "copy");
    });
    std::printf("%d³ doubles, three free axes; a copy takes %.3f ms\n", n, copy);
    double naive = 0;
    {
        const PaddedBox box(problem, n);
        naive = median([&] { box.solve(from, static_cast<double*>(expected.data())); });
        std::printf("  padded box, cuFFT           %8.3f ms %7.2f copies   %5.2f fields\n", naive, naive / copy,
                    box.bytes() / field);
    }
    bool same = true;
    struct Way {
        const char* name;
        Engine engine;
        Memory memory;
    };
    for (const Way& way :
         {Way{"fused, fast", Engine::fused, Memory::fast}, Way{"fused, standard", Engine::fused, Memory::standard},
          Way{"automatic, standard", Engine::automatic, Memory::standard}}) {
        Options options;
        options.engine = way.engine;
        options.memory = way.memory;
        Solver<double> solver(problem, options);
        const Extents extents{n, n, n};
        const double ours = median([&] {
            solver.solve({static_cast<const double*>(from), extents}, {static_cast<double*>(u.data()), extents});
        });
        solver.result();
        const double gap = difference(u, expected, points);
        same = same && gap <= 1e-13;
        std::printf(
            "  padded lines, %-8s %8.3f ms %7.2f copies   %5.2f fields   %.3f of the box, difference %.1e\n",
            way.name, ours, ours / copy,
            static_cast<double>(Solver<double>::workspace_bytes(problem, options)) / field, ours / naive, gap);
        for (const PassReport& pass : solver.passes())
            std::printf("    %-20s %8.3f ms  %6.0f GB/s\n", pass.name.c_str(), 1e3 * pass.seconds,
                        1e-9 * pass.bytes / pass.seconds);
        std::fflush(stdout);
    }
    return same;
}

int run(int count, char** arguments) {
    if (const std::string reason = missing_device(); !reason.empty()) {
        std::printf("skipped: %s\n", reason.c_str());
        return 77;
    }
    bool same = true;
    for (int i = 1; i < count; ++i) same = measure(std::atoi(arguments[i])) && same;
    return same ? 0 : 1;
}

}  // namespace
}  // namespace poisson3d::test

int main(int count, char** arguments) {
    try {
        return poisson3d::test::run(count, arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "padded_box: %s\n", error.what());
        return 1;
    }
}
