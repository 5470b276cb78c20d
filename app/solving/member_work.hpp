// The members of this process at work: their box, in which the solution takes the place of the right-hand side, and
// their share of the solver. The same on rank 0 and on those that follow.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "poisson3d/device_memory.hpp"
#include "poisson3d/distributed.hpp"
#include "poisson3d/text.hpp"
#include "ranks/agree.hpp"
#include "solving/copy_time.hpp"
#include "solving/member_on_device.hpp"
#include "solving/orders.hpp"
#include "solving/rhs_numbers.hpp"
#include "solving/slabs.hpp"
#include "solving/timing.hpp"

namespace poisson3d::app {

/// A member for each rank. A call of all ranks, which all refuse if one does.
inline Communicator members_of(Ranks& ranks, const MemberTask& task) {
    std::optional<Communicator> members;
    together(ranks, [&] {
        members = ranks.members(task.on_devices);
        return 0.0;
    });
    return *members;
}

template <class T>
class MemberWork {
public:
    /// Plans, on all ranks. `boundary`: for each of my members, its part; points to what outlives this.
    MemberWork(Ranks& ranks, const MemberTask& task, const Communicator& members,
               std::vector<BoundaryData<T>> boundary)
        : ranks_(ranks),
          task_(task),
          members_(members),
          parts_(task.parts()),
          box_(ranks.size() > 1 ? parts_.box(ranks.rank()) : Box{{}, parts_.points()}),
          boundary_(std::move(boundary)) {
        if (task.on_devices) scope_.emplace(ranks.device());
        renew();
    }

    /// False after apply() in single precision.
    [[nodiscard]] bool ready() const noexcept { return solver_.has_value(); }
    /// Takes memory for the planes, and plans.
    void renew() {
        wide_ = Field<double>();
        together(ranks_, [&] {
            require_room();
            field_ = Field<T>(box_.points);
            if (scope_) device_.emplace(box_.points, boundary_.front());
            return 0.0;
        });
        together(ranks_, [&] {
            solver_.emplace(task_.problem, parts_, members_, task_.options);
            if (device_) device_->warm_up(*solver_);
            return 0.0;
        });
    }

    [[nodiscard]] const DistributedSolver<T>& solver() const { return *solver_; }
    [[nodiscard]] const Decomposition& parts() const { return parts_; }

    /// Whether these planes of the grid are mine as a whole.
    [[nodiscard]] bool has(Index first, Index count) const {
        return first >= box_.first[0] && first + count <= box_.first[0] + box_.points[0] &&
               box_.points[1] == parts_.points()[1];
    }
    /// What I have of these planes of the grid.
    [[nodiscard]] FieldView<T> planes(Index first, Index count) {
        return field_.view().slab(first - box_.first[0], count);
    }
    [[nodiscard]] FieldView<const T> planes(Index first, Index count) const {
        return field_.view().slab(first - box_.first[0], count);
    }
    /// Of L u, after apply().
    [[nodiscard]] FieldView<double> operator_planes(Index first, Index count) {
        if constexpr (std::is_same_v<T, double>)
            return planes(first, count);
        else
            return wide_.view().slab(first - box_.first[0], count);
    }

    // Steps of all ranks. Those that are timed return the seconds of the slowest rank, on rank 0. Within a step
    // only the solver waits for others, after it has agreed with them; what may fail before that is a step of its
    // own.

    /// My planes of a data set, all of which are whole; empty if it cannot be read so.
    std::optional<RhsNumbers> read_shared(const DatasetName& name, double scale) {
        RhsNumbers mine;
        double unfit = 0.0;  // not finite: whoever reads it plane by plane says which
        together(ranks_, [&] {
            ranks_.read_planes(shared(name));
            mine.largest = largest_rhs(task_.problem.grid, BoundaryData<double>{}, scale, box_.first[0],
                                       FieldView<const T>(field_.view()));
            for (Index i = 0; i < field_.size(); ++i) {
                const double value = scale * static_cast<double>(field_.data()[i]);
                if (!std::isfinite(field_.data()[i])) unfit = 1.0;
                mine.least = std::min(mine.least, value);
                mine.greatest = std::max(mine.greatest, value);
            }
            return 0.0;
        });
        RhsNumbers all;
        all.largest = together(ranks_, [&] { return mine.largest; });
        all.least = -together(ranks_, [&] { return -mine.least; });
        all.greatest = together(ranks_, [&] { return mine.greatest; });
        return together(ranks_, [&] { return unfit; }) > 0.0 ? std::nullopt : std::optional(all);
    }
    /// max |u|, of all ranks on rank 0; infinite if u has such values, or some that are no numbers.
    double largest() {
        return together(ranks_, [&] {
            double most = 0.0;
            for (Index i = 0; i < field_.size(); ++i) {
                const double value = std::abs(static_cast<double>(field_.data()[i]));
                most = value <= most ? most : value == value ? value : std::numeric_limits<double>::infinity();
            }
            return most;
        });
    }
    void write_shared(const DatasetName& name) {
        together(ranks_, [&] {
            ranks_.write_planes(shared(name));
            return 0.0;
        });
    }

