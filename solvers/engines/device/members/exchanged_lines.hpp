// Where the unknowns of a member that transposes stand between passes, and what passes store where the next ones
// read it: the forward pass along y rows of other shares, the middle one planes of other parts, into the memory of
// their members; and where inner and across are two fields, both what this member keeps (Parts::direct).
#pragma once

#include <vector>

#include "member_buffers.hpp"
#include "slab_passes.hpp"

namespace poisson3d::members {

using fused::SentElements;
using fused::SentPart;

/// Of one set of buffers.
template <class T>
class ExchangedLines {
public:
    ExchangedLines(const Parts& parts, int member)
        : parts_(parts),
          member_(member),
          pitch_(parts.unknowns[2]),
          all_(parts.unknowns[0]),
          inner_(parts.parts.size()),
          across_(parts.parts.size()) {}

    void bind(const MemberBuffers<T>& own) {
        own_inner_ = own[MemberBuffer::inner];
        own_across_ = own[MemberBuffer::across];
    }
    /// From now on; of each member, or null.
    void store_into(const std::vector<T*>& inner, const std::vector<T*>& across) {
        inner_ = inner, across_ = across;
        stores_ = true;
    }

    /// The planes of this member, before lines along x and after.
    [[nodiscard]] Unknowns<T> planes() const {
        if (parts_.one_field)
            return {own_inner_ + part(member_).first_unknown * pitch_, {pitch_, all_ * pitch_, 1}, true};
        if (parts_.rows_first) return {own_inner_, {pitch_, part(member_).unknowns * pitch_, 1}, true};
        return {own_inner_, {parts_.unknowns[1] * pitch_, pitch_, 1}, true};
    }
    /// Lines along x of some rows of its share.
    [[nodiscard]] Unknowns<T> rows(const Planes& rows) const {
        if (parts_.one_field)
            return {own_across_ + (first_row() + rows.first) * all_ * pitch_, {pitch_, all_ * pitch_, 1}, true};
        if (parts_.rows_first) return {own_across_ + rows.first * all_ * pitch_, {pitch_, all_ * pitch_, 1}, true};
        return {own_across_ + rows.first * pitch_, {parts_.share(member_) * pitch_, pitch_, 1}, true};
    }

    /// Whether passes store anything elsewhere.
    [[nodiscard]] bool stores() const noexcept { return stores_; }
    /// Rows of y that the forward pass over its planes stores elsewhere, of lines along y.
    [[nodiscard]] SentElements<T> rows_elsewhere() const {
        const Index plane = part(member_).first_unknown;
        return elements(all_ * pitch_, [&](int m, SentPart<T>& sent) {
            const Index row = parts_.share_first[static_cast<std::size_t>(m)];
            sent.first = static_cast<int>(row), sent.end = static_cast<int>(row + parts_.share(m));
            sent.slow = pitch_;
            T* const there = across_[static_cast<std::size_t>(m)];
            if (parts_.one_field)
                sent.to = there + (row * all_ + plane) * pitch_;
            else
                sent.to = there + plane * pitch_;
            return Planes{0, m == member_ ? parts_.share(m) : parts_.stored_rows(m)};
        });
    }
    /// Planes of x that the middle pass over some rows of the share stores elsewhere, of lines along x.
    [[nodiscard]] SentElements<T> planes_elsewhere(const Planes& rows) const {
        const Index row = first_row() + rows.first;
        return elements(pitch_, [&](int m, SentPart<T>& sent) {
            const Part& there = part(m);
            sent.first = static_cast<int>(there.first_unknown);
            sent.end = static_cast<int>(there.first_unknown + there.unknowns);
            sent.slow = (parts_.one_field ? all_ : there.unknowns) * pitch_;
            sent.to = inner_[static_cast<std::size_t>(m)] + row * sent.slow;
            if (parts_.one_field) sent.to += there.first_unknown * pitch_;
            return m == member_ ? Planes{0, there.unknowns} : parts_.stored_planes(m);
        });
    }

private:
    /// place(member, part) says which elements of a part would be stored elsewhere, counted from its first one. Of
    /// SentElements::most members at most.
    template <class Place>
    [[nodiscard]] SentElements<T> elements(Index sample, const Place& place) const {
        SentElements<T> all;
        all.sample = sample;
        for (int m = 0; m < parts_.members(); ++m) {
            SentPart<T> sent;
            const Planes some = place(m, sent);
            const bool stays = parts_.one_field && m == member_;
            const bool goes = stores_ && !stays && (m == member_ || parts_.stored > 0.0);
            sent.begin = sent.first + static_cast<int>(some.first);
            sent.count = goes ? static_cast<int>(some.count) : 0;
            if (sent.count == 0) sent.to = nullptr;
            all.parts[m] = sent;
        }
        all.set_guess(parts_.members());
        return all;
    }
    [[nodiscard]] const Part& part(int m) const { return parts_.parts[static_cast<std::size_t>(m)]; }
    [[nodiscard]] Index first_row() const { return parts_.share_first[static_cast<std::size_t>(member_)]; }

    const Parts& parts_;
    int member_;
    Index pitch_, all_;  ///< of rows along z; unknowns along x
    T *own_inner_ = nullptr, *own_across_ = nullptr;
    std::vector<T*> inner_, across_;  ///< of each member
    bool stores_ = false;
};

}  // namespace poisson3d::members
