// An electrostatic particle-in-cell code on the GPU: everything stays there between steps.
//
//     n(x) = Σ_p W(x − x_p) / c    electrons, each a cloud of one cell, c of them to a cell: 1 on average
//     ∇²φ  = n − 1                 the 1 is the ions: the mean that a solve without walls removes by itself
//     dv/dt = ∇φ,   dx/dt = v      leapfrog; lengths in cells, times in 1/ω_p
//
// A cold plasma displaced along a wave swings with the plasma frequency (langmuir_wave.hpp). Ends with 0 if it
// does, to 0.1 %, and if its energy stays to 1 %; with 1 if not, 77 without a device.
#include <poisson3d/device.hpp>
#include <poisson3d/device_memory.hpp>
#include <poisson3d/gradient.hpp>
#include <poisson3d/struct_access.cuh>

#include <cstdio>
#include <vector>
#include "langmuir_wave.hpp"

using namespace poisson3d;

constexpr double dt = 0.1, amplitude = 0.05, two_pi = 6.283185307179586;  // in 1/ω_p, in cells
constexpr int steps = 600, threads = 256, per_cell = 8;
constexpr Index cells = 64 * 48 * 40, particles = cells * per_cell;  // whole blocks of both

__host__ __device__ constexpr int points(int axis) {
    return axis == 0 ? 64 : axis == 1 ? 48 : 40;
}
__device__ Index number() {
    return Index{blockIdx.x} * threads + threadIdx.x;
}
struct Particle {
    double x[3], v[3];
};

// At rest on a lattice of half cells, which makes no noise, and displaced along a wave: one period along each axis.
__global__ void load(Particle* all) {
    Particle p{};
    Index rest = number();
    double phase = 0.0;
    for (int a = 2; a >= 0; --a) {
        p.x[a] = 0.25 + 0.5 * static_cast<double>(rest % (2 * points(a)));
        rest /= 2 * points(a);
        phase += two_pi / points(a) * p.x[a];
    }
    for (int a = 0; a < 3; ++a) p.x[a] += amplitude / points(a) * points(2) * sin(phase);
    all[number()] = p;
}

// Calls visit(cell, weight) for the eight cells under the cloud at x.
template <class Visit>
__device__ void under_cloud(const double (&x)[3], Visit visit) {
    for (int corner = 0; corner < 8; ++corner) {
        Index cell = 0;
        double weight = 1.0;
        for (int a = 0; a < 3; ++a) {
            const double low = floor(x[a] - 0.5), above = x[a] - 0.5 - low;
            const int up = corner >> a & 1;
            cell = cell * points(a) + (static_cast<int>(low) + up + points(a)) % points(a);
            weight *= up ? above : 1.0 - above;
        }
        visit(cell, weight);
    }
}

__global__ void deposit(Particle* all, double* n) {
    const Particle p = StructSpan<Particle>{all, particles}[number()];  // a warp reads its particles together
    under_cloud(p.x, [=](Index cell, double weight) { atomicAdd(n + cell, weight / per_cell); });
}

__device__ void add_to(double* sum, double value) {
    for (int lane = 16; lane > 0; lane /= 2) value += __shfl_down_sync(~0U, value, lane);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, value / per_cell);
}

// phi: the potential, and behind it its gradient. energy[0]: potential, energy[steps]: kinetic.
__global__ void push(Particle* all, const double* phi, double* energy) {
    Particle p = StructSpan<Particle>{all, particles}[number()];
    double at_p[4] = {}, speed2 = 0.0;
    under_cloud(p.x, [&](Index cell, double weight) {
        for (int i = 0; i < 4; ++i) at_p[i] += weight * phi[i * cells + cell];
    });
    for (int a = 0; a < 3; ++a) {
        speed2 += pow(p.v[a] + dt / 2 * at_p[1 + a], 2);  // at the time of the positions
        p.v[a] += dt * at_p[1 + a];
        p.x[a] += dt * p.v[a];
        p.x[a] -= points(a) * floor(p.x[a] / points(a));
    }
    StructSpan<Particle>{all, particles}[number()] = p;
    add_to(energy, -at_p[0] / 2);
    add_to(energy + steps, speed2 / 2);
}

int main() {
    if (const std::string reason = missing_device(); !reason.empty()) return std::puts(reason.c_str()), 77;
    Problem problem;
    for (int a = 0; a < 3; ++a) problem.grid.axes[a].points = points(a);
    Solver<double> solver(problem);
    Gradient<double> gradient(problem);
    const DeviceBuffer electrons(particles * sizeof(Particle)), values((5 * cells + 2 * steps) * sizeof(double));
    Particle* const all = static_cast<Particle*>(electrons.data());
    double *const first = static_cast<double*>(values.data()), *const energy = first + 5 * cells;
    std::array<FieldView<double>, 5> field;  // n, φ, ∇φ
    for (int i = 0; i < 5; ++i) field[i] = {first + i * cells, problem.grid.points()};
    fill_on_device(first, 0, values.size());
    load<<<particles / threads, threads>>>(all);
    for (int step = 0; step < steps; ++step) {
        fill_on_device(field[0].data, 0, cells * sizeof(double));
        deposit<<<particles / threads, threads>>>(all, field[0].data);
        solver.solve(field[0], field[1]);
        gradient.evaluate(field[1], {field[2], field[3], field[4]});
        push<<<particles / threads, threads>>>(all, field[1].data, energy + step);
    }
    std::vector<double> history(2 * steps);
    copy_to_host(history.data(), energy, 2 * steps * sizeof(double));
    const Oscillation found = observe(history, dt);
    const double wanted = langmuir_frequency({two_pi / points(0), two_pi / points(1), two_pi / points(2)}, dt);
    std::printf("%s\nfrequency %.5f, wanted %.5f; charge of the ions %.6f; total energy kept to %.2g\n",
                solver.description().c_str(), found.frequency, wanted, solver.result().mean_removed, found.drift);
    return std::abs(found.frequency / wanted - 1) < 1e-3 && found.drift < 0.01 ? 0 : 1;
}
