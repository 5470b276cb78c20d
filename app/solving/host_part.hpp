// The parts of members in host memory, in one field: the box that all members of this process have together.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "poisson3d/memory.hpp"
#include "poisson3d/text.hpp"
#include "ranks/ranks.hpp"
#include "solving/copy_time.hpp"
#include "solving/orders.hpp"
#include "solving/slabs.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

/// Which box of the grid a process has.
struct HostPlace {
    /// A call of all ranks.
    HostPlace(Ranks& ranks, const MemberTask& task, const Communicator& members)
        : parts(task.parts()),
          mine(members.mine()),
          box(ranks.size() > 1 ? parts.box(ranks.rank()) : Box{{}, parts.points()}),
          device(task.on_devices ? ranks.device() : -1) {}
    Decomposition parts;
    std::vector<int> mine;
    Box box;          ///< of my members together
    int device = -1;  ///< of a rank that has a GPU
};

template <class T>
class HostPart {
public:
    using Place = HostPlace;

    HostPart(const Place& place, std::vector<BoundaryData<T>> boundary)
        : HostPart(place, Field<T>(place.box.points), std::move(boundary)) {}

    /// A field that is found missing now costs nothing; the same found after reading costs the reading.
    static void require_room(const Place& place, const std::vector<BoundaryData<T>>&) {
        const std::size_t available = available_host_memory();
        const Extents& points = place.box.points;
        const std::size_t wanted = static_cast<std::size_t>(points[0] * points[1] * points[2]) * sizeof(T);
        if (available != 0 && wanted > available)
            throw Error(ErrorCode::out_of_memory, "out of host memory: the field of this process needs " +
                                                      format_bytes(wanted) + ", available are " +
                                                      format_bytes(available));
    }

    [[nodiscard]] std::vector<FieldView<T>> views() {
        std::vector<FieldView<T>> all;
        for (const int m : place_.mine) all.push_back(box_in(field_.view(), place_.box.first, place_.parts.box(m)));
        return all;
    }
    [[nodiscard]] std::span<const BoundaryData<T>> boundary() const { return boundary_; }
    [[nodiscard]] std::span<const Stream> streams() const { return {}; }

    template <class Body>
    double seconds_of(const Body& body) const {
        const Stopwatch watch;
        body();
        return watch.seconds();
    }
    [[nodiscard]] double copy_time(int threads) const {
        return copy_seconds(field_.data(), static_cast<std::size_t>(field_.size()) * sizeof(T), threads);
    }

    /// In double, for which this one is given up.
    [[nodiscard]] HostPart<double> widened() {
        return HostPart<double>(place_, app::widened(std::move(field_)), {});
    }

    /// Whether these planes of the grid are mine as a whole.
    [[nodiscard]] bool has(Index first, Index count) const {
        const Box& box = place_.box;
        return first >= box.first[0] && first + count <= box.first[0] + box.points[0] &&
               box.points[1] == place_.parts.points()[1];
    }
    /// What I have of these planes of the grid.
    [[nodiscard]] FieldView<T> planes(Index first, Index count) {
        return field_.view().slab(first - place_.box.first[0], count);
    }
    [[nodiscard]] const Box& box() const { return place_.box; }
    /// All of it, dense.
    [[nodiscard]] FieldView<T> field() { return field_.view(); }
    [[nodiscard]] FieldView<const T> planes(Index first, Index count) const {
        return field_.view().slab(first - place_.box.first[0], count);
    }

private:
    template <class Other>
    friend class HostPart;
    HostPart(const Place& place, Field<T> field, std::vector<BoundaryData<T>> boundary)
        : place_(place), field_(std::move(field)), boundary_(std::move(boundary)) {}

    Place place_;
    Field<T> field_;
    std::vector<BoundaryData<T>> boundary_;
};

}  // namespace poisson3d::app
