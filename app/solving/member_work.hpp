// The members of this process at work: their parts of the box, in which the solution takes the place of the
// right-hand side, and their share of the solver. The same on rank 0 and on those that follow, in host memory
// (HostPart) and in that of GPUs (DeviceParts).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "poisson3d/distributed.hpp"
#include "ranks/agree.hpp"
#include "solving/orders.hpp"
#include "solving/rhs_numbers.hpp"

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

    // Of fields in host memory: planes of files that all ranks share.

    /// My planes of a data set, all of which are whole; empty if it cannot be read so.
    std::optional<RhsNumbers> read_shared(const DatasetName& name, double scale) {
        RhsNumbers mine;
        double unfit = 0.0;  // not finite: whoever reads it plane by plane says which
        together(ranks_, [&] {
            ranks_.read_planes(shared(name));
            const FieldView<const T> f = part_->field();
            mine.largest = largest_rhs(task_.problem.grid, BoundaryData<double>{}, scale, part_->box().first[0], f);
            for (const T one : std::span(f.data, static_cast<std::size_t>(f.size()))) {
                const double value = scale * static_cast<double>(one);
                if (!std::isfinite(one)) unfit = 1.0;
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
            const FieldView<const T> u = part_->field();
            for (const T one : std::span(u.data, static_cast<std::size_t>(u.size()))) {
                const double value = std::abs(static_cast<double>(one));
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
        upload(*part_);
        const double seconds = solve_there(scale);
        download(*part_);
        return seconds;
    }
    /// A solve of zeros where the fields are, which loads kernels and is no part of a solve.
    void warm_up() {
        together(ranks_, [&] {
            part_->clear();
            return 0.0;
        });
        solve_there(T(1));
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
        return together(ranks_, [&] { return part_->copy_time(solver_->threads()); });
    }

    /// L u in double, which in single takes the place of the solution and of the solver.
    void apply() {
        if constexpr (std::is_same_v<T, double>) {
            upload(*part_);
            together(ranks_, [&] { return apply_in_place(*solver_, *part_); });
            download(*part_);
        } else {
            together(ranks_, [&] {
                solver_.reset();
                wide_.emplace(part_->widened());
                part_.reset();
                return 0.0;
            });
            upload(*wide_);
            together(ranks_, [&] {
                DistributedSolver<double> solver(task_.problem, parts_, members_, task_.options);
                return apply_in_place(solver, *wide_);
            });
            download(*wide_);
        }
    }

private:
    [[nodiscard]] SharedPlanes shared(const DatasetName& name) {
        return {{name.file.begin(), name.file.end()},
                {name.dataset.begin(), name.dataset.end()},
                part_->box().first[0],
                part_->box().points,
                std::is_same_v<T, double>,
                part_->field().data};
    }

    double solve_there(T scale) {
        const std::vector<FieldView<T>> u = part_->views();
        const std::vector<FieldView<const T>> f(u.begin(), u.end());
        return together(ranks_, [&] {
            return part_->seconds_of(
                [&] { solver_->solve(std::span(f), std::span(u), part_->boundary(), scale, part_->streams()); });
        });
    }

    /// To where the solver works and back, if that is elsewhere: steps of their own.
    template <class Fields>
    void upload(Fields& fields) {
        if constexpr (requires { fields.upload(); })
            together(ranks_, [&] {
                fields.upload();
                return 0.0;
            });
    }
    template <class Fields>
    void download(Fields& fields) {
        if constexpr (requires { fields.download(); })
            together(ranks_, [&] {
                fields.download();
                return 0.0;
            });
    }

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
