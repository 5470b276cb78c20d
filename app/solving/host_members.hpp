// Members in host memory: threads of this process, or ranks of MPI, each with its box. Rank 0 reads and writes for
// all, slab by slab; for what else it does with the solution planes come here and go again.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "solving/host_part.hpp"
#include "solving/member_backend.hpp"

namespace poisson3d::app {

/// `Part`: HostPart, or RankOnDevice, where each rank has a GPU beside it.
template <class T, template <class> class Part = HostPart>
class HostMembers final : public MemberBackend<T, Part> {
    using Base = MemberBackend<T, Part>;
    using Base::asked, Base::planes, Base::ranks, Base::work;

public:
    using typename SolveBackend<T>::Fill;
    using typename SolveBackend<T>::Take;

    HostMembers(Ranks& all, const SolveTask& solve, const BoundaryData<T>& boundary)
        : HostMembers(all, solve, Base::member_task(all, solve), boundary) {}

    void read(const Fill& fill) override {
        Base::begin();
        Field<T> buffer;
        std::vector<T> message;
        for_each_slab(planes(), asked().read_planes, [&](Index first, Index count) {
            if (part().has(first, count)) return fill(first, part().planes(first, count));
            const FieldView<T> slab = part_of_buffer(buffer, count);
            fill(first, slab);
            for_each_part(first, slab, [&](int member, Index from, FieldView<T> box) {
                const Index many = box.extents[0];
                if (member == 0) return copy_lines<T>(box, part().planes(from, many));
                order(ranks(), member, {OrderKind::take, from, many});
                if (!box.dense()) box = packed(box, message);
                ranks().send(member, box.data, bytes_of(box));
            });
        });
    }

    void write(const Take& take) override {
        Field<T> buffer;
        for_each_slab(planes(), asked().write_planes, [&](Index first, Index count) {
            if (part().has(first, count)) return take(first, part().planes(first, count));
            const FieldView<T> slab = part_of_buffer(buffer, count);
            fetch_solution(first, slab);
            take(first, slab);
        });
    }

    [[nodiscard]] FieldView<const T> solution() const override {
        return all_there() ? work().part().planes(0, planes()) : Base::solution();
    }
    void bring(Index first, Index count) override {
        if (!all_there()) Base::bring(first, count);
    }
    [[nodiscard]] bool all_there() const override { return ranks().size() == 1; }

    /// Slabs alone: pencils have parts of planes.
    [[nodiscard]] bool shares_files() const override { return ranks().share_files() && Base::task().shape[1] == 1; }
    std::optional<RhsNumbers> read_shared(const std::string& file, const std::string& dataset,
                                          double scale) override {
        Base::begin();
        order_shared({.kind = OrderKind::read_shared, .number = scale}, {file, dataset});
        try {
            return work().read_shared({file, dataset}, scale);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::file) throw;
            return std::nullopt;  // rank 0 knows more ways
        }
    }
    double largest() override {
        order_all(ranks(), {OrderKind::largest});
        return work().largest();
    }
    void write_shared(const std::string& file, const std::string& dataset) override {
        order_shared({OrderKind::write_shared}, {file, dataset});
        work().write_shared({file, dataset});
    }

protected:
    void fetch_solution(Index first, FieldView<T> into) override { fetch<T>(OrderKind::give, part(), first, into); }
    void fetch_operator(Index first, FieldView<double> into) override {
        fetch<double>(OrderKind::give_operator, work().operator_part(), first, into);
    }

private:
    HostMembers(Ranks& all, const SolveTask& solve, const MemberTask& task, const BoundaryData<T>& boundary)
        : Base(
              all, solve, task, boundary, all.size() > 1, [&] { return assemble(all, task, boundary); },
              [&](const Communicator& members) { return HostPlace(all, task, members); }) {
        if constexpr (!std::is_same_v<Part<T>, HostPart<T>>) work().warm_up();
    }

    /// Tells the other ranks what to plan, which they do while this one does.
    static Communicator assemble(Ranks& all, const MemberTask& task, const BoundaryData<T>& boundary) {
        const Decomposition parts = task.parts();
        if (all.size() == 1) return threads(parts.members());
        order_all(all, {OrderKind::plan});
        for (int rank = 1; rank < all.size(); ++rank) {
            Packer message;
            MemberTask told = task;
            describe(message, told);
            pack_boundary(message, part_of(boundary, parts.box(rank)), parts.box(rank));
            send_message(all, rank, message);
        }
        return members_of(all, task);
    }
    void order_shared(const Order& one, DatasetName name) {
        Packer message;
        describe(message, name);
        order_all(ranks(), one);
        for (int rank = 1; rank < ranks().size(); ++rank) send_message(ranks(), rank, message);
    }

    [[nodiscard]] HostPart<T>& part() { return work().part(); }

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
        const Extents points = Base::task().problem.grid.points();
        if (buffer.extents()[0] < count) buffer = Field<T>({count, points[1], points[2]});
        return buffer.view().slab(0, count);
    }

    /// body(member, first plane, part) for what each member has of a slab of the grid.
    template <class Value, class Body>
    void for_each_part(Index first, FieldView<Value> slab, const Body& body) const {
        const Decomposition& parts = work().parts();
        for (int member = 0; member < parts.members(); ++member) {
            Box box = parts.box(member);
            const Index end = std::min(first + slab.extents[0], box.first[0] + box.points[0]);
            box.first[0] = std::max(first, box.first[0]);
            box.points[0] = end - box.first[0];
            if (box.points[0] > 0 && box.points[1] > 0)
                body(member, box.first[0], box_in(slab, {first, 0, 0}, box));
        }
    }

    /// Planes first … of what all members have: here those of `mine`, those of others on that order.
    template <class Value>
    void fetch(OrderKind others, HostPart<Value>& mine, Index first, FieldView<Value> into) {
        if (mine.has(first, into.extents[0])) return copy_lines<Value>(mine.planes(first, into.extents[0]), into);
        std::vector<Value> buffer;
        for_each_part(first, into, [&](int member, Index from, FieldView<Value> part) {
            const Index many = part.extents[0];
            if (member == 0) return copy_lines<Value>(mine.planes(from, many), part);
            order(ranks(), member, {others, from, many});
            FieldView<Value> came = part;
            if (!part.dense())
                buffer.resize(static_cast<std::size_t>(part.size())), came = {buffer.data(), part.extents};
            ranks().receive(member, came.data, bytes_of(came));
            if (!part.dense()) copy_lines<Value>(came, part);
        });
    }
};

}  // namespace poisson3d::app
