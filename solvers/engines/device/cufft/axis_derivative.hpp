// The spectral derivative of a field in device memory along one axis: forward through the lines of the axis, modes
// of the derivative (gradient_modes.hpp), backward through those of its partner. The field goes through in slabs,
// so that work areas are bounded; a slab is dense in the order [slow][line][axis], slow being the axis it is cut
// from:
//
//     u, slab       transpose   → first      (lines along z are read where they lie)
//     first         forward     → first
//     first         modes       → second
//     second        backward    → second
//     second        transpose   → component  (lines along z go there at once)
//
// A free axis is padded (lines/padded_axis.hpp): rows of a slab have room for its modes.
//
// All slabs are of one thickness: the last one begins where it ends with the field, and some planes are done twice.
#pragma once

#include <optional>

#include "gradient_modes.hpp"
#include "line_batches.hpp"
#include "poisson3d/transpose.hpp"

namespace poisson3d::cufft {

/// Work areas that axes may share.
template <class T>
struct DerivativeAreas {
    T *first = nullptr, *second = nullptr;
    std::byte *lines = nullptr, *fft = nullptr;
};

template <class T>
class AxisDerivative {
public:
    /// Along axis `axis`, whose derivatives are not all 0. `room`: bytes for each area, if that is enough for the
    /// thinnest slab and one block of lines.
    AxisDerivative(const Grid& grid, int axis, std::size_t room);

    /// What its areas are at least.
    [[nodiscard]] std::size_t slab_bytes() const {
        return static_cast<std::size_t>(thickness_ * points_[line_] * row_) * sizeof(T);
    }
    [[nodiscard]] std::size_t lines_bytes() const;
    [[nodiscard]] std::size_t fft_bytes() const;

    /// Tables. bind() copies them to the device, synchronises, and plans the transposes of dense fields.
    void reserve(WorkspaceLayout& layout);
    void bind(std::byte* workspace, const DerivativeAreas<T>& areas);

    /// Writes all points of the component: 0 where the axis has nodes that are no unknowns of its partner.
    /// Asynchronous on `stream`.
    void run(FieldView<const T> u, FieldView<T> component, Stream stream);

private:
    /// Tables and FFTs of lines.
    struct Lines {
        Lines(const Axis& axis, const std::array<Index, 2>& across, const BatchRoom& room);
        DeviceAxis<T, Plain> axis;
        LineBatches<T> batches;
    };
    /// A transpose between a field of the caller's and a slab, planned for those strides of the field.
    struct Movement {
        Strides strides{};
        std::optional<Transpose> transpose;
    };
    /// Where lines begin, and how far they are apart.
    template <class U>
    struct Place {
        U* data;
        Index slow, line;
    };

    [[nodiscard]] const Lines& back() const { return back_ ? *back_ : there_; }
    [[nodiscard]] bool moves() const { return axis_ != 2; }
    [[nodiscard]] Place<T> in_slab(T* slab) const { return {slab, points_[line_] * row_, row_}; }
    const Transpose& into_slab(const Strides& strides);
    const Transpose& out_of_slab(const Strides& strides);
    void forward(const Place<const T>& from, Stream stream) const;
    void modes(Stream stream) const;
    void backward(const Place<T>& to, Stream stream) const;

    Extents points_;
    int axis_, slow_, line_;
    AxisKind kind_there_, kind_back_;  ///< of the stored points
    Index row_;                        ///< of a slab: points, or modes if there are more
    Index thickness_;
    Lines there_;
    std::optional<Lines> back_;  ///< none: the same
    DerivativeTable<T> table_;
    std::size_t source_offset_ = 0, factor_offset_ = 0;
    const std::int32_t* source_ = nullptr;  ///< of the table, on the device
    const T* factor_ = nullptr;
    DerivativeAreas<T> areas_;
    Movement in_, out_;
};

}  // namespace poisson3d::cufft
