// Exchanges: which member sends which elements where. Prepared once, executed in every solve.
#pragma once

#include <utility>
#include <vector>

#include "member.hpp"
#include "sample_order.hpp"
#include "transport.hpp"

namespace poisson3d {

/// `runs` of `run` elements, from_stride and to_stride apart; without runs it orders (Transfer).
struct Message {
    int from, to;
    Index from_offset, to_offset;
    Index run, runs = 1;
    Index from_stride = 0, to_stride = 0;
};

struct Exchange {
    MemberBuffer from, to;
    std::vector<Message> messages;  ///< in the order of their receivers, of pencils column by column

    /// Elements of the largest one between different members, and how many of them lie side by side.
    [[nodiscard]] std::pair<Index, Index> largest() const noexcept;
};

/// The exchanges of a method (member.hpp says what lies in which buffer).
Exchange links_to_shares(const Parts& parts);
Exchange planes_to_shares(const Parts& parts, bool constant_line);
Exchange potentials_to_ends(const Parts& parts, bool constant_line);
/// The planes beside a part, for products: the last plane of the part before, the first one of the part after. Of a
/// chain the ends have none.
Exchange planes_to_neighbours(const Parts& parts, bool ring);
/// A chunk of planes, or of it the rows of one piece of each share.
inline constexpr int all_pieces = -1;
Exchange inner_to_across(const Parts& parts, int chunk, int piece = all_pieces);
/// Back; the mean that was removed comes with the last piece of the first chunk. What passes store themselves
/// (Parts::stored) is not sent, but those who need it wait for these passes, with the first piece of the last chunk
/// there and with its last one back.
Exchange across_to_inner(const Parts& parts, int chunk, int piece = all_pieces);
/// Between the pencils of each row, from all modes of z to a share of them; `columns` are the parts of all columns,
/// and members are numbered row by row. And back, with the mean that was removed.
Exchange rows_to_columns(const std::vector<Parts>& columns);
Exchange columns_to_rows(const std::vector<Parts>& columns);
/// Of members on devices: what each has of the samples of a box, and u at the gauge point of `owner`.
Exchange samples_to_all(int members, const SampleOrder& order);
Exchange gauge_to_all(int members, int owner);
/// And the weighted sum of u that each has.
Exchange sums_to_all(int members);

/// With the buffers of my members; the others' are null.
template <class T>
std::vector<Transfer> transfers_of(const Exchange& exchange, const std::vector<MemberEngine<T>*>& members);

}  // namespace poisson3d
