// The fused passes executed on the host: every block by one thread.
#include <cmath>
#include <vector>

#include "launch.hpp"

namespace poisson3d::fused {

template <class T>
void launch_pass(Role role, const PassTask<T>& task, const BlockShape& shape, Index first, Index blocks, Stream) {
    std::vector<Complex<T>> lines(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    with_mode_size(role, task, [&]<int size>() {
        for (Index b = first; b < first + blocks; ++b) {
            const Place<T> place = place_of(task, b, chunks_of(task), lines.data(), 0, 1);
            const auto meet = [] {};
            switch (role) {
                case Role::first: run_block<Role::first, size>(task, place, meet); break;
                case Role::first_with_data: run_block<Role::first_with_data, size>(task, place, meet); break;
                case Role::forward: run_block<Role::forward, size>(task, place, meet); break;
                case Role::middle: run_block<Role::middle, size>(task, place, meet); break;
                case Role::backward: run_block<Role::backward, size>(task, place, meet); break;
                case Role::last: run_block<Role::last, size>(task, place, meet); break;
            }
        }
    });
}

template void launch_pass(Role, const PassTask<float>&, const BlockShape&, Index, Index, Stream);
template void launch_pass(Role, const PassTask<double>&, const BlockShape&, Index, Index, Stream);

}  // namespace poisson3d::fused
