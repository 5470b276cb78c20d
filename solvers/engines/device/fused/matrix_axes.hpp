// Axes that are not eliminated, since another one is, and have no fast transform, or a slow one: passes along them
// multiply lines with the matrix of their modes (line_modes.hpp, line_product.hpp).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "axis_tables.hpp"
#include "line_product.hpp"
#include "poisson3d/solver.hpp"
#include "wave_tables.hpp"
#include "workspace.hpp"

namespace poisson3d::fused {

template <class T>
class MatrixAxes {
public:
    /// Those whose method is LineMethod::matrix.
    MatrixAxes(const Problem& problem, const std::array<lines::LineMethod, 3>& methods);

    [[nodiscard]] bool has(int axis) const { return axes_[axis].has_value(); }
    [[nodiscard]] bool any() const { return has(0) || has(1) || has(2); }
    /// ", x as a matrix" for each.
    [[nodiscard]] std::string description() const;

    /// Reserves the bytes; then, with the workspace there, finds the modes and copies them to the device.
    /// Synchronises.
    void reserve(device::WorkspaceLayout& layout);
    void upload(std::byte* workspace);

    [[nodiscard]] const T* eigenvalues(int axis) const { return axes_[axis]->eigenvalues; }  ///< by mode

    /// The lines of `fields` fields along `axis` to their modes, or back. `out` may be `in`. Asynchronous.
    struct Fields {
        FieldView<const T> in;
        FieldView<T> out;
        Index count, in_next, out_next;  ///< elements from a field to the next
        T scale;                         ///< of results
    };
    void run(int axis, bool forward, const Fields& fields, Stream stream) const;

private:
    struct MatrixAxis {
        Axis axis;
        LineMatrix forward, backward;
        std::optional<int> like;                 ///< an axis before this one that has the same matrices
        std::optional<lines::WaveTables> waves;  ///< of uniform axes; elements are made from them on the device
        std::size_t eigenvalues_offset = 0, offset = 0, values_offset = 0, weights_offset = 0, modes_offset = 0;
        const T* eigenvalues = nullptr;
    };
    [[nodiscard]] Index slice_size(int axis) const;
    [[nodiscard]] Index slices_at_once(int axis) const;

    std::array<char, 3> labels_;
    Extents unknowns_{};
    std::array<std::optional<MatrixAxis>, 3> axes_;
    std::size_t work_offset_ = 0;
    T* work_ = nullptr;  ///< slices on their way back to where they were
};

}  // namespace poisson3d::fused
