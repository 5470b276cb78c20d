// The face operator on a GPU (lines/face_tables.hpp), as products of matrices that are listed while planning. Faces
// of axis a lie along two others, d and e; F and B are the transforms of padded lines, of an axis that is not free
// those of its own modes. X_a is what is next to the faces of a, G_a their values:
//
//     1   lines_ae = X_a F_eᵀ
//     2   nodes_ae = B̂_e ∘ (to_face_d · lines_ae)
//         modes_a  = kernel_a ∘ (F_d · lines_ae)                  d = beside(a)
//     3   given_de = from_face_a · nodes_ae + B_a · modes_d       the second where a = beside(d)
//     4   G_a      = given_ae B_eᵀ + B_d given_adᵀ
//
// for each mix of what is even and what is odd about the middle of each axis (face_lines.hpp), which never meet:
// eight with three axes between two free faces. The products of each number are one launch.
//
// A single free axis has nothing beside it but axes that are not free, and a kernel in closed form for every pair
// of their modes (lines/closed_ends.hpp):
//
//     1   lines_ae = X_a F_eᵀ        2   modes_a = kernel_a ∘ (F_d · lines_ae)
//     3   lines_ae = B_d · modes_a   4   G_a     = lines_ae B_eᵀ
//
// Where a way through the passes has modes of two axes between them, X and G are in these modes (closed_lines.hpp),
// whose transforms are multiplied into F, B and the tables of times; and the values on the faces follow:
//
//     5, 6     values_a = R_d G_a R_eᵀ                            R of axes in modes
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "axis_kind.hpp"
#include "boundary_terms.hpp"
#include "closed_axis.hpp"
#include "closed_lines.hpp"
#include "face_lines.hpp"
#include "face_planes.hpp"
#include "face_products.hpp"
#include "face_tables.hpp"
#include "free_faces.hpp"
#include "poisson3d/threads.hpp"
#include "workspace.hpp"

namespace poisson3d::walled {

/// Pointers to the values of free faces, over all stored points of the two other axes, dense.
template <class T>
using FaceArrays = std::array<std::array<T*, 2>, 3>;

/// The planes next to free faces: element (i, j) of the two other axes, all stored points, at i · row + j · column.
template <class T>
struct PlaneViews {
    std::array<std::array<const T*, 2>, 3> data{};
    std::array<Index, 3> row{}, column{};
};
/// Those of a field.
template <class T>
PlaneViews<T> planes_of(const Grid& grid, const FieldView<const T>& u) {
    PlaneViews<T> views;
    for (int a = 0; a < 3; ++a) {
        const auto [d, e] = across(a);
        views.row[a] = u.strides[d], views.column[a] = u.strides[e];
        for (int side = 0; side < 2; ++side)
            if (is_free(grid.axes[a], side))
                views.data[a][side] = u.data + (side == 0 ? 0 : (u.extents[a] - 1) * u.strides[a]);
    }
    return views;
}
/// From a row of the values of a face to the next, by axis: dense ones.
inline std::array<Index, 3> dense_rows(const Grid& grid) {
    const Extents n = grid.points();
    return {n[2], n[2], n[1]};
}

inline std::array<lines::ClosedAxis, 3> closed_as_cells(const Grid& grid) {
    return {lines::close_axis(grid.axes[0], true), lines::close_axis(grid.axes[1], true),
            lines::close_axis(grid.axes[2], true)};
}

template <class T>
class FaceOperator {
public:
    /// `modes`: of axes that the box is in modes of, of none or two.
    FaceOperator(const Problem& problem, const std::array<lines::ClosedAxis, 3>& closed,
                 const std::array<AxisModes, 3>& modes = {});

    /// Elements of memory that it works in.
    [[nodiscard]] Index room() const { return arrays_.end; }
    /// Reserves the bytes of tables; then, with the workspace and the room there, copies them to the device.
    /// Synchronises.
    void reserve(device::WorkspaceLayout& layout);
    void upload(std::byte* workspace, T* room);

