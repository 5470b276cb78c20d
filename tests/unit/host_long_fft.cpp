// Long FFTs of engine fused executed on the host: every block by one thread.
#include <cmath>
#include <vector>

#include "long_fft_block.hpp"

namespace poisson3d::fused {

using lines::NoWait;

template <class T>
void launch_long_fft(const LongFftSide<T>& side, const BlockShape& shape, bool columns, const LongFftData<T>& data,
                     Stream) {
    std::vector<Complex<T>> shared(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    for (Index fft = 0; fft < data.ffts; ++fft)
        for (int first = 0; first < side.other; first += 1 << side.shift) {
            if (columns)
                long_fft_block<true>(side, data, fft, first, shared.data(), NoWait{});
            else
                long_fft_block<false>(side, data, fft, first, shared.data(), NoWait{});
        }
}
template void launch_long_fft(const LongFftSide<float>&, const BlockShape&, bool, const LongFftData<float>&,
                              Stream);
template void launch_long_fft(const LongFftSide<double>&, const BlockShape&, bool, const LongFftData<double>&,
                              Stream);

}  // namespace poisson3d::fused
