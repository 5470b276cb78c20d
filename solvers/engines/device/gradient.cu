// Central differences: one kernel, threads along z, each with a few rows. The neighbours of a point are read by
// other threads of the same time, so that u comes from memory about once.
#include "device_gradient.hpp"
#include "line_grid.cuh"
#include "poisson3d/solver.hpp"

namespace poisson3d {

namespace device {

namespace {

constexpr int each = 4;  // rows of a thread

template <class T>
__global__ void __launch_bounds__(max_threads) gradient_kernel(const GradientTask<T> task, LineGrid grid) {
    const auto [k, first] = mine(grid);
    if (k >= task.rule[2].points) return;
    const Index rows = task.planes * task.rule[1].points;
#pragma unroll
    for (int r = 0; r < each; ++r) {
        const Index row = first + r * grid.across;
        if (row >= rows) return;
        const auto [plane, j] = cuda::divide(row, task.rule[1].points);
        const Index i = task.first + plane;
        if (task.out[0] != nullptr) task.line(0, i, j)[k] = task.template component<0>(i, j, k);
        if (task.out[1] != nullptr) task.line(1, i, j)[k] = task.template component<1>(i, j, k);
        if (task.out[2] != nullptr) task.line(2, i, j)[k] = task.template component<2>(i, j, k);
    }
}

}  // namespace
}  // namespace device

void require_device_gradient(Engine engine) {
    const std::string reason = engine_unavailable(engine);
    if (!reason.empty())
        throw Error(ErrorCode::device,
                    std::string("engine ") + name(engine) + " cannot be used: " + reason + "; use engine host");
}

template <class T>
void launch_gradient(const GradientTask<T>& task, Stream stream) {
    using namespace device;
    const LineGrid grid = line_grid(task.rule[2].points, task.planes * task.rule[1].points, each);
    gradient_kernel<T><<<grid.blocks(), grid.threads(), 0, queue(stream)>>>(task, grid);
    check(cudaGetLastError(), "launch of a gradient");
}

template void launch_gradient(const GradientTask<float>&, Stream);
template void launch_gradient(const GradientTask<double>&, Stream);

}  // namespace poisson3d
