#include "redistribution.hpp"

#include <algorithm>

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
Redistribution<T>::Redistribution(std::vector<Box> from, std::vector<Box> to, Transport& transport,
                                  ThreadTeam& team)
    : mine_(transport.mine()), team_(team), blocks_(blocks_between(from, to)) {
    from_.boxes = std::move(from), to_.boxes = std::move(to);
    for (const int m : mine_) {
        Index sent = 0, received = 0;
        for (const Block& block : blocks_) {
            if (block.from == m) sent += size_of(block.box);
            if (block.to == m) received += size_of(block.box);
        }
        from_.packed.emplace_back(Extents{1, 1, sent});
        to_.packed.emplace_back(Extents{1, 1, received});
    }
    there_ = transport.prepare(transfers(false));
    back_ = transport.prepare(transfers(true));
}

template <class T>
T* Redistribution<T>::packed(const End& end, int member, Index at) const {
    const auto found = std::find(mine_.begin(), mine_.end(), member);
    if (found == mine_.end()) return nullptr;
    return const_cast<T*>(end.packed[static_cast<std::size_t>(found - mine_.begin())].data()) + at;
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
    return list;
}

/// copy(row of a view, row of packed memory, count) for all rows of all blocks of my members.
template <class T>
template <class View, class Copy>
void Redistribution<T>::for_rows(std::span<const View> views, const End& end, int Block::*member, Index Block::*at,
                                 const Copy& copy) {
    team_.parallel_for(static_cast<Index>(mine_.size()), 1, [&](Index begin, Index stop, int) {
        for (Index n = begin; n < stop; ++n) {
            const auto m = static_cast<std::size_t>(n);
            const Extents first = end.boxes[static_cast<std::size_t>(mine_[m])].first;
            for (const Block& block : blocks_) {
                if (block.*member != mine_[m]) continue;
                T* row = packed(end, mine_[m], block.*at);
                for (Index i = 0; i < block.box.points[0]; ++i)
                    for (Index j = 0; j < block.box.points[1]; ++j, row += block.box.points[2])
                        copy(&views[m](block.box.first[0] - first[0] + i, block.box.first[1] - first[1] + j,
                                       block.box.first[2] - first[2]),
                             row, block.box.points[2]);
            }
        }
    });
}

template <class T>
void Redistribution<T>::there(std::span<const FieldView<const T>> from, std::span<const FieldView<T>> to) {
    for_rows(from, from_, &Block::from, &Block::from_at,
             [](const T* field, T* row, Index count) { std::copy_n(field, count, row); });
    there_->run(team_, {});
    for_rows(to, to_, &Block::to, &Block::to_at,
             [](T* field, const T* row, Index count) { std::copy_n(row, count, field); });
}

template <class T>
void Redistribution<T>::back(std::span<const FieldView<const T>> to, std::span<const FieldView<T>> from) {
    for_rows(to, to_, &Block::to, &Block::to_at,
             [](const T* field, T* row, Index count) { std::copy_n(field, count, row); });
    back_->run(team_, {});
    for_rows(from, from_, &Block::from, &Block::from_at,
             [](T* field, const T* row, Index count) { std::copy_n(row, count, field); });
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
std::pair<Index, Index> Redistribution<T>::sent_by(int member) const noexcept {
    std::pair<Index, Index> sent{0, 0};
    for (const Block& block : blocks_)
        if (block.from != block.to && (block.from == member || block.to == member))
            ++sent.first, sent.second += size_of(block.box);
    return sent;
}

template <class T>
std::size_t Redistribution<T>::bytes() const noexcept {
    Index sum = 0;
    for (const End* end : {&from_, &to_})
        for (const Field<T>& field : end->packed) sum += field.size();
    return static_cast<std::size_t>(sum) * sizeof(T);
}

template class Redistribution<float>;
template class Redistribution<double>;

}  // namespace poisson3d
