// From the boxes that members have to those in which they solve, and back. Each block that two boxes share is
// packed, sent as one message, and unpacked; on devices one kernel packs all that a member sends. Devices that
// reach each other's memory need no packed one: a kernel stores all that a member has where others need it, and on
// the way back reads it there, so that each of them knows but its own views of `from`.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "boxes.hpp"
#include "member_memory.hpp"
#include "placed_boxes.hpp"
#include "poisson3d/field.hpp"
#include "transport.hpp"

namespace poisson3d {

/// What boxes of two members share, and where it begins in the packed memory of each.
struct Block {
    int from, to;
    Box box;
    Index from_at, to_at;  ///< in elements
};

/// In the order of receivers, and of senders for each. Boxes of `from` do not overlap; those of `to` may.
std::vector<Block> blocks_between(const std::vector<Box>& from, const std::vector<Box>& to);

template <class T>
class Redistribution {
public:
    /// Boxes of all members; takes all memory. Exchanges are run by `team`, which must outlive this. `direct`: on
    /// devices, all of which reach each other's memory.
    Redistribution(std::vector<Box> from, std::vector<Box> to, const Transport& transport, ThreadTeam& team,
                   bool direct = false);
    /// Once, a call of all members after all have been made: exchanges of members on devices go this way.
    void prepare(Way way, Transport& transport);
    /// Or of direct ones, with all views that `to` will be below, dense and none of them null.
    void prepare(std::span<const FieldView<T>> to, Transport& transport);

    /// Views of my members' boxes, of those in `from`, and those in `to`; null where there are no points. Of a
    /// source that is null all points are its number in `constants`. The receiving ones are written to: on devices
    /// in the members' streams, asynchronously.
    void there(std::span<const FieldView<const T>> from, std::span<const FieldView<T>> to,
               std::span<const Stream> streams, std::span<const T> constants = {});
    void back(std::span<const FieldView<const T>> to, std::span<const FieldView<T>> from,
              std::span<const Stream> streams);

    [[nodiscard]] Index messages() const noexcept;  ///< one way, between different members
    [[nodiscard]] Index elements() const noexcept;
    [[nodiscard]] Index largest() const noexcept;  ///< elements of the largest message
    /// Messages and elements of one member, there and back together.
    [[nodiscard]] std::pair<Index, Index> sent_by(int member) const noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;  ///< of memory

private:
    /// What a member of mine has at one end of the way.
    struct Placed {
        std::vector<PlacedBox> boxes;
        MemberMemory<T> memory;         ///< packed
        MemberMemory<PlacedBox> table;  ///< of a member on a device
        PlacedBoxes on_device;
        void put_on(int device);
    };
    using End = std::vector<Placed>;  ///< of my members
    [[nodiscard]] End make_end(const std::vector<Box>& boxes, int Block::*member, Index Block::*at) const;
    [[nodiscard]] std::vector<Transfer> transfers(bool back) const;
    [[nodiscard]] T* packed(const End& end, int member, Index at) const;
    template <class Body>
    void for_each(const Body& body) const;
    void pack(const End& end, std::span<const FieldView<const T>> views, std::span<const Stream> streams,
              std::span<const T> constants) const;
    void unpack(const End& end, std::span<const FieldView<T>> views, std::span<const Stream> streams) const;

    std::vector<int> mine_, devices_;  ///< my members, and where each is
    ThreadTeam& team_;
    std::vector<Box> from_boxes_, to_boxes_;
    std::vector<Block> blocks_;
    bool direct_;
    End from_, to_;
    std::unique_ptr<Transfers> there_, back_;
    std::unique_ptr<Transfers> enter_, leave_;  ///< of direct ones: orders of `from` after `to`, and before it
    std::shared_ptr<const void> reached_;
};

extern template class Redistribution<float>;
extern template class Redistribution<double>;

}  // namespace poisson3d
