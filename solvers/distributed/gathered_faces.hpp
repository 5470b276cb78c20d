// What stands on the free faces of the first axis after a solve by members: each keeps what it has of the last
// planes of u; from whole planes every process works out the rest, when somebody asks (beyond_faces.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "beyond_faces.hpp"
#include "poisson3d/distributed.hpp"
#include "transport.hpp"

namespace poisson3d {

template <class T>
class GatheredFaces {
public:
    GatheredFaces(const Problem& problem, Index batch) : problem_(problem), batch_(batch) {
        const Axis& axis = problem.grid.axes[0];
        free_ = {axis.lower == Boundary::free, axis.upper == Boundary::free};
        const Extents points = problem.grid.points();
        plane_ = {1, points[1], points[2]};
        for (std::size_t side = 0; side < 2; ++side)
            if (free_[side]) kept_[side].resize(static_cast<std::size_t>(batch * size()), T(0));
        currents_.resize(static_cast<std::size_t>(batch));
        sum_.resize(static_cast<std::size_t>(size()));
    }

    /// Before the fields of a call.
    void forget() noexcept { found_ = false; }
    /// Of a field u in the box of one of my members.
    void keep(Index field, const Box& box, FieldView<const T> u) {
        for (int side = 0; side < 2; ++side)
            if (has_end(box, side)) keep_plane(field, box, side, end_plane(u, 0, side));
    }
    /// Whether a free face is one of the box.
    [[nodiscard]] bool has_end(const Box& box, int side) const {
        const Index end = side == 0 ? box.first[0] : box.first[0] + box.points[0];
        return free_[static_cast<std::size_t>(side)] && end == (side == 0 ? 0 : problem_.grid.axes[0].points) &&
               box.points[0] * box.points[1] * box.points[2] > 0;
    }
    /// The plane of u next to it.
    void keep_plane(Index field, const Box& box, int side, FieldView<const T> from) {
        const FieldView<T> to = whole(kept_[static_cast<std::size_t>(side)], field);
        for (Index j = 0; j < box.points[1]; ++j)
            std::copy_n(&from(0, j, 0), box.points[2], &to(0, box.first[1] + j, box.first[2]));
    }
    /// And the current that leaves by free ends in the constant mode.
    void keep(Index field, T current) { currents_[static_cast<std::size_t>(field)] = current; }

    /// Takes the memory that data() needs, which may be missing.
    void reserve(int threads) {
        if (beyond_ == nullptr) beyond_ = make_beyond_faces<T>(problem_, batch_, threads);
    }
    /// A call of all members, after reserve(): `walls`, and what stands for the free faces of `fields` fields.
    BoundaryData<T> data(const BoundaryData<T>& walls, Index fields, Transport& transport) {
        for (Index field = 0; field < fields && !found_; ++field) {
            for (std::size_t side = 0; side < 2; ++side) {
                if (!free_[side]) continue;
                std::copy_n(whole(kept_[side], field).data, size(), sum_.data());
                transport.sum(sum_.data(), size());
                beyond_->keep(field, static_cast<int>(side), FieldView<const T>(sum_.data(), plane_));
            }
            beyond_->keep(field, currents_[static_cast<std::size_t>(field)]);
        }
        found_ = true;
        return beyond_->data(walls, fields);
    }

    /// Whether the faces of the last call are worked out.
    [[nodiscard]] bool found() const noexcept { return found_; }

    [[nodiscard]] std::size_t bytes() const noexcept {
        return (kept_[0].size() + kept_[1].size() + sum_.size()) * sizeof(T);
    }

private:
    [[nodiscard]] Index size() const { return plane_[1] * plane_[2]; }
    FieldView<T> whole(std::vector<T>& planes, Index field) const {
        return {planes.data() + field * size(), plane_};
    }

    Problem problem_;
    Index batch_;
    std::array<bool, 2> free_{};
    Extents plane_{};
    std::array<std::vector<T>, 2> kept_;  ///< of each field: zero where a plane is not mine
    std::vector<T> currents_, sum_;
    std::unique_ptr<BeyondFaces<T>> beyond_;  ///< null until it is asked for
    bool found_ = false;                      ///< since the last call
};

}  // namespace poisson3d