    /// values := what stands for the free faces, from u of the closed box. Asynchronous; allocates nothing.
    void run(FieldView<const T> u, const FaceArrays<T>& values, Stream stream) const {
        run(planes_of(problem_.grid, u), values, dense_rows(problem_.grid), stream);
    }
    /// The same from planes alone, to rows of values that lie anywhere.
    void run(const PlaneViews<T>& in, const FaceArrays<T>& values, const std::array<Index, 3>& rows,
             Stream stream) const;
    /// In modes: parts(a), what is next to the faces, become what stands for them; and the values from these.
    void run(Stream stream) const;
    void find_values(const FaceArrays<T>& values, Stream stream) const {
        find_values(values, dense_rows(problem_.grid), stream);
    }
    void find_values(const FaceArrays<T>& values, const std::array<Index, 3>& rows, Stream stream) const;
    /// Of the faces of an axis: element (part, i, j) along the other axes, in their order.
    [[nodiscard]] T* parts(int axis) const { return parts_there_ + parts_[axis]; }
    [[nodiscard]] const FoldedLine& line(int axis) const { return lines_[axis].line; }
    /// With the solution u: values of axes that are closed as cells and have nodes become those of nodes.
    void translate(FieldView<const T> u, const FaceArrays<T>& values, Stream stream) const;

    /// Whether the closed faces of an axis stand for the mean of the values on their two sides.
    [[nodiscard]] bool mean(int axis) const { return closed_[axis].mean; }
    /// Nodes whose faces stand, while the box is closed, for the mean of the values on their two sides.
    [[nodiscard]] bool translates(int axis) const {
        return closed_[axis].mean && problem_.grid.axes[axis].centering == Centering::node;
    }

private:
    static constexpr int steps = 6;
    static constexpr int steps_of_operator = 4;
    static constexpr std::size_t most_products = 8 * (6 * 4 + 3 * 3);  ///< mixes, pairs of axes and axes
    using Class = FaceLines::Class;
    /// By axis, even or odd; of an axis of one class the first.
    using Mix = std::array<int, 3>;
    template <class U>
    using OfClasses = std::array<U, 2>;
    /// Where tables begin, by axis and class.
    struct Terms {
        Index nodes = 0;
        std::array<OfClasses<Index>, 3> to_face{}, from_face{};  ///< nodes × unknowns, unknowns × nodes
        std::array<Index, 3> along{};                            ///< nodes × rows of the axis
        /// No nodes: of mode 0 of the axis that is not free, unknowns × unknowns.
        std::array<OfClasses<OfClasses<Index>>, 3> between{};
    };
    /// Elements of memory that the steps write, by axis of the faces and axis in modes.
    struct Arrays {
        std::array<Index, 3> modes{}, values{}, turned{};
        std::array<std::array<Index, 3>, 3> lines{}, given{}, nodes{};
        Index end = 0;
    };

    [[nodiscard]] bool free(int axis) const { return closed_[axis].faces > 0; }
    [[nodiscard]] bool in_modes(int axis) const { return modes_[axis].any(); }
    [[nodiscard]] bool any_in_modes() const { return in_modes(0) || in_modes(1) || in_modes(2); }
    [[nodiscard]] int classes(int axis) const { return lines_[axis].line.classes; }
    [[nodiscard]] Index unknowns(int axis) const { return lines_[axis].line.points; }
    [[nodiscard]] Index places(int axis) const { return lines_[axis].places; }
    [[nodiscard]] const Class& of(int axis, const Mix& mix) const { return lines_[axis].of[mix[axis]]; }
    /// The first free axis beside one, or the first one if that is alone.
    [[nodiscard]] int beside(int axis) const;
    [[nodiscard]] bool alone(int axis) const { return !free((axis + 1) % 3) && !free((axis + 2) % 3); }
    [[nodiscard]] long double round_trip(int axis) const;

