// The face operator on a GPU (lines/face_tables.hpp), as products of matrices. Faces of axis a lie along two
// others, d and e; F and B are the transforms of zero-padded lines, of an axis that is not free those of its own
// modes.
//
//     a → d    X F_eᵀ   to_face_d ·   times B̂_e   from_face_a ·   B_eᵀ        n_d × m_e, nodes × m_e, n_a × m_e
//     a → a    F_d X F_eᵀ   times the kernel   B_d · B_eᵀ                     m_d × m_e
//
// for each part of a (sums and differences of its two faces), and each part of d.
#pragma once

#include <array>
#include <vector>

#include "axis_kind.hpp"
#include "boundary_terms.hpp"
#include "closed_axis.hpp"
#include "face_products.hpp"
#include "face_tables.hpp"
#include "workspace.hpp"

namespace poisson3d::walled {

/// Pointers to the values of free faces, over all stored points of the two other axes, dense.
template <class T>
using FaceArrays = std::array<std::array<T*, 2>, 3>;

template <class T>
class FaceOperator {
public:
    /// Closed axes have as many points as free ones.
    FaceOperator(const Problem& problem, const std::array<lines::ClosedAxis, 3>& closed);

    /// Reserves the bytes; then, with the workspace there, makes the tables and copies them to the device.
    /// Synchronises.
    void reserve(device::WorkspaceLayout& layout);
    void upload(std::byte* workspace);

    /// values := what stands for the free faces, from u of the closed box. Asynchronous; allocates nothing.
    void run(FieldView<const T> u, const FaceArrays<T>& values, Stream stream) const;

private:
    struct Terms {
        Index nodes = 0;
        std::array<std::array<Index, 2>, 3> to_face{}, from_face{};  ///< nodes × unknowns, unknowns × nodes
        std::array<Index, 3> along{};                                ///< nodes × modes
        /// No nodes: of mode 0 of the axis that is not free, unknowns × unknowns.
        std::array<std::array<std::array<Index, 2>, 2>, 3> between{};
    };
    [[nodiscard]] bool free(int axis) const { return faces_[axis].free; }
    [[nodiscard]] int parts(int axis) const { return closed_[axis].faces; }
    [[nodiscard]] Index unknowns(int axis) const { return faces_[axis].count; }
    /// The first free axis beside one.
    [[nodiscard]] int beside(int axis) const;

    /// Puts a table behind those that are there; where it begins.
    Index put(const std::vector<T>& table);
    void put_transforms(int axis);
    void put_terms(const lines::FaceTerms& terms);
    Index place_arrays(T* begin);
    void put_kernel(const lines::FaceTables& tables, int axis, int part);

    /// A part of the faces of an axis, rows along `rows`.
    [[nodiscard]] Matrix<T> face(T* data, int axis, int rows) const;
    void take_parts(FieldView<const T> u, Stream stream) const;
    void from_to(int a, int d, Stream stream) const;
    void on_itself(int a, int d, int part, Stream stream) const;
    void multiply(Matrix<const T> left, Matrix<const T> right, Matrix<T> out, Index rows, Index inner,
                  Index columns, bool add, Stream stream) const;
    [[nodiscard]] const T* table(Index begin) const { return tables_there_ + begin; }

    Problem problem_;
    std::array<lines::ClosedAxis, 3> closed_;
    std::array<lines::FaceAxis, 3> faces_;
    std::array<AxisKind, 3> kinds_;
    std::array<Index, 3> modes_{};
    std::array<std::vector<Index>, 3> frequency_;  ///< by mode
    // Where tables begin.
    std::array<Index, 3> forward_{}, backward_{};  ///< modes × unknowns, unknowns × modes
    std::vector<Terms> terms_;
    std::array<std::array<Index, 2>, 3> kernels_{};  ///< modes of d × modes of e, d = beside(axis)
    std::vector<T> tables_;                          ///< until they are on the device
    const T* tables_there_ = nullptr;
    std::size_t tables_offset_ = 0, arrays_offset_ = 0;
    std::array<std::array<T*, 2>, 3> part_{}, value_{};
    T *lines_ = nullptr, *face_modes_ = nullptr, *at_nodes_ = nullptr;
    std::array<T*, 2> given_{};
};

}  // namespace poisson3d::walled
