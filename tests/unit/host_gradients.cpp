// Gradients by devices whose memory is the host's: the kernel as a loop, copies of rows at once.
#include <cstring>

#include "device_gradient.hpp"
#include "host_gradient.hpp"
#include "poisson3d/pinned_memory.hpp"

namespace poisson3d {

template <class T>
void launch_gradient(const GradientTask<T>& task, Stream) {
    for (Index i = task.first; i < task.first + task.planes; ++i)
        for (Index j = 0; j < task.rule[1].points; ++j)
            for (Index k = 0; k < task.rule[2].points; ++k) {
                if (task.out[0] != nullptr) task.line(0, i, j)[k] = task.template component<0>(i, j, k);
                if (task.out[1] != nullptr) task.line(1, i, j)[k] = task.template component<1>(i, j, k);
                if (task.out[2] != nullptr) task.line(2, i, j)[k] = task.template component<2>(i, j, k);
            }
}

void start_copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t bytes,
                        std::size_t rows, Stream) {
    for (std::size_t r = 0; r < rows; ++r)
        std::memcpy(static_cast<std::byte*>(to) + r * to_pitch,
                    static_cast<const std::byte*>(from) + r * from_pitch, bytes);
}

/// Members on hosts are not what is tested here.
template <class T>
std::unique_ptr<HostGradient<T>> make_host_gradient(const Problem&, const Options&) {
    return nullptr;
}

template void launch_gradient(const GradientTask<float>&, Stream);
template void launch_gradient(const GradientTask<double>&, Stream);
template std::unique_ptr<HostGradient<float>> make_host_gradient(const Problem&, const Options&);
template std::unique_ptr<HostGradient<double>> make_host_gradient(const Problem&, const Options&);

}  // namespace poisson3d
