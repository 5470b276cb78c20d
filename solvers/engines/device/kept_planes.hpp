// The planes of u next to the faces of a free axis that is eliminated: kept of each field of a batch, so that what
// stands beyond the faces can be worked out when somebody asks (beyond_faces.hpp).
#pragma once

#include <vector>

#include "beyond_faces.hpp"
#include "chain.hpp"
#include "field_checks.hpp"
#include "field_sweeps.hpp"
#include "free_faces.hpp"
#include "pipeline.hpp"
#include "poisson3d/device_memory.hpp"

namespace poisson3d::device {

template <class T>
class KeptPlanes {
public:
    using Removed = typename Pipeline<T>::Removed;

    /// Of one field; 0 where no free axis is eliminated.
    static Index elements(const Problem& problem) {
        if (!eliminates_free_axis(problem)) return 0;
        const auto [rows, columns] = extents_of_face(problem.grid.points(), uneven_axis_to_eliminate(problem.grid));
        return 2 * rows * columns;
    }

    /// `planes`: device memory for `batch` fields.
    KeptPlanes(const Problem& problem, Index batch, int threads, T* planes)
        : axis_(uneven_axis_to_eliminate(problem.grid)),
          extents_(problem.grid.points()),
          elements_(elements(problem)),
          planes_(planes),
          beyond_(make_beyond_faces<T>(problem, batch, threads)) {
        extents_[axis_] = 1;
    }

    /// Copies the planes of a field's solution. Asynchronous.
    void keep(FieldView<T> u, Index field, Stream stream) {
        for (int side = 0; side < 2; ++side) {
            RightHandSide<T> copy;
            copy.f = end_plane<const T>(u, axis_, side);
            copy.out = plane(planes_, field, side);
            launch_right_hand_side(copy, 1, stream);
        }
        worked_out_ = false;
    }

    /// `walls`, and what stands for the free faces of the first `fields`; `removed`: of these, on the device. Waits
    /// for the stream.
    BoundaryData<T> data(const BoundaryData<T>& walls, Index fields, const Removed* removed, Stream stream) {
        if (!worked_out_) fetch(fields, removed, stream);
        worked_out_ = true;
        return beyond_->data(walls, fields);
    }

private:
    /// The plane of an end of the axis, dense.
    template <class U>
    [[nodiscard]] FieldView<U> plane(U* planes, Index field, int side) const {
        return {planes + field * elements_ + side * (elements_ / 2), extents_};
    }
    void fetch(Index fields, const Removed* removed, Stream stream) {
        std::vector<T> planes(static_cast<std::size_t>(fields * elements_));
        std::vector<Removed> means(static_cast<std::size_t>(fields));
        copy_to_host(planes.data(), planes_, planes.size() * sizeof(T), stream);
        copy_to_host(means.data(), removed, means.size() * sizeof(Removed), stream);
        for (Index field = 0; field < fields; ++field) {
            for (int side = 0; side < 2; ++side)
                beyond_->keep(field, side, plane<const T>(planes.data(), field, side));
            beyond_->keep(field, means[static_cast<std::size_t>(field)].mean);
        }
    }

    int axis_;
    Extents extents_;
    Index elements_;
    T* planes_;
    std::unique_ptr<BeyondFaces<T>> beyond_;
    bool worked_out_ = true;  ///< since the last solve
};

}  // namespace poisson3d::device
