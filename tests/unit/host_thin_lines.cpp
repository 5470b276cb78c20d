// What launch_thin_lines() does, thread by thread.
#include <cmath>
#include <vector>

#include "thin_lines.hpp"

namespace poisson3d::fused {

template <class T>
void launch_thin_lines(bool forward, const ThinTask<T>& task, Stream) {
    const auto each = [](const auto& body) {
        for (int t = 0; t < thin_threads; ++t) body(t);
    };
    with_thin_size(task.n, [&]<int size>() {
        for (Index field = 0; field < task.fields; ++field)
            for (Index slow = 0; slow < task.slow; ++slow)
                for (Index chunk = 0; chunk * thin_threads < task.lines; ++chunk) {
                    std::vector<T> shared(static_cast<std::size_t>(thin_threads * thin_pitch(size)), T(NAN));
                    const ThinBlock block = thin_block(task, field, slow, chunk);
                    if (forward) {
                        each([&](int t) { load_thin<size>(task, block, t, shared.data()); });
                        each([&](int t) { thin_forward<size>(task, block, t, shared.data()); });
                    } else {
                        each([&](int t) { thin_backward<size>(task, block, t, shared.data()); });
                        each([&](int t) { store_thin<size>(task, block, t, shared.data()); });
                    }
                }
    });
}

template void launch_thin_lines(bool, const ThinTask<float>&, Stream);
template void launch_thin_lines(bool, const ThinTask<double>&, Stream);

}  // namespace poisson3d::fused
