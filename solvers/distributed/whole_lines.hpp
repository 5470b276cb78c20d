// Parts of a field moved to where lines along a cut axis are whole, and what becomes of them moved back: between
// any boxes packed, between slabs on devices from and to where they lie.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "member_memory.hpp"
#include "poisson3d/pinned_memory.hpp"
#include "redistribution.hpp"
#include "transport.hpp"

namespace poisson3d {

/// Boxes with whole lines along `axis`, cut along another one as evenly as can be.
inline std::vector<Box> boxes_of_lines(const Extents& points, int axis, int members) {
    const std::size_t across = axis == 0 ? 1 : 0;
    std::vector<Box> boxes;
    for (Index m = 0; m < members; ++m) {
        Box box{{0, 0, 0}, points};
        box.first[across] = points[across] * m / members;
        box.points[across] = points[across] * (m + 1) / members - box.first[across];
        boxes.push_back(box);
    }
    return boxes;
}

template <class T>
class WholeLines {
public:
    virtual ~WholeLines() = default;
    WholeLines() = default;
    WholeLines(const WholeLines&) = delete;
    WholeLines& operator=(const WholeLines&) = delete;

    /// Once, after all members have their memory.
    virtual void prepare(Transport& transport) = 0;
    /// lines() := u, and out := results(). Asynchronous on devices.
    virtual void there(std::span<const FieldView<const T>> u, std::span<const Stream> streams) = 0;
    virtual void back(std::span<const FieldView<T>> out, std::span<const Stream> streams) = 0;
    /// Of my member number m; the same memory on hosts.
    [[nodiscard]] virtual FieldView<const T> lines(std::size_t m) const = 0;
    [[nodiscard]] virtual FieldView<T> results(std::size_t m) const = 0;
    [[nodiscard]] virtual Traffic traffic() const noexcept = 0;  ///< there and back
    [[nodiscard]] virtual std::size_t bytes() const noexcept = 0;
};

/// Between any boxes.
template <class T>
class MovedLines final : public WholeLines<T> {
public:
    MovedLines(const std::vector<Box>& boxes, const std::vector<Box>& lines, Way way, const Transport& transport,
               ThreadTeam& team)
        : way_(way), move_(boxes, lines, transport, team) {
        for (const int m : transport.mine()) {
            const Extents& points = lines[static_cast<std::size_t>(m)].points;
            const Index size = size_of(lines[static_cast<std::size_t>(m)]);
            const int device = transport.device(m);
            T* const line = lines_.emplace_back(size, device).data();
            T* const result = device < 0 ? line : results_.emplace_back(size, device).data();
            line_views_.emplace_back(line, points);
            result_views_.emplace_back(FieldView<T>(result, points));
        }
    }
    void prepare(Transport& transport) override {
        const bool on_devices = transport.device(transport.mine().front()) >= 0;
        const Index bytes = move_.largest() * static_cast<Index>(sizeof(T));
        move_.prepare(on_devices ? transport.choose(way_, bytes).way : Way::automatic, transport);
    }
    void there(std::span<const FieldView<const T>> u, std::span<const Stream> streams) override {
        move_.there(u, line_views_, streams);
    }
    void back(std::span<const FieldView<T>> out, std::span<const Stream> streams) override {
        move_.back(result_views_, out, streams);
    }
    [[nodiscard]] FieldView<const T> lines(std::size_t m) const override { return line_views_[m]; }
    [[nodiscard]] FieldView<T> results(std::size_t m) const override {
        return {results_.empty() ? line_views_[m].data : results_[m].data(), line_views_[m].extents};
    }
    [[nodiscard]] Traffic traffic() const noexcept override {
        return {2 * move_.messages(), 2.0 * sizeof(T) * static_cast<double>(move_.elements())};
    }
    [[nodiscard]] std::size_t bytes() const noexcept override {
        std::size_t sum = move_.bytes();
        for (const auto* memory : {&lines_, &results_})
            for (const MemberMemory<T>& one : *memory) sum += one.bytes();
        return sum;
    }

private:
    Way way_;
    Redistribution<T> move_;
    std::vector<MemberMemory<T>> lines_, results_;  ///< of my members; on hosts they are the same
    std::vector<FieldView<T>> line_views_;
    std::vector<FieldView<const T>> result_views_;
};

/// Between slabs on devices and lines along the first axis. u is copied to a dense part first, whose rows are sent
/// from where they lie to where they belong; and back.
template <class T>
class LinesOfSlabs final : public WholeLines<T> {
public:
    LinesOfSlabs(const std::vector<Box>& slabs, const std::vector<Box>& lines, Way way, Transport& transport,
                 ThreadTeam& team)
        : slabs_(slabs), lines_(lines), way_(way), team_(team), mine_(transport.mine()) {
        for (const int m : mine_) {
            const int device = transport.device(m);
            const auto at = static_cast<std::size_t>(m);
            members_.push_back({device, MemberMemory<T>(size_of(slabs[at]), device),
                                MemberMemory<T>(size_of(lines[at]), device),
                                MemberMemory<T>(size_of(lines[at]), device)});
        }
    }
    void prepare(Transport& transport) override {
        std::vector<Transfer> there, back;
        Index largest = 0;
        for (std::size_t to = 0; to < lines_.size(); ++to)
            for (std::size_t from = 0; from < slabs_.size(); ++from) add(from, to, there, back, largest);
        std::stable_sort(back.begin(), back.end(),
                         [](const Transfer& a, const Transfer& b) { return a.to < b.to; });
        const ChosenWay way = transport.choose(way_, largest);
        there_ = transport.prepare_by(way.way, there);
        back_ = transport.prepare_by(way.way, back);
    }
    void there(std::span<const FieldView<const T>> u, std::span<const Stream> streams) override {
        for_each([&](std::size_t m) {
            const FieldView<T> part = part_of(m);
            copy(part, u[m], streams[m]);
        });
        there_->run(team_, streams);
    }
    void back(std::span<const FieldView<T>> out, std::span<const Stream> streams) override {
        back_->run(team_, streams);
        for_each([&](std::size_t m) { copy(out[m], FieldView<const T>(part_of(m)), streams[m]); });
    }
    [[nodiscard]] FieldView<const T> lines(std::size_t m) const override {
        return {members_[m].lines.data(), lines_[static_cast<std::size_t>(mine_[m])].points};
    }
    [[nodiscard]] FieldView<T> results(std::size_t m) const override {
        return {members_[m].results.data(), lines_[static_cast<std::size_t>(mine_[m])].points};
    }
    [[nodiscard]] Traffic traffic() const noexcept override { return traffic_; }
    [[nodiscard]] std::size_t bytes() const noexcept override {
        std::size_t sum = 0;
        for (const Member& member : members_)
            sum += member.part.bytes() + member.lines.bytes() + member.results.bytes();
        return sum;
    }

private:
    struct Member {
        int device;
        MemberMemory<T> part, lines, results;
    };

