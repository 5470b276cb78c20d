#include "wave_matrix.hpp"

#include "cuda/check.hpp"
#include "cuda/launch.hpp"

namespace poisson3d::fused {

namespace {

constexpr int block_threads = 256;

__global__ void __launch_bounds__(block_threads)
    wave_matrix_kernel(LineMatrix matrix, lines::WaveMatrix waves, bool forward, double* elements) {
    const Index place = static_cast<Index>(blockIdx.x) * block_threads + threadIdx.x;
    if (place < matrix.size()) elements[place] = wave_element(matrix, waves, forward, place);
}

}  // namespace

void launch_wave_matrix(const LineMatrix& matrix, const lines::WaveMatrix& waves, bool forward, double* elements,
                        Stream stream) {
    const unsigned blocks = cuda::blocks(cuda::divide_up(matrix.size(), block_threads));
    wave_matrix_kernel<<<blocks, block_threads, 0, cuda::queue(stream)>>>(matrix, waves, forward, elements);
    cuda::check(cudaGetLastError(), "matrix of the modes of an axis");
}

}  // namespace poisson3d::fused
