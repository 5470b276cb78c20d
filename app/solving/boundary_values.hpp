// The boundary values of a field file in memory, in the precision of the solver and in that of the file.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "poisson3d/boundary_data.hpp"
#include "poisson3d/error.hpp"
#include "poisson3d/field_file.hpp"
#include "poisson3d/free_space.hpp"
#include "poisson3d/solver.hpp"
#include "poisson3d/text.hpp"

namespace poisson3d::app {

inline std::string name_of_face(const FieldReader& reader, const std::string& face) {
    return reader.header().path + ", dataset /boundary_values/" + face;
}

inline void refuse_periodic(const FieldReader& reader, const Grid& grid, int axis, const std::string& face) {
    if (!grid.axes[axis].periodic()) return;
    throw Error(ErrorCode::data, name_of_face(reader, face) + ": found boundary values, but axis " +
                                     grid.labels[axis] +
                                     " is periodic and has no faces; wanted none there, or another boundary");
}

inline void refuse_free(const FieldReader& reader, const Grid& grid, int axis, int side, const std::string& face) {
    if (!is_free(grid.axes[axis], side)) return;
    throw Error(ErrorCode::data,
                name_of_face(reader, face) +
                    ": found boundary values, but the face is free and nothing stands there; wanted "
                    "none, or another boundary");
}

inline void refuse_spectral(const FieldReader& reader, const Problem& problem, const std::string& face) {
    if (problem.discretization != Discretization::spectral) return;
    throw Error(
        ErrorCode::unsupported,
        name_of_face(reader, face) +
            ": found boundary values other than 0, which --discretization spectral cannot take: what they add "
            "to the right-hand side is known for the difference stencil only; use second-order");
}

/// The values in single precision, each finite.
inline std::vector<float> rounded(const FieldReader& reader, const std::string& face, const FaceData& found) {
    std::vector<float> values(found.values.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
        values[at] = static_cast<float>(found.values[at]);
        if (std::isfinite(values[at])) continue;
        const std::size_t row = static_cast<std::size_t>(found.extents[1]);
        const std::string index =
            found.array ? " at index [" + std::to_string(at / row) + ", " + std::to_string(at % row) + "]" : "";
        throw Error(ErrorCode::data, name_of_face(reader, face) + ": found " + format_number(found.values[at]) +
                                         index +
                                         ", wanted values that single precision can hold: use --precision double");
    }
    return values;
}

template <class T>
FaceValues<T> view_of_face(const std::vector<T>& values, const FaceData& found) {
    if (found.array) return {T(0), values.data(), found.extents[1]};
    return {values[0], nullptr, 0};
}

/// Reads /boundary_values once, in double, and keeps it: what data() and in_double() hand out points into this
/// object and lives as long. Faces that are zero everywhere count as faces without values.
template <class T>
class BoundaryValues {
public:
    /// Throws Error{data} naming file and face for values that do not fit the face, on a periodic axis or a free
    /// face, that disagree on an edge, or that T cannot hold; Error{unsupported} for values of a spectral problem.
    BoundaryValues(const FieldReader& reader, const Problem& problem) {
        const auto& names = reader.header().boundary_values;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                const std::string face = face_name(problem.grid, axis, side);
                if (std::find(names.begin(), names.end(), face) == names.end()) continue;
                refuse_periodic(reader, problem.grid, axis, face);
                refuse_free(reader, problem.grid, axis, side, face);
                FaceData found = reader.boundary_values(face);
                if (std::all_of(found.values.begin(), found.values.end(), [](double g) { return g == 0.0; }))
                    continue;
                refuse_spectral(reader, problem, face);
                if constexpr (!std::is_same_v<T, double>) {
                    rounded_[axis][side] = rounded(reader, face, found);
                    data_.faces[axis][side] = view_of_face(rounded_[axis][side], found);
                }
                read_[axis][side] = std::move(found.values);
                wide_.faces[axis][side] = view_of_face(read_[axis][side], found);
            }
        if constexpr (std::is_same_v<T, double>) data_ = wide_;
        try {
            validate(problem.grid, wide_);
        } catch (const Error& error) {
            throw Error(error.code(), reader.header().path + ", group /boundary_values: " + error.what());
        }
    }
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
