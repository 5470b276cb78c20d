// The members of this process at work: their parts of the box, in which the solution takes the place of the
// right-hand side, and their share of the solver. The same on rank 0 and on those that follow, in host memory
// (HostPart) and in that of GPUs (DeviceParts).
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "ranks/agree.hpp"
#include "solving/orders.hpp"

namespace poisson3d::app {

/// `Part` is where the fields are. Part<T>(place, boundary) takes memory for them, and for boundary data where the
/// solver wants it; views(), boundary() and streams() are for each of my members what a solve takes.
template <class T, template <class> class Part>
class MemberWork {
public:
    using Place = typename Part<T>::Place;

    /// Plans, on all ranks. `boundary`: for each of my members, its part; points to what outlives this.
    MemberWork(Ranks& ranks, const MemberTask& task, const Communicator& members, const Place& place,
               std::vector<BoundaryData<T>> boundary)
        : ranks_(ranks),
          task_(task),
          members_(members),
          parts_(task.parts()),
          place_(place),
          boundary_(std::move(boundary)) {
        renew();
    }

    /// False after apply() in single precision.
    [[nodiscard]] bool ready() const noexcept { return solver_.has_value(); }
    /// Takes memory for the planes, and plans.
    void renew() {
        wide_.reset();
        together(ranks_, [&] {
            Part<T>::require_room(place_, boundary_);
            part_.emplace(place_, boundary_);
            return 0.0;
        });
        together(ranks_, [&] {
            solver_.emplace(task_.problem, parts_, members_, task_.options);
            return 0.0;
        });
    }

    [[nodiscard]] const DistributedSolver<T>& solver() const { return *solver_; }
    [[nodiscard]] const Decomposition& parts() const { return parts_; }
    [[nodiscard]] Part<T>& part() { return *part_; }
    [[nodiscard]] const Part<T>& part() const { return *part_; }
    /// Of L u, after apply().
    [[nodiscard]] Part<double>& operator_part() {
        if constexpr (std::is_same_v<T, double>)
            return *part_;
        else
            return *wide_;
    }

    // Steps of all ranks. Those that are timed return the seconds of the slowest rank, on rank 0. Within a step
    // only the solver waits for others, after it has agreed with them; what may fail before that is a step of its
    // own.

    double solve(T scale) {
        const std::vector<FieldView<T>> u = part_->views();
        const std::vector<FieldView<const T>> f(u.begin(), u.end());
        return together(ranks_, [&] {
            return part_->seconds_of(
                [&] { solver_->solve(std::span(f), std::span(u), part_->boundary(), scale, part_->streams()); });
        });
    }

    double copy() {
        return together(ranks_, [&] { return part_->copy_time(solver_->threads()); });
    }

    /// L u in double, which in single takes the place of the solution and of the solver.
    void apply() {
        if constexpr (std::is_same_v<T, double>) {
            together(ranks_, [&] { return apply_in_place(*solver_, *part_); });
        } else {
            together(ranks_, [&] {
                solver_.reset();
                wide_.emplace(part_->widened());
                part_.reset();
                return 0.0;
            });
            together(ranks_, [&] {
                DistributedSolver<double> solver(task_.problem, parts_, members_, task_.options);
                return apply_in_place(solver, *wide_);
            });
        }
    }

private:
    static double apply_in_place(DistributedSolver<double>& solver, Part<double>& part) {
        const std::vector<FieldView<double>> u = part.views();
        const std::vector<FieldView<const double>> f(u.begin(), u.end());
        solver.apply(std::span(f), std::span(u), 1.0, part.streams());
        static_cast<void>(solver.result());  // waits for members on GPUs
        return 0.0;
    }

    Ranks& ranks_;
    MemberTask task_;
    Communicator members_;
    Decomposition parts_;
    Place place_;
    std::vector<BoundaryData<T>> boundary_;
    std::optional<Part<T>> part_;
    std::optional<Part<double>> wide_;
    std::optional<DistributedSolver<T>> solver_;
};

}  // namespace poisson3d::app
