// Particles as structures of seven floats, moved by one time step: each thread computes on a whole particle, and
// the warp reads and writes them at nearly the speed of a copy. Ends with 0 if all is right, 1 if not, 77 without a
// device.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "poisson3d/struct_access.cuh"

struct Particle {
    float x, y, z;
    float vx, vy, vz;
    float mass;
};

// All threads of a warp reach the span's brackets: a thread behind the end names no particle, but does not return.
__global__ void advance(Particle* particles, std::int64_t count, float dt) {
    const poisson3d::StructSpan<Particle> all{particles, count};
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    Particle p = all[i];
    p.x += dt * p.vx;
    p.y += dt * p.vy;
    p.z += dt * p.vz;
    all[i] = p;
}

bool failed(cudaError_t status, const char* what) {
    if (status != cudaSuccess) std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    return status != cudaSuccess;
}

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::printf("skipped: no CUDA device\n");
        return 77;
    }
    constexpr std::int64_t count = 100'003;
    std::vector<Particle> particles(count);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto v = static_cast<float>(i);
        particles[i] = {v, v + 1, v + 2, 2, 4, 8, v / 2};
    }
    Particle* on_device = nullptr;
    if (failed(cudaMalloc(&on_device, count * sizeof(Particle)), "cudaMalloc") ||
        failed(cudaMemcpy(on_device, particles.data(), count * sizeof(Particle), cudaMemcpyHostToDevice), "copy"))
        return 1;
    constexpr int threads = 256;
    advance<<<(count + threads - 1) / threads, threads>>>(on_device, count, 0.5F);
    if (failed(cudaGetLastError(), "launch") ||
        failed(cudaMemcpy(particles.data(), on_device, count * sizeof(Particle), cudaMemcpyDeviceToHost), "copy"))
        return 1;
    if (failed(cudaFree(on_device), "cudaFree")) return 1;

    // Whole numbers and halves: exact.
    for (std::int64_t i = 0; i < count; ++i) {
        const Particle& p = particles[i];
        const auto v = static_cast<float>(i);
        if (p.x != v + 1 || p.y != v + 3 || p.z != v + 6 || p.vx != 2 || p.vy != 4 || p.vz != 8 ||
            p.mass != v / 2) {
            std::fprintf(stderr, "particle %lld is at (%g, %g, %g)\n", static_cast<long long>(i),
                         static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z));
            return 1;
        }
    }
    std::printf("%lld particles moved\n", static_cast<long long>(count));
    return 0;
}
