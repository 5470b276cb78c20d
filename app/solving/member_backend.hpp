// A solve by members that share the box. What it does with planes of the solution, of which the host holds a few at
// a time; host_members.hpp and device_members.hpp say where they come from and how right-hand sides go there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solving/member_boundary.hpp"
#include "solving/member_options.hpp"
#include "solving/member_work.hpp"
#include "solving/orders.hpp"
#include "solving/plane_window.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"

namespace poisson3d::app {

/// `Part`: where members have their fields (member_work.hpp).
template <class T, template <class> class Part>
class MemberBackend : public SolveBackend<T> {
public:
    using typename SolveBackend<T>::Applied;

    ~MemberBackend() override { order_all(ranks_, {OrderKind::release}); }

    [[nodiscard]] Planned planned() const override {
        const DistributedSolver<T>& solver = work_.solver();
        Planned plan;
        plan.engine = solve_.devices.empty() && !task_.on_devices ? Engine::host : Engine::fused;
        plan.workspace = solver.workspace();
        plan.description = solver.description();
        if (this->shares_files()) plan.description += ", files shared by all ranks";
        plan.range = solver.range();
        const int count = work_.parts().members();
        plan.members = {count,         task_.shape, solver.method(), solver.traffic(), most_sent(solver, count),
                        solve_.devices};
        return plan;
    }

    Solved solve(T scale) override {
        order_all(ranks_, {.kind = OrderKind::solve, .number = static_cast<double>(scale)});
        const double seconds = work_.solve(scale);
        return {work_.solver().result(), seconds, {}};
    }

    double copy_seconds() override {
        order_all(ranks_, {OrderKind::copy});
        return work_.copy();
    }

    [[nodiscard]] FieldView<const T> solution() const override { return window_->view(); }
    void bring(Index first, Index count) override {
        window_->bring(first, count, task_.problem.grid.axes[0].periodic(),
                       [&](Index from, FieldView<T> into) { fetch_solution(from, into); });
    }
    [[nodiscard]] bool all_there() const override { return false; }

    [[nodiscard]] BoundaryData<T> faces(const BoundaryData<T>& walls) override {
        order_all(ranks_, {OrderKind::faces});
        return work_.faces(walls);
    }

    void apply_operator(const Applied& applied) override {
        order_all(ranks_, {OrderKind::apply});
        work_.apply();
        window_.reset();
        PlaneWindow<double> window(task_.problem.grid.points());
        for_each_slab(planes(), solve_.read_planes, [&](Index first, Index count) {
            window.bring(first, count, false,
                         [&](Index from, FieldView<double> into) { fetch_operator(from, into); });
            applied(window.view(), first, count);
        });
    }

protected:
    using Work = MemberWork<T, Part>;

    /// assemble() gathers the members once all that may fail here was done; place(members) is where their parts
    /// are. `window`: planes of the solution come and go, if they are wanted.
    template <class Assemble, class PlaceOf>
    MemberBackend(Ranks& ranks, const SolveTask& solve, const MemberTask& task, const BoundaryData<T>& boundary,
                  bool window, const Assemble& assemble, const PlaceOf& place)
        : ranks_(ranks),
          solve_(solve),
          task_(task),
          windowed_(window && solve.keep),
          window_(make_window()),
          members_(assemble()),
          work_(ranks, task_, members_, place(members_), parts_for(members_, task_, boundary)) {}

    /// Planes first … of the solution, and of L u after it was asked for.
    virtual void fetch_solution(Index first, FieldView<T> into) = 0;
    virtual void fetch_operator(Index first, FieldView<double> into) = 0;

    /// Before a right-hand side is read: what apply_operator() took is there again.
    void begin() {
        if (!work_.ready()) {
            order_all(ranks_, {OrderKind::renew});
            work_.renew();
        }
        window_ = make_window();
    }

    [[nodiscard]] Index planes() const { return task_.problem.grid.points()[0]; }
    [[nodiscard]] Ranks& ranks() const { return ranks_; }
    [[nodiscard]] const SolveTask& asked() const { return solve_; }
    [[nodiscard]] const MemberTask& task() const { return task_; }
    [[nodiscard]] Work& work() { return work_; }
    [[nodiscard]] const Work& work() const { return work_; }

    /// Refuses what no members do.
    static MemberTask member_task(const Ranks& ranks, const SolveTask& solve) {
        const bool ranks_on_devices = ranks.size() > 1 && solve.options.engine == Engine::fused;
        const bool on_devices = ranks_on_devices || !solve.devices.empty();
        require_member_options(solve.options, solve.mixed, on_devices, ranks.size() > 1);
        return {solve.problem,
                solve.shape,
                {solve.method, solve.options.threads, 1},
                std::is_same_v<T, double>,
                ranks_on_devices};
    }

private:
    static std::vector<BoundaryData<T>> parts_for(const Communicator& members, const MemberTask& task,
                                                  const BoundaryData<T>& boundary) {
        std::vector<BoundaryData<T>> mine;
        for (const int m : members.mine()) mine.push_back(part_of(boundary, task.parts().box(m)));
        return mine;
    }

    [[nodiscard]] std::unique_ptr<PlaneWindow<T>> make_window() const {
        return windowed_ ? std::make_unique<PlaneWindow<T>>(solve_.problem.grid.points()) : nullptr;
    }

    Ranks& ranks_;
    SolveTask solve_;
    MemberTask task_;
    bool windowed_;
    std::unique_ptr<PlaneWindow<T>> window_;  ///< on the solution
    Communicator members_;
    Work work_;
};

}  // namespace poisson3d::app
