#include "gradient_modes.hpp"

#include <cmath>

#include "spectrum.hpp"

namespace poisson3d {

template <class T>
DerivativeTable<T> derivative_table(const Axis& axis, const std::vector<Index>& there,
                                    const std::vector<Index>& back, double gain) {
    const AxisKind kind = axis_kind(axis);
    const std::vector<double> squares = eigenvalues(axis, Discretization::spectral);  // −κ²
    std::vector<std::int32_t> slot_of(there.size());
    for (std::size_t slot = 0; slot < there.size(); ++slot) slot_of[there[slot]] = static_cast<std::int32_t>(slot);
    DerivativeTable<T> table;
    for (const Index mode : back) {
        const DerivedMode from = derived_mode(kind.forward, kind.unknowns, mode);
        const double kappa = std::sqrt(-squares[from.mode]) / (static_cast<double>(kind.round_trip) * gain);
        table.source.push_back(slot_of[from.mode]);
        table.factor.push_back(static_cast<T>(from.sign * kappa));
    }
    return table;
}

template DerivativeTable<float> derivative_table(const Axis&, const std::vector<Index>&, const std::vector<Index>&,
                                                 double);
template DerivativeTable<double> derivative_table(const Axis&, const std::vector<Index>&, const std::vector<Index>&,
                                                  double);

}  // namespace poisson3d
