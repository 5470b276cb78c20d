// A solve by members: threads of this process, or ranks of MPI, each with its box. Rank 0 reads and writes for
// all, slab by slab; for what else it does with the solution planes come here and go again.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solving/member_boundary.hpp"
#include "solving/member_work.hpp"
#include "solving/orders.hpp"
#include "solving/plane_window.hpp"
#include "solving/slabs.hpp"
#include "solving/solve_backend.hpp"

namespace poisson3d::app {

template <class T>
class MemberBackend final : public SolveBackend<T> {
public:
    using typename SolveBackend<T>::Applied;
    using typename SolveBackend<T>::Fill;
    using typename SolveBackend<T>::Take;

    MemberBackend(Ranks& ranks, const SolveTask& solve, const BoundaryData<T>& boundary)
        : ranks_(ranks),
          solve_(solve),
          task_(member_task(ranks, solve)),
          window_(make_window()),
          members_(assemble(ranks, task_, boundary)),
          work_(ranks, task_, members_, parts_for(members_, task_, boundary)) {}
    ~MemberBackend() override { order_all(ranks_, {OrderKind::release}); }

    [[nodiscard]] Planned planned() const override {
        const DistributedSolver<T>& solver = work_.solver();
        Planned plan;
        plan.workspace = solver.workspace();
        plan.engine = task_.on_devices ? Engine::fused : Engine::host;
        plan.description = solver.description();
        if (shares_files()) plan.description += ", files shared by all ranks";
        plan.range = solver.range();
        plan.members = {work_.parts().members(), task_.shape, solver.method(), solver.traffic()};
        return plan;
    }

    void read(const Fill& fill) override {
        make_ready();
        Field<T> buffer;
        std::vector<T> message;
        for_each_slab(planes(), solve_.read_planes, [&](Index first, Index count) {
            if (work_.has(first, count)) return fill(first, work_.planes(first, count));
            const FieldView<T> slab = part_of_buffer(buffer, count);
            fill(first, slab);
            for_each_part(first, slab, [&](int member, Index from, FieldView<T> part) {
                const Index many = part.extents[0];
                if (member == 0) return copy_lines<T>(part, work_.planes(from, many));
                order(ranks_, member, {OrderKind::take, from, many});
                if (!part.dense()) part = packed(part, message);
                ranks_.send(member, part.data, bytes_of(part));
            });
        });
    }

