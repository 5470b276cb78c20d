// Long FFTs of engine fused executed on the host: every block by one thread.
#include <cmath>
#include <vector>

#include "long_fft_block.hpp"

namespace poisson3d::fused {

using lines::NoWait;

template <class T>
void launch_long_fft(const LongFftSide<T>& side, const BlockShape& shape, bool columns, Index ffts,
                     const Complex<T>* in, Complex<T>* out, Stream) {
    std::vector<Complex<T>> shared(shape.bytes / sizeof(Complex<T>), Complex<T>{T(NAN), T(NAN)});
    for (Index fft = 0; fft < ffts; ++fft) {
        const Index begin = fft * side.length * side.other;
        for (int first = 0; first < side.other; first += 1 << side.shift) {
            if (columns)
                long_fft_block<true>(side, first, in + begin, out + begin, shared.data(), NoWait{});
            else
                long_fft_block<false>(side, first, in + begin, out + begin, shared.data(), NoWait{});
        }
    }
}
template void launch_long_fft(const LongFftSide<float>&, const BlockShape&, bool, Index, const Complex<float>*,
                              Complex<float>*, Stream);
template void launch_long_fft(const LongFftSide<double>&, const BlockShape&, bool, Index, const Complex<double>*,
                              Complex<double>*, Stream);

}  // namespace poisson3d::fused
