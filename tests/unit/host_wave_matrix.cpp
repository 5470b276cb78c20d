// What launch_wave_matrix() does, by a loop.
#include "wave_matrix.hpp"

namespace poisson3d::fused {

void launch_wave_matrix(const LineMatrix& matrix, const lines::WaveMatrix& waves, bool forward, double* elements,
                        Stream) {
    for (Index place = 0; place < matrix.size(); ++place)
        elements[place] = wave_element(matrix, waves, forward, place);
}

}  // namespace poisson3d::fused
