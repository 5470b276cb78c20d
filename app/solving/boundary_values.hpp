// The boundary values of a field file in memory, in the precision of the solver and in that of the file.
#pragma once

#include <array>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/solver.hpp"

namespace poisson3d::app {

/// Reads /boundary_values once, in double, and keeps it: what data() and in_double() hand out points into this
/// object and lives as long. Faces that are zero everywhere count as faces without values.
template <class T>
class BoundaryValues {
public:
    /// Throws Error{data} naming file and face for values that do not fit the face, on a periodic axis, that
    /// disagree on an edge, or that T cannot hold; Error{unsupported} for values of a spectral problem.
    BoundaryValues(const FieldReader& reader, const Problem& problem);
    BoundaryValues(const BoundaryValues&) = delete;
    BoundaryValues& operator=(const BoundaryValues&) = delete;

    /// For the solver: in its precision, in host memory.
    [[nodiscard]] const BoundaryData<T>& data() const noexcept { return data_; }
    /// For the residual: as the file has them.
    [[nodiscard]] const BoundaryData<double>& in_double() const noexcept { return wide_; }

private:
    template <class Value>
    using PerFace = std::array<std::array<Value, 2>, 3>;

    PerFace<std::vector<double>> read_;
    PerFace<std::vector<T>> rounded_;  ///< unless T is double
    BoundaryData<double> wide_;
    BoundaryData<T> data_;
};

}  // namespace poisson3d::app
