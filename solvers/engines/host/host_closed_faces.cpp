// The face operator alone (closed_faces.hpp): planes of u come in parts, sums and differences of two faces, and in
// modes of an axis that is not free, go through face_operator.hpp and back.
#include <algorithm>
#include <optional>

#include "closed_faces.hpp"
#include "closed_line_ends.hpp"
#include "face_operator.hpp"

namespace poisson3d::host {

namespace {

template <class T>
class HostClosedFaces final : public ClosedPlanes<T> {
public:
    HostClosedFaces(const Problem& problem, Index fields, int threads)
        : ClosedPlanes<T>(problem, fields),
          walled_(make_walled_layout<T>(problem, Options{.threads = threads, .workspace = {}})),
          team_(walled_.layout.threads, walled_.layout.scratch, walled_.layout.bytes, {}),
          bound_(plan_bound(problem)),
          operator_(problem, walled_, team_, bound_.get()) {
        for (int a = 0; a < 3; ++a)
            for (int part = 0; part < sides(a); ++part) {
                left_[a][part] = face_at(a, walled_.left[a][part]);
                values_[a][part] = face_at(a, walled_.values[a][part]);
            }
    }

    [[nodiscard]] bool mean(int axis) const override { return walled_.closed[axis].mean; }
    [[nodiscard]] std::size_t bytes() const override { return ClosedPlanes<T>::bytes() + walled_.layout.bytes; }

protected:
    void find(const T* planes, T* values, int share, int shares) override {
        for (int a = 0; a < 3; ++a)
            for (int part = 0; part < sides(a); ++part) take(planes, a, part);
        operator_.run(left_, values_, {share, shares});
        std::fill(values, values + faces_.size, T(0));  // points on Dirichlet nodes
        faces_.for_each([&](int a, int side) { give(values, a, side); });
    }

private:
    std::unique_ptr<PlannedAxis<T>> plan_bound(const Problem& problem) {
        for (int a = 0; a < 3; ++a)
            if (sides(a) == 0)
                return std::make_unique<PlannedAxis<T>>(problem.grid.axes[a], problem.discretization, team_.team());
        return nullptr;
    }
    FaceArray<T> face_at(int axis, std::size_t offset) {
        const auto [rows, columns] = walled_.axes_of_face(axis);
        return {reinterpret_cast<T*>(team_.memory() + offset), rows, columns, walled_.pitches[axis]};
    }
    [[nodiscard]] int sides(int axis) const { return walled_.closed[axis].faces; }
    /// Of the first unknown of a face.
    [[nodiscard]] Index first(int a, int side) const {
        const auto [d, e] = across(a);
        return faces_.first[a][side] + walled_.layout.kinds[d].first * faces_.row[a] +
               walled_.layout.kinds[e].first;
    }
    /// Lines along the axis that is not free, if faces of `a` have such: rows · columns at `data`.
    void transform(T* data, Index pitch, int rows, int columns, Direction direction) {
        for (const int axis : {rows, columns})
            if (sides(axis) == 0)
                team_.run(lines_of_plane(data, pitch, walled_.unknowns(rows), walled_.unknowns(columns),
                                         axis == columns, bound_->line(), direction));
    }

    void take(const T* planes, int a, int part) {
        const auto [d, e] = across(a);
        const FaceArray<T>& face = left_[a][part];
        const int one = faces_.free[a][0] ? 0 : 1;
        const T* const lower = planes + first(a, one);
        const T* const upper = sides(a) == 2 ? planes + first(a, 1) : nullptr;
        const T scale = bound_ != nullptr && sides(a) > 0 ? static_cast<T>(1.0 / bound_->round_trip()) : T(1);
        const T sign = part == 0 ? T(1) : T(-1);
        for (Index i = 0; i < walled_.unknowns(d); ++i)
            for (Index j = 0; j < walled_.unknowns(e); ++j) {
                const Index from = i * faces_.row[a] + j;
                const T value = upper == nullptr ? lower[from] : lower[from] + sign * upper[from];
                face.data[i * face.stride(d) + j * face.stride(e)] = scale * value;
            }
        transform(face.data, face.pitch, face.rows, face.columns, Direction::forward);
    }

    void give(T* values, int a, int side) {
        const auto [d, e] = across(a);
        T* const to = values + first(a, side);
        walled_.give_side(values_[a], a, side, to, faces_.row[a]);
        transform(to, faces_.row[a], d, e, Direction::backward);
    }

    using ClosedPlanes<T>::faces_;
    WalledLayout walled_;
    LineTeam<T> team_;
    std::unique_ptr<PlannedAxis<T>> bound_;  ///< the axis that is not free; null: all are
    FaceOperator<T> operator_;
    std::array<std::array<FaceArray<T>, 2>, 3> left_, values_;
};

}  // namespace

}  // namespace poisson3d::host

namespace poisson3d {

template <class T>
std::unique_ptr<ClosedFaces<T>> make_closed_faces(const Problem& problem, Index fields, int threads) {
    if (unbounded_axes(problem.grid) == 1) return host::make_closed_line_ends<T>(problem, fields, threads);
    return std::make_unique<host::HostClosedFaces<T>>(problem, fields, threads);
}

template std::unique_ptr<ClosedFaces<float>> make_closed_faces(const Problem&, Index, int);
template std::unique_ptr<ClosedFaces<double>> make_closed_faces(const Problem&, Index, int);

}  // namespace poisson3d