    /// Slabs alone: pencils have parts of planes.
    [[nodiscard]] bool shares_files() const override { return ranks_.share_files() && task_.shape[1] == 1; }
    std::optional<RhsNumbers> read_shared(const std::string& file, const std::string& dataset,
                                          double scale) override {
        make_ready();
        order_shared({.kind = OrderKind::read_shared, .number = scale}, {file, dataset});
        try {
            return work_.read_shared({file, dataset}, scale);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::file) throw;
            return std::nullopt;  // rank 0 knows more ways
        }
    }
    double largest() override {
        order_all(ranks_, {OrderKind::largest});
        return work_.largest();
    }
    void write_shared(const std::string& file, const std::string& dataset) override {
        order_shared({OrderKind::write_shared}, {file, dataset});
        work_.write_shared({file, dataset});
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

    void write(const Take& take) override {
        Field<T> buffer;
        for_each_slab(planes(), solve_.write_planes, [&](Index first, Index count) {
            if (work_.has(first, count)) return take(first, work_.planes(first, count));
            const FieldView<T> slab = part_of_buffer(buffer, count);
            fetch_solution(first, slab);
            take(first, slab);
        });
    }

    [[nodiscard]] FieldView<const T> solution() const override {
        return all_there() ? work_.planes(0, planes()) : window_->view();
    }

    void bring(Index first, Index count) override {
        if (all_there()) return;
        window_->bring(first, count, task_.problem.grid.axes[0].periodic(),
                       [&](Index from, FieldView<T> into) { fetch_solution(from, into); });
    }

    [[nodiscard]] bool all_there() const override { return ranks_.size() == 1; }

    /// In a window the planes near one end are next to those near the other, as in a ring.
    void bring_ends() override {
        if (all_there()) return;
        window_->bring(0, 1, true, [&](Index from, FieldView<T> into) { fetch_solution(from, into); });
    }

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

private:
    /// For a right-hand side.
    void make_ready() {
        if (!work_.ready()) {
            order_all(ranks_, {OrderKind::renew});
            work_.renew();
        }
        window_ = make_window();
    }
    void order_shared(const Order& one, DatasetName name) {
        Packer message;
        describe(message, name);
        order_all(ranks_, one);
        for (int rank = 1; rank < ranks_.size(); ++rank) send_message(ranks_, rank, message);
    }

    static MemberTask member_task(const Ranks& ranks, const SolveTask& solve) {
        const auto refuse = [](const std::string& found) {
            throw Error(
                ErrorCode::unsupported,
                "members that share a box solve on processors, or as ranks of MPI with a GPU each, with one "
                "way through its passes: found " +
                    found);
        };
        const Options& options = solve.options;
        const bool on_devices = options.engine == Engine::fused && ranks.size() > 1;
        if (options.engine != Engine::automatic && options.engine != Engine::host && !on_devices)
            refuse(std::string("--engine ") + name(options.engine) + ", wanted host" +
                   (ranks.size() > 1 ? " or fused" : ""));
        if (options.middle != Middle::automatic)
            refuse(std::string("--middle ") + name(options.middle) + ", wanted automatic");
        if (options.memory != Memory::automatic)
            refuse(std::string("--memory ") + name(options.memory) + ", wanted automatic");
        if (solve.mixed) refuse("--precision mixed, wanted double or single");
        if (solve.faces && on_devices)
            throw Error(ErrorCode::unsupported,
                        "ranks with GPUs do not tell what they found on free faces, which verifying and --gradient "
                        "want to know: leave --engine out, or give --no-verify and no --gradient");
        return {
            solve.problem, solve.shape, {solve.method, options.threads, 1}, std::is_same_v<T, double>, on_devices};
    }

    /// Tells the other ranks what to plan, which they do while this one does.
    static Communicator assemble(Ranks& ranks, const MemberTask& task, const BoundaryData<T>& boundary) {
        const Decomposition parts = task.parts();
        if (ranks.size() == 1) return threads(parts.members());
        order_all(ranks, {OrderKind::plan});
        for (int rank = 1; rank < ranks.size(); ++rank) {
            Packer message;
            MemberTask told = task;
            describe(message, told);
            pack_boundary(message, part_of(boundary, parts.box(rank)), parts.box(rank));
            send_message(ranks, rank, message);
        }
        return members_of(ranks, task);
    }

    static std::vector<BoundaryData<T>> parts_for(const Communicator& members, const MemberTask& task,
                                                  const BoundaryData<T>& boundary) {
        std::vector<BoundaryData<T>> mine;
        for (const int m : members.mine()) mine.push_back(part_of(boundary, task.parts().box(m)));
        return mine;
    }

    [[nodiscard]] std::unique_ptr<PlaneWindow<T>> make_window() const {
        if (!solve_.keep || all_there()) return nullptr;
        return std::make_unique<PlaneWindow<T>>(solve_.problem.grid.points());
    }

    [[nodiscard]] Index planes() const { return task_.problem.grid.points()[0]; }

    template <class Value>
    static std::size_t bytes_of(FieldView<Value> dense) {
        return static_cast<std::size_t>(dense.size()) * sizeof(Value);
    }

    /// Between fields whose lines along the last axis are contiguous.
    template <class Value>
    static void copy_lines(FieldView<const Value> from, FieldView<Value> to) {
        for (Index i = 0; i < to.extents[0]; ++i)
            for (Index j = 0; j < to.extents[1]; ++j)
                std::memcpy(&to(i, j, 0), &from(i, j, 0), static_cast<std::size_t>(to.extents[2]) * sizeof(Value));
    }
    template <class Value>
    static FieldView<Value> packed(FieldView<Value> part, std::vector<Value>& buffer) {
        buffer.resize(static_cast<std::size_t>(part.size()));
        const FieldView<Value> copy(buffer.data(), part.extents);
        copy_lines<Value>(part, copy);
        return copy;
    }

    [[nodiscard]] FieldView<T> part_of_buffer(Field<T>& buffer, Index count) const {
        const Extents points = task_.problem.grid.points();
        if (buffer.extents()[0] < count) buffer = Field<T>({count, points[1], points[2]});
        return buffer.view().slab(0, count);
    }

    /// body(member, first plane, part) for what each member has of a slab of the grid.
    template <class Value, class Body>
    void for_each_part(Index first, FieldView<Value> slab, const Body& body) const {
        const Decomposition& parts = work_.parts();
        for (int member = 0; member < parts.members(); ++member) {
            Box box = parts.box(member);
            const Index end = std::min(first + slab.extents[0], box.first[0] + box.points[0]);
            box.first[0] = std::max(first, box.first[0]);
            box.points[0] = end - box.first[0];
            if (box.points[0] > 0 && box.points[1] > 0)
                body(member, box.first[0], box_in(slab, {first, 0, 0}, box));
        }
    }

    /// Planes first … of what all members have: mine(first, count) here, those of others on that order.
    template <class Value, class Mine>
    void fetch(OrderKind others, const Mine& mine, Index first, FieldView<Value> into) {
        if (work_.has(first, into.extents[0])) return copy_lines<Value>(mine(first, into.extents[0]), into);
        std::vector<Value> buffer;
        for_each_part(first, into, [&](int member, Index from, FieldView<Value> part) {
            const Index many = part.extents[0];
            if (member == 0) return copy_lines<Value>(mine(from, many), part);
            order(ranks_, member, {others, from, many});
            FieldView<Value> came = part;
            if (!part.dense())
                buffer.resize(static_cast<std::size_t>(part.size())), came = {buffer.data(), part.extents};
            ranks_.receive(member, came.data, bytes_of(came));
            if (!part.dense()) copy_lines<Value>(came, part);
        });
    }
    void fetch_solution(Index first, FieldView<T> into) {
        const auto mine = [&](Index from, Index many) { return work_.planes(from, many); };
        fetch<T>(OrderKind::give, mine, first, into);
    }
    void fetch_operator(Index first, FieldView<double> into) {
        const auto mine = [&](Index from, Index many) { return work_.operator_planes(from, many); };
        fetch<double>(OrderKind::give_operator, mine, first, into);
    }

    Ranks& ranks_;
    SolveTask solve_;
    MemberTask task_;
    std::unique_ptr<PlaneWindow<T>> window_;  ///< on the solution, with SolveTask::keep and unless all_there()
    Communicator members_;
    MemberWork<T> work_;
};

}  // namespace poisson3d::app
