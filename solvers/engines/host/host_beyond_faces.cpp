// What stands beyond the free faces of an eliminated axis, found from the last planes of u: its modes decay
// outwards,
//
//     u_out = r u_in     r = 1/(a + √(1 + a²))²,  a = √κ h/2     κ = 0: u_out = u_in − h times the current that
//     leaves
//
// so that a plane is transformed along the two other axes, multiplied and transformed back. On the planes of
// unknowns: beyond the box boundary data of walls is 0.
#include <algorithm>
#include <cmath>
#include <vector>

#include "beyond_faces.hpp"
#include "field_passes.hpp"

namespace poisson3d::host {

namespace {

template <class T>
class HostBeyondFaces final : public BeyondFaces<T> {
public:
    HostBeyondFaces(const Problem& problem, Index fields, int threads)
        : passes_(problem, Options{.threads = threads, .workspace = {}},
                  eliminated_axis(problem, Middle::automatic), whole_box(problem)),
          axis_(passes_.eliminated()) {
        const Grid& grid = problem.grid;
        free_ = {grid.axes[axis_].lower == Boundary::free, grid.axes[axis_].upper == Boundary::free};
        unknowns_ = passes_.layout().unknowns;
        unknowns_[axis_] = 1;
        stored_ = extents_of_face(grid.points(), axis_);
        for (int side = 0; side < 2; ++side)
            if (free_[side]) values_[side].resize(static_cast<std::size_t>(fields * size()), T(0));
        modes_.resize(static_cast<std::size_t>(unknowns_[0] * unknowns_[1] * unknowns_[2]));
        currents_.resize(static_cast<std::size_t>(fields));
    }

    void keep(Index field, int side, FieldView<const T> plane) override {
        if (free_[side]) copy(unknowns_of(plane), face(side, field));
        found_ = false;
    }
    void keep(Index field, T current) override { currents_[static_cast<std::size_t>(field)] = current; }

    BoundaryData<T> data(const BoundaryData<T>& walls, Index fields) override {
        BoundaryData<T> all = walls;
        for (int side = 0; side < 2; ++side) {
            if (!free_[side]) continue;
            for (Index field = 0; field < fields && !found_; ++field)
                find(side, face(side, field), currents_[static_cast<std::size_t>(field)]);
            all.faces[axis_][side] = {T(0), values_[side].data(), stored_[1], size()};
        }
        found_ = true;
        return all;
    }

private:
    [[nodiscard]] Index size() const { return stored_[0] * stored_[1]; }

    [[nodiscard]] FieldView<const T> unknowns_of(FieldView<const T> plane) const {
        for (const int a : across(axis_)) plane.data += passes_.layout().kinds[a].first * plane.strides[a];
        plane.extents = unknowns_;
        return plane;
    }
    /// The unknowns of a face's array, in the same shape.
    FieldView<T> face(int side, Index field) {
        const auto [row, column] = across(axis_);
        Strides strides{};
        strides[axis_] = size(), strides[row] = stored_[1], strides[column] = 1;
        const auto& kinds = passes_.layout().kinds;
        T* const first =
            values_[side].data() + field * size() + kinds[row].first * stored_[1] + kinds[column].first;
        return {first, unknowns_, strides};
    }
    static void copy(FieldView<const T> from, FieldView<T> to) {
        for (Index i = 0; i < from.extents[0]; ++i)
            for (Index j = 0; j < from.extents[1]; ++j)
                for (Index k = 0; k < from.extents[2]; ++k)
                    to.data[i * to.strides[0] + j * to.strides[1] + k * to.strides[2]] =
                        from.data[i * from.strides[0] + j * from.strides[1] + k * from.strides[2]];
    }

    /// In the place of the last plane before a face, what stands for the face.
    void find(int side, FieldView<T> plane, T current) {
        const auto [row, column] = across(axis_);
        const FieldView<T> modes(modes_.data(), unknowns_);
        copy(plane, modes);
        passes_.transform(modes, column, row, Direction::forward);
        passes_.transform(modes, row, column, Direction::forward);
        const lines::ChainView<T>& chain = passes_.middle().lines().chain;
        const lines::FreeEnd<T>& end = chain.beyond[side];
        const T* const along_row = passes_.eigenvalues_along(row);
        const T* const along_column = passes_.eigenvalues_along(column);
        const auto lambda = static_cast<T>(passes_.problem().helmholtz);
        const T normal = static_cast<T>(1.0 / passes_.round_trip());
        const bool cells = passes_.problem().grid.axes[axis_].centering == Centering::cell;
        for (Index i = 0; i < unknowns_[row]; ++i)
            for (Index j = 0; j < unknowns_[column]; ++j) {
                T& mode = modes_[static_cast<std::size_t>(i * unknowns_[column] + j)];
                const T a = end.half_step * std::sqrt(std::max(lambda - along_row[i] - along_column[j], T(0)));
                const T root = a + std::sqrt(T(1) + a * a);
                const T in = normal * mode;
                T out = in / (root * root);
                const lines::ConstantLine<T>* const constant = passes_.middle().lines().constant;
                if (i == 0 && j == 0 && constant != nullptr && constant->grows())
                    out -= (free_[0] && free_[1] ? T(0.5) : T(1)) * current * (2 * end.half_step / end.unit);
                mode = cells ? (in + out) / 2 : out;
            }
        passes_.transform(modes, row, column, Direction::backward);
        passes_.transform(modes, column, row, Direction::backward);
        copy(modes, plane);
    }

    FieldPasses<T> passes_;
    int axis_;
    std::array<bool, 2> free_{};
    Extents unknowns_{};
    std::array<Index, 2> stored_{};
    std::array<std::vector<T>, 2> values_;  ///< on the faces; before they are found u next to them
    std::vector<T> modes_;
    std::vector<T> currents_;  ///< that leave in the constant mode
    bool found_ = false;
};

}  // namespace

}  // namespace poisson3d::host

namespace poisson3d {

template <class T>
std::unique_ptr<BeyondFaces<T>> make_beyond_faces(const Problem& problem, Index fields, int threads) {
    return std::make_unique<host::HostBeyondFaces<T>>(problem, fields, threads);
}

template std::unique_ptr<BeyondFaces<float>> make_beyond_faces(const Problem&, Index, int);
template std::unique_ptr<BeyondFaces<double>> make_beyond_faces(const Problem&, Index, int);

}  // namespace poisson3d
