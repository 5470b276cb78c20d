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
Redistribution<T>::Redistribution(const std::vector<Box>& from, const std::vector<Box>& to,
                                  const Transport& transport, ThreadTeam& team)
    : mine_(transport.mine()), team_(team), blocks_(blocks_between(from, to)) {
    for (const int m : mine_) devices_.push_back(transport.device(m));
    from_ = make_end(from, &Block::from, &Block::from_at);
    to_ = make_end(to, &Block::to, &Block::to_at);
}

template <class T>
typename Redistribution<T>::End Redistribution<T>::make_end(const std::vector<Box>& boxes, int Block::*member,
                                                            Index Block::*at) const {
    End end;
    for (std::size_t m = 0; m < mine_.size(); ++m) {
        Packed& here = end.emplace_back();
        const Extents& first = boxes[static_cast<std::size_t>(mine_[m])].first;
        for (const Block& block : blocks_) {
            if (block.*member != mine_[m]) continue;
            PackedBox& box = here.boxes.emplace_back(PackedBox{block.*at, block.box.first, block.box.points});
            for (std::size_t d = 0; d < 3; ++d) box.first[d] -= first[d];
            here.on_device.numbers += size_of(block.box);
        }
        here.memory = MemberMemory<T>(here.on_device.numbers, devices_[m]);
        if (devices_[m] < 0 || here.boxes.empty()) continue;
        here.table = MemberMemory<PackedBox>(static_cast<Index>(here.boxes.size()), devices_[m]);
        const DeviceScope scope(devices_[m]);
        copy_to_device(here.table.data(), here.boxes.data(), here.table.bytes());
        here.on_device.table = here.table.data();
        here.on_device.count = static_cast<int>(here.boxes.size());
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
template <class View, class T, class Copy>
void for_rows(const std::vector<PackedBox>& boxes, const View& view, T* packed, const Copy& copy) {
    for (const PackedBox& box : boxes) {
        T* row = packed + box.at;
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
            launch_pack<T>(end[m].on_device, views[m], constant, end[m].memory.data(), streams[m]);
        } else if (views[m].data == nullptr) {
            std::fill_n(end[m].memory.data(), end[m].on_device.numbers, constant);
        } else {
            for_rows(end[m].boxes, views[m], end[m].memory.data(),
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
            launch_unpack<T>(end[m].on_device, end[m].memory.data(), views[m], streams[m]);
        } else {
            for_rows(end[m].boxes, views[m], end[m].memory.data(),
                     [](T* field, const T* row, Index count) { std::copy_n(row, count, field); });
        }
    });
}

template <class T>
void Redistribution<T>::there(std::span<const FieldView<const T>> from, std::span<const FieldView<T>> to,
                              std::span<const Stream> streams, std::span<const T> constants) {
    pack(from_, from, streams, constants);
    there_->run(team_, streams);
    unpack(to_, to, streams);
}

template <class T>
void Redistribution<T>::back(std::span<const FieldView<const T>> to, std::span<const FieldView<T>> from,
                             std::span<const Stream> streams) {
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
        for (const Packed& here : *end) sum += here.memory.bytes() + here.table.bytes();
    return sum;
}

template class Redistribution<float>;
template class Redistribution<double>;

}  // namespace poisson3d
