// Closed faces of members on a host (closed_faces.hpp): sums over modes come in parts, are added up, and go back to
// points along axes that are free; values of faces go to modes in turn. What is left is the operator between.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "closed_faces.hpp"
#include "face_operator.hpp"

namespace poisson3d::host {

template <class T>
class SummedFaces : public ClosedFacesOnHost<T> {
public:
    [[nodiscard]] T* values(Index field) override { return told_.data() + field * faces_.size; }
    void take(const Box& box, FieldView<const T> u, T* to, Stream) override {
        for_each_plane<T>(
            faces_, box, u,
            [&](const T* from, Index row, Index column, Index rows, Index columns, Index place, Index to_row) {
                for (Index i = 0; i < rows; ++i)
                    for (Index j = 0; j < columns; ++j) to[place + i * to_row + j] = from[i * row + j * column];
            });
    }
    void subtract(Index field, const T* value, Stream) override {
        T* const all = values(field);
        for (Index i = 0; i < faces_.size; ++i) all[i] -= *value;
    }
    [[nodiscard]] bool mean(int axis) const override { return layout_.closed[axis].mean; }
    [[nodiscard]] std::size_t bytes() const override { return (told_.size() + numbers_.size()) * sizeof(T); }

    void forget() override { std::fill(numbers_.begin(), numbers_.begin() + sums_, T(0)); }
    void add(const FaceModes<T>& part) override {
        part.for_each(left_, [](T here, T& sum) { sum += here; });
    }
    [[nodiscard]] const std::vector<std::span<T>>& arrays() const override { return arrays_; }

    void find(Index field, int share, int shares) override {
        for_parts([&](int a, int part) {
            for (const int axis : {left_[a][part].rows, left_[a][part].columns}) {
                if (free(axis) == in_modes(axis))
                    transform(left_[a][part], axis, free(axis) ? Direction::backward : Direction::forward);
                if (!free(axis) && !in_modes(axis)) normalise(left_[a][part], axis);
            }
        });
        run(left_, values_, {share, shares});
        T* const all = values(field);
        std::fill(all, all + faces_.size, T(0));  // points on Dirichlet nodes
        faces_.for_each([&](int a, int side) {
            const auto [d, e] = across(a);
            T* const to = all + first(a, side);
            layout_.give_side(values_[a], a, side, to, faces_.row[a]);
            for (const int axis : {d, e})
                if (!free(axis)) transform(FaceArray<T>{to, d, e, faces_.row[a]}, axis, Direction::backward);
        });
    }

    void spread(Index field) override {
        const T* const all = values(field);
        for_parts([&](int a, int part) {
            const auto [d, e] = across(a);
            const FaceArray<T>& face = left_[a][part];
            const T* const lower = all + first(a, faces_.free[a][0] ? 0 : 1);
            const T* const upper = layout_.closed[a].faces == 2 ? all + first(a, 1) : nullptr;
            const T sign = part == 0 ? T(1) : T(-1);
            for (Index i = 0; i < layout_.unknowns(d); ++i)
                for (Index j = 0; j < layout_.unknowns(e); ++j) {
                    const Index from = i * faces_.row[a] + j;
                    face.data[i * face.stride(d) + j * face.stride(e)] =
                        upper == nullptr ? lower[from] : lower[from] + sign * upper[from];
                }
            for (const int axis : {d, e}) {
                if (!in_modes(axis)) continue;
                transform(face, axis, Direction::forward);
                if (!free(axis)) normalise(face, axis);
            }
        });
    }
    void give(FaceModes<T>& part) const override {
        part.for_each(left_, [](T& here, T value) { here = value; });
    }

protected:
    /// `eliminates`: lines along x are at points, not in modes.
    SummedFaces(const Problem& problem, Index fields, bool eliminates)
        : faces_(problem.grid), told_(static_cast<std::size_t>(fields * faces_.size), T(0)) {
        std::array<Planes, 3> whole;
        Extents unknowns{};
        for (int a = 0; a < 3; ++a) {
            const AxisKind kind = axis_kind(problem.grid.axes[a]);
            first_[a] = kind.first;
            whole[a] = {0, unknowns[a] = kind.unknowns};
        }
        layout_ = make_middle_layout<T>(problem.grid, eliminates, whole,
                                        axis_across(unknowns, 0, kernels<T>().element_lines, 0), 1);
        Index size = 0;
        for_parts([&](int a, int) { size += layout_.face_size(a); });
        sums_ = size;
        numbers_.resize(static_cast<std::size_t>(2 * size), T(0));
        T* data = numbers_.data();
        for_parts([&](int a, int part) {
            left_[a][part] = layout_.face_at(a, data);
            values_[a][part] = layout_.face_at(a, data + size);
            arrays_.emplace_back(data, static_cast<std::size_t>(layout_.face_size(a)));
            data += layout_.face_size(a);
        });
    }
    /// What has lines of all axes, closed; must outlive this.
    void use(LineTeam<T>& team, const std::array<const PlannedAxis<T>*, 3>& axes) { team_ = &team, axes_ = axes; }

    /// values := what some of all parts of the faces give. Both at points along free axes, and in modes of others
    /// that are so many as points are.
    virtual void run(FacesByPart<T>& left, FacesByPart<T>& values, const FaceShare& share) = 0;

    [[nodiscard]] const MiddleLayout& layout() const noexcept { return layout_; }

private:
    [[nodiscard]] bool free(int axis) const { return layout_.closed[axis].faces > 0; }
    [[nodiscard]] bool in_modes(int axis) const { return axis > 0 || !layout_.eliminates; }
    template <class Body>
    void for_parts(const Body& body) {
        for (int a = 0; a < 3; ++a)
            for (int part = 0; part < layout_.closed[a].faces; ++part) body(a, part);
    }
    /// Of the first unknown of a face.
    [[nodiscard]] Index first(int a, int side) const {
        const auto [d, e] = across(a);
        return faces_.first[a][side] + first_[d] * faces_.row[a] + first_[e];
    }
    void transform(const FaceArray<T>& face, int axis, Direction direction) {
        team_->run(lines_of_plane(face.data, face.pitch, layout_.unknowns(face.rows),
                                  layout_.unknowns(face.columns), axis == face.columns, axes_[axis]->line(),
                                  direction));
    }
    /// Modes of an axis that come back as they went.
    void normalise(const FaceArray<T>& face, int axis) {
        const T scale = static_cast<T>(1.0 / axes_[axis]->round_trip());
        for (Index i = 0; i < layout_.unknowns(face.rows) * face.pitch; ++i) face.data[i] *= scale;
    }

    FreeFaces faces_;
    MiddleLayout layout_;
    std::array<Index, 3> first_{};  ///< unknowns among stored points
    std::vector<T> told_, numbers_;
    Index sums_ = 0;
    FacesByPart<T> left_, values_;
    std::vector<std::span<T>> arrays_;  ///< of left_
    LineTeam<T>* team_ = nullptr;
    std::array<const PlannedAxis<T>*, 3> axes_{};
};

}  // namespace poisson3d::host
