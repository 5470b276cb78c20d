// From the boxes that members have to those in which they solve, and back: each block that two boxes share is
// packed, sent as one message, and unpacked.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "boxes.hpp"
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
    /// Boxes of all members. Exchanges are run by `team`, which must outlive this.
    Redistribution(std::vector<Box> from, std::vector<Box> to, Transport& transport, ThreadTeam& team);

    /// Views of my members' boxes, of those in `from`, and those in `to`; null where there are no points. The
    /// receiving ones are written to.
    void there(std::span<const FieldView<const T>> from, std::span<const FieldView<T>> to);
    void back(std::span<const FieldView<const T>> to, std::span<const FieldView<T>> from);

    [[nodiscard]] Index messages() const noexcept;  ///< one way, between different members
    [[nodiscard]] Index elements() const noexcept;
    /// Messages and elements of one member, there and back together.
    [[nodiscard]] std::pair<Index, Index> sent_by(int member) const noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;  ///< of memory

private:
    /// One end of the way: boxes, and the packed memory of my members.
    struct End {
        std::vector<Box> boxes;
        std::vector<Field<T>> packed;
    };
    [[nodiscard]] std::vector<Transfer> transfers(bool back) const;
    [[nodiscard]] T* packed(const End& end, int member, Index at) const;
    template <class View, class Copy>
    void for_rows(std::span<const View> views, const End& end, int Block::*member, Index Block::*at,
                  const Copy& copy);

    std::vector<int> mine_;
    ThreadTeam& team_;
    std::vector<Block> blocks_;
    End from_, to_;
    std::unique_ptr<Transfers> there_, back_;
};

extern template class Redistribution<float>;
extern template class Redistribution<double>;

}  // namespace poisson3d
