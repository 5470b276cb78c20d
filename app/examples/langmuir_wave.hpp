// What pic_step.cu should find: a cold plasma swings with the plasma frequency ω_p, whatever the wave. On a grid,
// with clouds of one cell, forces from central differences and the 7-point Laplacian, that becomes
//
//     (ω/ω_p)² = Π sinc⁴(k_a/2) · Σ k_a sin k_a / Σ 4 sin²(k_a/2)         wave vector k in 1/cell
//
// (Birdsall & Langdon, "Plasma Physics via Computer Simulation", ch. 8), and steps of leapfrog make that 2 sin⁻¹(ω
// Δt/2) / Δt.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

/// ω/ω_p of a wave on the grid, with time steps dt in 1/ω_p.
inline double langmuir_frequency(const std::array<double, 3>& k, double dt) {
    double clouds = 1.0, force = 0.0, laplacian = 0.0;
    for (const double component : k) {
        const double chord = 2 * std::sin(component / 2);
        clouds *= std::pow(chord / component, 4);
        force += component * std::sin(component);
        laplacian += chord * chord;
    }
    return 2 / dt * std::asin(dt / 2 * std::sqrt(clouds * force / laplacian));
}

struct Oscillation {
    double frequency = 0.0;
    double drift = 0.0;  ///< the most that the total energy leaves its first value, relative
};

/// `energies`: those of the field at all time steps, then those of the motion. The former goes like cos²(ωt + α),
/// so it passes half its height every quarter of the period 2π/ω.
inline Oscillation observe(std::span<const double> energies, double dt) {
    const std::size_t steps = energies.size() / 2;
    const double total = energies[0] + energies[steps];
    const double half = *std::max_element(energies.begin(), energies.begin() + static_cast<long>(steps)) / 2;
    Oscillation result;
    double first = 0.0, last = 0.0;
    int quarters = -1;
    for (std::size_t i = 1; i < steps; ++i) {
        result.drift = std::max(result.drift, std::abs((energies[i] + energies[steps + i]) / total - 1));
        const double before = energies[i - 1] - half, after = energies[i] - half;
        if (before * after > 0 || before == after) continue;
        last = dt * (static_cast<double>(i - 1) + before / (before - after));
        if (++quarters == 0) first = last;
    }
    result.frequency = std::acos(0.0) * quarters / (last - first);
    return result;
}
