// One free axis closed by walls, on a host: planes of u next to the faces are transformed along the two other axes,
// and each mode multiplied with what its ends have in empty space (lines/closed_ends.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "closed_ends.hpp"
#include "closed_planes.hpp"
#include "field_passes.hpp"
#include "free_faces.hpp"

namespace poisson3d::host {

template <class T>
class ClosedLineEnds final : public ClosedPlanes<T> {
public:
    ClosedLineEnds(const Problem& problem, Index fields, int threads)
        : ClosedPlanes<T>(problem, fields),
          passes_(lines::close_faces(problem), of(threads), -1, whole_box(problem)) {
        for (int a = 0; a < 3; ++a)
            if (problem.grid.axes[a].unbounded()) axis_ = a;
        const Axis& axis = problem.grid.axes[axis_];
        closed_ = lines::close_axis(axis);
        ends_.emplace(axis, closed_, !takes_constant(problem));
        const auto [d, e] = across(axis_);
        for (const int a : {d, e}) first_.push_back(axis_kind(problem.grid.axes[a]).first);
        extents_ = {1, axis_kind(problem.grid.axes[d]).unknowns, axis_kind(problem.grid.axes[e]).unknowns};
        round_trip_ = passes_.axis(d).round_trip() * passes_.axis(e).round_trip();
        for (auto& part : modes_) part.resize(static_cast<std::size_t>(extents_[1] * extents_[2]));
    }

    [[nodiscard]] bool mean(int) const override { return closed_.mean; }
    [[nodiscard]] std::size_t bytes() const override {
        return ClosedPlanes<T>::bytes() + passes_.layout().bytes + 2 * modes_[0].size() * sizeof(T);
    }

protected:
    void find(const T* planes, T* values, int share, int) override {
        std::fill(values, values + faces_.size, T(0));
        if (share > 0) return;  // few transforms of one plane
        const int parts = closed_.faces;
        const int one = faces_.free[axis_][0] ? 0 : 1;
        for (int part = 0; part < parts; ++part) {
            const T sign = part == 0 ? T(1) : T(-1);
            for_points([&](Index i, Index j, Index mode) {
                const T lower = planes[at(one, i, j)];
                modes_[part][mode] = parts == 1 ? lower : lower + sign * planes[at(1, i, j)];
            });
            transform(modes_[part], Direction::forward);
            multiply(part);
            transform(modes_[part], Direction::backward);
        }
        faces_.for_each([&](int, int side) {
            const T sign = side == 0 ? T(1) : T(-1);
            for_points([&](Index i, Index j, Index mode) {
                const T sum = modes_[0][mode];
                values[at(side, i, j)] = parts == 1 ? sum : (sum + sign * modes_[1][mode]) / 2;
            });
        });
    }

private:
    static Options of(int threads) {
        Options options;
        options.threads = threads;
        return options;
    }
    template <class Body>
    void for_points(const Body& body) const {
        for (Index i = 0, mode = 0; i < extents_[1]; ++i)
            for (Index j = 0; j < extents_[2]; ++j, ++mode) body(i, j, static_cast<std::size_t>(mode));
    }
    [[nodiscard]] std::size_t at(int side, Index i, Index j) const {
        return static_cast<std::size_t>(faces_.first[axis_][side] + (first_[0] + i) * faces_.row[axis_] +
                                        first_[1] + j);
    }
    /// Lines along both axes of a face.
    void transform(std::vector<T>& plane, Direction direction) {
        const auto [d, e] = across(axis_);
        Extents extents{1, 1, 1};
        Strides strides{};
        extents[d] = extents_[1], extents[e] = extents_[2];
        strides[axis_] = extents_[1] * extents_[2], strides[d] = extents_[2], strides[e] = 1;
        const FieldView<T> view(plane.data(), extents, strides);
        passes_.transform(view, d, e, direction);
        passes_.transform(view, e, d, direction);
    }
    void multiply(int part) {
        const auto [d, e] = across(axis_);
        const T* const rows = passes_.eigenvalues_along(d);
        const T* const columns = passes_.eigenvalues_along(e);
        const double lambda = passes_.problem().helmholtz;
        for_points([&](Index i, Index j, std::size_t mode) {
            const double square = lambda - static_cast<double>(rows[i]) - static_cast<double>(columns[j]);
            modes_[part][mode] *=
                static_cast<T>(ends_->factor(std::sqrt(std::max(square, 0.0)), part) / round_trip_);
        });
    }
    using ClosedPlanes<T>::faces_;
    FieldPasses<T> passes_;
    int axis_ = 0;
    lines::ClosedAxis closed_;
    std::optional<lines::ClosedEnds> ends_;
    double round_trip_ = 1.0;
    std::vector<Index> first_;  ///< unknowns of the two other axes
    Extents extents_{};
    std::vector<T> modes_[2];
};

template <class T>
std::unique_ptr<ClosedFaces<T>> make_closed_line_ends(const Problem& problem, Index fields, int threads) {
    return std::make_unique<ClosedLineEnds<T>>(problem, fields, threads);
}

}  // namespace poisson3d::host