    double solve(T scale) {
        if (device_) return on_device([&] { device_->solve(*solver_, scale); });
        const std::vector<FieldView<T>> u = views(field_);
        const std::vector<FieldView<const T>> f(u.begin(), u.end());
        return together(ranks_, [&] {
            const Stopwatch watch;
            solver_->solve(std::span(f), std::span(u), std::span<const BoundaryData<T>>(boundary_), scale);
            return watch.seconds();
        });
    }

    /// `walls`, and what the solve found on free faces of the whole box.
    BoundaryData<T> faces(const BoundaryData<T>& walls) {
        BoundaryData<T> found;
        together(ranks_, [&] {
            found = solver_->faces(walls);
            return 0.0;
        });
        return found;
    }

    double copy() {
        return together(ranks_, [&] {
            if (device_) return device_->copy();
            return copy_seconds(field_.data(), static_cast<std::size_t>(field_.size()) * sizeof(T),
                                solver_->threads());
        });
    }

    /// L u in double, which in single takes the place of the solution and of the solver.
    void apply() {
        if constexpr (std::is_same_v<T, double>) {
            if (device_)
                on_device([&] { device_->apply(*solver_); });
            else
                together(ranks_, [&] { return apply_in_place(*solver_, field_); });
        } else {
            together(ranks_, [&] {
                solver_.reset();
                device_.reset();
                wide_ = widened(std::move(field_));
                return 0.0;
            });
            together(ranks_, [&] {
                DistributedSolver<double> solver(task_.problem, parts_, members_, task_.options);
                if (!scope_) return apply_in_place(solver, wide_);
                MemberOnDevice<double> wide(box_.points, {});
                wide.upload(wide_.view());
                wide.apply(solver);
                wide.download(wide_.view());
                return 0.0;
            });
        }
    }

private:
    [[nodiscard]] SharedPlanes shared(const DatasetName& name) {
        return {{name.file.begin(), name.file.end()},
                {name.dataset.begin(), name.dataset.end()},
                box_.first[0],
                box_.points,
                std::is_same_v<T, double>,
                field_.data()};
    }

    /// A field that is found missing now costs nothing; the same found after reading costs the reading.
    void require_room() const {
        const std::size_t available = available_host_memory();
        const std::size_t wanted =
            static_cast<std::size_t>(box_.points[0] * box_.points[1] * box_.points[2]) * sizeof(T);
        if (available != 0 && wanted > available)
            throw Error(ErrorCode::out_of_memory, "out of host memory: the field of this process wants " +
                                                      format_bytes(wanted) + ", available are " +
                                                      format_bytes(available));
    }

    /// The field goes to the GPU, and comes back after body(), whose seconds are returned.
    template <class Body>
    double on_device(const Body& body) {
        together(ranks_, [&] {
            device_->upload(field_.view());
            return 0.0;
        });
        const double seconds = together(ranks_, [&] {
            const Stopwatch watch;
            body();
            return watch.seconds();
        });
        together(ranks_, [&] {
            device_->download(field_.view());
            return 0.0;
        });
        return seconds;
    }

    template <class Value>
    std::vector<FieldView<Value>> views(Field<Value>& field) const {
        std::vector<FieldView<Value>> all;
        for (const int m : members_.mine()) all.push_back(box_in(field.view(), box_.first, parts_.box(m)));
        return all;
    }

    double apply_in_place(DistributedSolver<double>& solver, Field<double>& field) const {
        const std::vector<FieldView<double>> u = views(field);
        const std::vector<FieldView<const double>> f(u.begin(), u.end());
        solver.apply(std::span(f), std::span(u));
        return 0.0;
    }

    Ranks& ranks_;
    MemberTask task_;
    Communicator members_;
    Decomposition parts_;
    Box box_;  ///< of my members together
    std::vector<BoundaryData<T>> boundary_;
    Field<T> field_;
    Field<double> wide_;
    std::optional<DeviceScope> scope_;  ///< if members are on GPUs
    std::optional<MemberOnDevice<T>> device_;
    std::optional<DistributedSolver<T>> solver_;
};

}  // namespace poisson3d::app
