// The modes of a uniform axis by tables: sines and cosines of whole multiples of 2π / period, so that every element
// of their matrices (line_modes.hpp) is one of few numbers, found by a product and a remainder:
//
//     v_k(j) / |v_k| = values[table of k][(turn_k + j step_k) mod period]
//
// Few modes have another norm than the one before, so that there are at most five tables.
#pragma once

#include <vector>

#include "host_device.hpp"
#include "poisson3d/grid.hpp"

namespace poisson3d::lines {

struct ModeWave {
    Index forward, backward;  ///< where the tables of its values begin: apart for the constant alone
    Index turn, step;         ///< below the period
};

/// What the elements of the matrices are made of, for host and device alike.
struct WaveMatrix {
    const double* values = nullptr;
    const double* weights = nullptr;  ///< w_j
    const ModeWave* modes = nullptr;
    Index period = 1;

    [[nodiscard]] constexpr POISSON3D_HD double forward(Index k, Index j) const {
        return weights[j] * values[modes[k].forward + turn(k, j)];
    }
    [[nodiscard]] constexpr POISSON3D_HD double backward(Index j, Index k) const {
        return values[modes[k].backward + turn(k, j)];
    }

private:
    [[nodiscard]] constexpr POISSON3D_HD Index turn(Index k, Index j) const {
        return (modes[k].turn + j * modes[k].step) % period;
    }
};

struct WaveTables {
    std::vector<double> values, weights;
    std::vector<ModeWave> modes;
    Index period = 1;
    std::vector<Index> slots;         ///< see LineModes
    std::vector<double> eigenvalues;  ///< see LineModes

    [[nodiscard]] WaveMatrix view() const { return {values.data(), weights.data(), modes.data(), period}; }
};

/// Of a second-order axis that has_fast_transform().
WaveTables make_wave_tables(const Axis& axis);

}  // namespace poisson3d::lines
