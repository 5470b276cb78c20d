#include "redistribution.hpp"

#include <algorithm>

#include "poisson3d/device_memory.hpp"

namespace poisson3d {

std::vector<Block> blocks_between(const std::vector<Box>& from, const std::vector<Box>& to) {
    std::vector<Block> blocks;
    std::vector<Index> from_at(from.size(), 0);
    for (std::size_t t = 0; t < to.size(); ++t) {
        Index to_at = 0;
        for (std::size_t f = 0; f < from.size(); ++f) {
            const Box box = intersection(from[f], to[t]);
            if (size_of(box) == 0) continue;
            blocks.push_back({static_cast<int>(f), static_cast<int>(t), box, from_at[f], to_at});
            from_at[f] += size_of(box);
            to_at += size_of(box);
        }
    }
    return blocks;
}

template <class T>
Redistribution<T>::Redistribution(std::vector<Box> from, std::vector<Box> to, const Transport& transport,
                                  ThreadTeam& team, bool direct)
    : mine_(transport.mine()),
      team_(team),
      from_boxes_(std::move(from)),
      to_boxes_(std::move(to)),
      blocks_(blocks_between(from_boxes_, to_boxes_)),
      direct_(direct) {
    for (const int m : mine_) devices_.push_back(transport.device(m));
    if (direct_) return;
    from_ = make_end(from_boxes_, &Block::from, &Block::from_at);
    to_ = make_end(to_boxes_, &Block::to, &Block::to_at);
}

template <class T>
void Redistribution<T>::Placed::put_on(int device) {
    for (const PlacedBox& box : boxes) on_device.add(box, sizeof(T));
    if (boxes.empty()) return;
    table = MemberMemory<PlacedBox>(static_cast<Index>(boxes.size()), device);
    const DeviceScope scope(device);
    copy_to_device(table.data(), boxes.data(), table.bytes());
    on_device.table = table.data();
}

template <class T>
typename Redistribution<T>::End Redistribution<T>::make_end(const std::vector<Box>& boxes, int Block::*member,
                                                            Index Block::*at) const {
    End end;
    for (std::size_t m = 0; m < mine_.size(); ++m) {
        Placed& here = end.emplace_back();
        Index numbers = 0;
        for (const Block& block : blocks_)
            if (block.*member == mine_[m]) numbers += size_of(block.box);
        here.memory = MemberMemory<T>(numbers, devices_[m]);
        const Extents& whole = boxes[static_cast<std::size_t>(mine_[m])].first;
        for (const Block& block : blocks_) {
            if (block.*member != mine_[m]) continue;
            Extents first = block.box.first;
            for (std::size_t d = 0; d < 3; ++d) first[d] -= whole[d];
            here.boxes.push_back(PlacedBox::packed(first, block.box.points, here.memory.data() + block.*at));
        }
        if (devices_[m] >= 0) here.put_on(devices_[m]);
    }
    return end;
}

template <class T>
void Redistribution<T>::prepare(Way way, Transport& transport) {
    if (devices_.front() < 0) {
        there_ = transport.prepare(transfers(false));
        back_ = transport.prepare(transfers(true));
    } else {
        there_ = transport.prepare_by(way, transfers(false));
        back_ = transport.prepare_by(way, transfers(true));
    }
}

template <class T>
void Redistribution<T>::prepare(std::span<const FieldView<T>> to, Transport& transport) {
    std::vector<std::byte*> places(to_boxes_.size(), nullptr);
    for (std::size_t m = 0; m < mine_.size(); ++m)
        places[static_cast<std::size_t>(mine_[m])] = reinterpret_cast<std::byte*>(to[m].data);
    ReachedPlaces reached = transport.reached(places);
    reached_ = std::move(reached.kept);
    for (std::size_t m = 0; m < mine_.size(); ++m) {
        Placed& here = from_.emplace_back();
        const Extents& whole = from_boxes_[static_cast<std::size_t>(mine_[m])].first;
        for (const Block& block : blocks_) {
            if (block.from != mine_[m]) continue;
            const auto there = static_cast<std::size_t>(block.to);
            const Box& box = to_boxes_[there];
            Extents first{}, in{};
            for (std::size_t d = 0; d < 3; ++d) {
                first[d] = block.box.first[d] - whole[d];
                in[d] = block.box.first[d] - box.first[d];
            }
            const Index row = box.points[2], plane = box.points[1] * row;
            T* const place = reinterpret_cast<T*>(reached.of[there]) + in[0] * plane + in[1] * row + in[2];
            here.boxes.push_back({first, block.box.points, place, plane, row});
        }
        here.put_on(devices_[m]);
    }
    std::vector<Transfer> enter, leave;
    for (const Block& block : blocks_) {
        if (block.from == block.to) continue;
        enter.push_back({block.to, block.from, nullptr, nullptr, 0, 0, 0, 0});
        leave.push_back({block.from, block.to, nullptr, nullptr, 0, 0, 0, 0});
    }
    enter_ = transport.prepare_by(Way::stores, enter);
    leave_ = transport.prepare_by(Way::stores, leave);
}

template <class T>
T* Redistribution<T>::packed(const End& end, int member, Index at) const {
    const auto found = std::find(mine_.begin(), mine_.end(), member);
    if (found == mine_.end()) return nullptr;
    return end[static_cast<std::size_t>(found - mine_.begin())].memory.data() + at;
}

template <class T>
std::vector<Transfer> Redistribution<T>::transfers(bool back) const {
    std::vector<Transfer> list;
    for (const Block& block : blocks_) {
        const Index bytes = size_of(block.box) * static_cast<Index>(sizeof(T));
        auto* const from = reinterpret_cast<std::byte*>(packed(from_, block.from, block.from_at));
        auto* const to = reinterpret_cast<std::byte*>(packed(to_, block.to, block.to_at));
        list.push_back(back ? Transfer{block.to, block.from, to, from, bytes, 1, bytes, bytes}
                            : Transfer{block.from, block.to, from, to, bytes, 1, bytes, bytes});
    }
    std::ranges::stable_sort(list, {}, &Transfer::to);
    return list;
}

/// body(number of a member of mine), by the team.
template <class T>
template <class Body>
void Redistribution<T>::for_each(const Body& body) const {
    team_.parallel_for(static_cast<Index>(mine_.size()), 1, [&](Index begin, Index end, int) {
        for (Index n = begin; n < end; ++n) body(static_cast<std::size_t>(n));
    });
}

namespace {

/// copy(row of a view, row of packed memory, count) for all rows of boxes.
template <class T, class View, class Copy>
void for_rows(const std::vector<PlacedBox>& boxes, const View& view, const Copy& copy) {
    for (const PlacedBox& box : boxes) {
        T* row = static_cast<T*>(box.place);
        for (Index i = 0; i < box.points[0]; ++i)
            for (Index j = 0; j < box.points[1]; ++j, row += box.points[2])
                copy(view.data + (box.first[0] + i) * view.strides[0] + (box.first[1] + j) * view.strides[1] +
                         box.first[2],
                     row, box.points[2]);
    }
}

}  // namespace

template <class T>
void Redistribution<T>::pack(const End& end, std::span<const FieldView<const T>> views,
                             std::span<const Stream> streams, std::span<const T> constants) const {
    for_each([&](std::size_t m) {
        const T constant = constants.empty() ? T(0) : constants[m];
        if (devices_[m] >= 0) {
            const DeviceScope scope(devices_[m]);
            launch_put_boxes<T>(end[m].on_device, views[m], constant, streams[m]);
        } else if (views[m].data == nullptr) {
            std::fill_n(end[m].memory.data(), end[m].memory.bytes() / sizeof(T), constant);
        } else {
            for_rows<T>(end[m].boxes, views[m],
                        [](const T* field, T* row, Index count) { std::copy_n(field, count, row); });
        }
    });
}

template <class T>
void Redistribution<T>::unpack(const End& end, std::span<const FieldView<T>> views,
                               std::span<const Stream> streams) const {
    for_each([&](std::size_t m) {
        if (devices_[m] >= 0) {
            const DeviceScope scope(devices_[m]);
            launch_take_boxes<T>(end[m].on_device, views[m], streams[m]);
        } else {
            for_rows<T>(end[m].boxes, views[m],
                        [](T* field, const T* row, Index count) { std::copy_n(row, count, field); });
        }
    });
}

template <class T>
void Redistribution<T>::there(std::span<const FieldView<const T>> from, std::span<const FieldView<T>> to,
                              std::span<const Stream> streams, std::span<const T> constants) {
    if (direct_) {
        enter_->run(team_, streams);
        pack(from_, from, streams, constants);
        leave_->run(team_, streams);
        return;
    }
    pack(from_, from, streams, constants);
    there_->run(team_, streams);
    unpack(to_, to, streams);
}

template <class T>
void Redistribution<T>::back(std::span<const FieldView<const T>> to, std::span<const FieldView<T>> from,
                             std::span<const Stream> streams) {
    if (direct_) {
        enter_->run(team_, streams);
        unpack(from_, from, streams);
        leave_->run(team_, streams);
        return;
    }
    pack(to_, to, streams, {});
    back_->run(team_, streams);
    unpack(from_, from, streams);
}

template <class T>
Index Redistribution<T>::messages() const noexcept {
    return std::count_if(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.from != block.to; });
}

template <class T>
Index Redistribution<T>::elements() const noexcept {
    Index sum = 0;
    for (const Block& block : blocks_)
        if (block.from != block.to) sum += size_of(block.box);
    return sum;
}

template <class T>
Index Redistribution<T>::largest() const noexcept {
    Index most = 0;
    for (const Block& block : blocks_)
        if (block.from != block.to) most = std::max(most, size_of(block.box));
    return most;
}

template <class T>
std::pair<Index, Index> Redistribution<T>::sent_by(int member) const noexcept {
    std::pair<Index, Index> sent{0, 0};
    for (const Block& block : blocks_)
        if (block.from != block.to && (block.from == member || block.to == member))
            ++sent.first, sent.second += size_of(block.box);
    return sent;
}

template <class T>
std::size_t Redistribution<T>::bytes() const noexcept {
    std::size_t sum = 0;
    for (const End* end : {&from_, &to_})
        for (const Placed& here : *end) sum += here.memory.bytes() + here.table.bytes();
    return sum;
}

template class Redistribution<float>;
template class Redistribution<double>;

}  // namespace poisson3d
