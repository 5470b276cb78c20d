// The matrices of a uniform axis made on the device, from tables of some n numbers instead of n² that would be made
// on the host and copied.
#pragma once

#include "matrix_elements.hpp"
#include "poisson3d/stream.hpp"
#include "wave_tables.hpp"

namespace poisson3d::fused {

/// What stands at a place of the matrix.
constexpr POISSON3D_HD double wave_element(const LineMatrix& matrix, const lines::WaveMatrix& waves, bool forward,
                                           Index place) {
    return element_at(matrix, place, [&](Index row, Index column) {
        return forward ? waves.forward(row, column) : waves.backward(row, column);
    });
}

/// Writes all elements. Asynchronous; throws Error{device} when refused.
void launch_wave_matrix(const LineMatrix& matrix, const lines::WaveMatrix& waves, bool forward, double* elements,
                        Stream stream);

}  // namespace poisson3d::fused