    /// Puts a table behind those that are there; where it begins. `columns`: its rows begin at 16 bytes.
    template <class Numbers>
    Index put(const Numbers& numbers, Index columns = 0);
    /// Tables of a class whose columns, or rows, are points; in modes, if the axis is.
    [[nodiscard]] std::vector<double> from_points(int axis, int part, const std::vector<double>& table) const;
    [[nodiscard]] std::vector<double> to_points(int axis, int part, const std::vector<double>& table) const;
    void put_transforms(int axis);
    void put_terms(const lines::FaceTerms& terms);
    void put_between(const lines::FaceTerms& terms, int a, Terms& mine);
    void put_kernel(const lines::FaceTables& tables, int axis, int part);
    void put_kernel_alone(const lines::FaceTables& tables, int axis, int part);
    void place_arrays();

    [[nodiscard]] Matrix<const T> table(Index begin, Index columns) const {
        return {tables_there_ + begin, whole_row(columns), 1};
    }
    /// By which results are multiplied, `row` apart.
    [[nodiscard]] Matrix<const T> times(Index begin, Index row) const { return {tables_there_ + begin, row, 1}; }
    [[nodiscard]] Matrix<T> array(Index begin, Index row) const { return {arrays_there_ + begin, row, 1}; }
    /// Parts of the faces of axis a, `rows` along its rows.
    [[nodiscard]] Matrix<T> parts(int a, const Mix& mix, int rows) const {
        return of_faces(parts(a), a, mix, rows);
    }
    [[nodiscard]] Matrix<T> of_faces(T* data, int a, const Mix& mix, int rows) const;
    /// Of `lines` or `given`: along the third axis, in modes of e.
    [[nodiscard]] Matrix<T> lines(const std::array<std::array<Index, 3>, 3>& arrays, int a, int e,
                                  const Mix& mix) const;
    [[nodiscard]] Matrix<T> nodes(int a, int e, const Mix& mix) const;
    [[nodiscard]] Matrix<T> modes(int a, const Mix& mix) const;

    void add(int step, const Product<T>& product);
    void list_products();
    void list_products(const Mix& mix);
    void from_to(int a, int d, const Mix& mix);
    void list_alone(int a, const Mix& mix);
    void list_values(int a, const Mix& mix);
    /// Planes may be null where nothing is read next to the faces.
    [[nodiscard]] AllFacePlanes<T> planes(const PlaneViews<T>& in, const FaceArrays<T>& values,
                                          const std::array<Index, 3>& rows) const;

    Problem problem_;
    std::array<lines::ClosedAxis, 3> closed_;
    std::array<AxisModes, 3> modes_;
    std::array<FaceLines, 3> lines_;
    std::array<AxisKind, 3> kinds_;
    std::array<ClosedLines, 3> closed_lines_;  ///< of axes in modes, while planning
    std::unique_ptr<ThreadTeam> team_;         ///< while planning
    std::array<OfClasses<Index>, 3> forward_{}, backward_{};
    std::array<OfClasses<Index>, 3> results_{};  ///< of axes in modes: points × modes
    std::vector<Terms> terms_;
    std::array<OfClasses<Index>, 3> kernels_{};  ///< rows of d × rows of e, d = beside(axis)
    std::vector<T> tables_;                      ///< until they are on the device
    Arrays arrays_;
    std::array<Index, 3> parts_{};
    Index parts_size_ = 0;
    std::array<std::vector<Product<T>>, steps> listed_;  ///< the same, by step
    std::array<Products<T>, steps> products_;
    const T* tables_there_ = nullptr;
    T *arrays_there_ = nullptr, *parts_there_ = nullptr;
    std::size_t tables_offset_ = 0, products_offset_ = 0, parts_offset_ = 0;
};

}  // namespace poisson3d::walled