    /// What a slab and a range of lines share: of each plane neighbouring rows.
    void add(std::size_t from, std::size_t to, std::vector<Transfer>& there, std::vector<Transfer>& back,
             Index& largest) {
        const Box &slab = slabs_[from], &lines = lines_[to];
        const Index rows = lines.points[1], z = slab.points[2];
        if (slab.points[0] * rows * z == 0) return;
        constexpr auto size = static_cast<Index>(sizeof(T));
        const auto at = [](const MemberMemory<T>* memory, Index offset) {
            return memory == nullptr ? nullptr : reinterpret_cast<std::byte*>(memory->data() + offset);
        };
        const Member *sender = find(from), *receiver = find(to);
        const Index run = rows * z, in_slab = lines.first[1] * z, in_lines = slab.first[0] * run;
        const Index slab_plane = slab.points[1] * z;
        const auto a = static_cast<int>(from), b = static_cast<int>(to);
        there.push_back({a, b, at(sender == nullptr ? nullptr : &sender->part, in_slab),
                         at(receiver == nullptr ? nullptr : &receiver->lines, in_lines), run * size, slab.points[0],
                         slab_plane * size, run * size});
        back.push_back({b, a, at(receiver == nullptr ? nullptr : &receiver->results, in_lines),
                        at(sender == nullptr ? nullptr : &sender->part, in_slab), run * size, slab.points[0],
                        run * size, slab_plane * size});
        if (a == b) return;
        largest = std::max(largest, run * slab.points[0] * size);
        traffic_.messages += 2;
        traffic_.bytes += 2.0 * static_cast<double>(run * slab.points[0] * size);
    }
    [[nodiscard]] const Member* find(std::size_t member) const {
        for (std::size_t m = 0; m < mine_.size(); ++m)
            if (static_cast<std::size_t>(mine_[m]) == member) return &members_[m];
        return nullptr;
    }
    [[nodiscard]] FieldView<T> part_of(std::size_t m) const {
        return {members_[m].part.data(), slabs_[static_cast<std::size_t>(mine_[m])].points};
    }
    /// body(m) of my members that have points.
    template <class Body>
    void for_each(const Body& body) const {
        team_.parallel_for(static_cast<Index>(mine_.size()), 1, [&](Index begin, Index end, int) {
            for (Index n = begin; n < end; ++n) {
                const auto m = static_cast<std::size_t>(n);
                if (size_of(slabs_[static_cast<std::size_t>(mine_[m])]) == 0) continue;
                const DeviceScope scope(members_[m].device);
                body(m);
            }
        });
    }
    /// At once where planes follow each other as rows do, else plane by plane.
    static void copy(FieldView<T> to, FieldView<const T> from, Stream stream) {
        const Extents n = to.extents;
        const auto rows = [&](Index plane, Index count) {
            start_copy_of_rows(to.data + plane * to.strides[0], static_cast<std::size_t>(to.strides[1]) * sizeof(T),
                               from.data + plane * from.strides[0],
                               static_cast<std::size_t>(from.strides[1]) * sizeof(T),
                               static_cast<std::size_t>(n[2]) * sizeof(T), static_cast<std::size_t>(count), stream);
        };
        if (to.strides[0] == n[1] * to.strides[1] && from.strides[0] == n[1] * from.strides[1])
            return rows(0, n[0] * n[1]);
        for (Index plane = 0; plane < n[0]; ++plane) rows(plane, n[1]);
    }

    std::vector<Box> slabs_, lines_;
    Way way_;
    ThreadTeam& team_;
    std::vector<int> mine_;
    std::vector<Member> members_;
    std::unique_ptr<Transfers> there_, back_;
    Traffic traffic_;
};

}  // namespace poisson3d
