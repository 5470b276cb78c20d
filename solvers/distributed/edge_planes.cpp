#include "edge_planes.hpp"

#include <algorithm>

#include "placed_boxes.hpp"
#include "poisson3d/pinned_memory.hpp"

namespace poisson3d {

template <class T>
EdgePlanes<T>::EdgePlanes(const std::vector<Box>& boxes, const std::vector<WantedPlane>& wanted,
                          const Transport& transport) {
    std::vector<Index> sent(boxes.size(), 0), received(boxes.size(), 0);
    std::vector<Piece> pieces;
    for (const WantedPlane& one : wanted) {
        const auto [rows, columns] = axes_of_plane(one.axis);
        Box plane = boxes[static_cast<std::size_t>(one.member)];
        plane.first[one.axis] = one.at, plane.points[one.axis] = 1;
        Index& at = received[static_cast<std::size_t>(one.member)];
        wanted_by_.push_back(one.member), plane_at_.push_back(at);
        for (std::size_t from = 0; from < boxes.size(); ++from) {
            const Box block = intersection(boxes[from], plane);
            if (size_of(block) == 0) continue;
            Piece piece{static_cast<int>(from), one.member, one.axis, block.first,          block.points[rows],
                        block.points[columns],  -1,         at,       plane.points[columns]};
            for (std::size_t d = 0; d < 3; ++d) piece.first[d] -= boxes[from].first[d];
            piece.plane_at += (block.first[rows] - plane.first[rows]) * piece.rows_apart + block.first[columns] -
                              plane.first[columns];
            if (piece.from != piece.to) {
                piece.sent_at = sent[from];
                sent[from] += size_of(block);
                ++messages_, elements_ += size_of(block);
            }
            pieces.push_back(piece);
        }
        at += size_of(plane);
    }
    for (const int m : transport.mine()) {
        const int device = transport.device(m);
        Mine& mine = mine_.emplace_back();
        mine.member = m, mine.device = device;
        mine.out = MemberMemory<T>(sent[static_cast<std::size_t>(m)], device);
        mine.planes = MemberMemory<T>(received[static_cast<std::size_t>(m)], device);
        for (const Piece& piece : pieces)
            if (piece.from == m) mine.sent.push_back(piece);
    }
    constexpr auto size = static_cast<Index>(sizeof(T));
    for (const Piece& piece : pieces) {
        if (piece.from == piece.to) continue;
        const Mine *from = find(piece.from), *to = find(piece.to);
        list_.push_back(
            {piece.from, piece.to,
             from == nullptr ? nullptr : reinterpret_cast<const std::byte*>(from->out.data() + piece.sent_at),
             to == nullptr ? nullptr : reinterpret_cast<std::byte*>(to->planes.data() + piece.plane_at),
             piece.run * size, piece.rows, piece.run * size, piece.rows_apart * size});
    }
}

template <class T>
void EdgePlanes<T>::prepare(Transport& transport) {
    Index largest = 0;
    for (const Transfer& t : list_) largest = std::max(largest, t.run * t.runs);
    transfers_ = transport.prepare_small(transport.choose(Way::automatic, largest).way, list_);
}

template <class T>
const typename EdgePlanes<T>::Mine* EdgePlanes<T>::find(int member) const {
    for (const Mine& mine : mine_)
        if (mine.member == member) return &mine;
    return nullptr;
}

template <class T>
T* EdgePlanes<T>::plane(std::size_t wanted) const {
    return find(wanted_by_[wanted])->planes.data() + plane_at_[wanted];
}

template <class T>
std::size_t EdgePlanes<T>::bytes() const noexcept {
    std::size_t sum = 0;
    for (const Mine& mine : mine_) sum += mine.out.bytes() + mine.planes.bytes();
    return sum;
}

/// To where it is sent from; to where it is wanted if that is the same member.
template <class T>
void EdgePlanes<T>::pack(const Mine& mine, const Piece& piece, FieldView<const T> u, Stream stream) const {
    const auto [rows, columns] = axes_of_plane(piece.axis);
    const bool stays = piece.from == piece.to;
    const T* const from = &u(piece.first[0], piece.first[1], piece.first[2]);
    T* const to = stays ? mine.planes.data() + piece.plane_at : mine.out.data() + piece.sent_at;
    const Index apart = stays ? piece.rows_apart : piece.run;
    if (mine.device >= 0) {
        const DeviceScope scope(mine.device);
        if (piece.axis == 2) {  // whose points are not side by side in fields; what stays is a whole plane
            PlacedBoxes plane;
            plane.add(PlacedBox::packed(piece.first, {piece.rows, piece.run, 1}, to), sizeof(T));
            return launch_put_boxes<T>(plane, u, T(0), stream);
        }
        return start_copy_of_rows(to, static_cast<std::size_t>(apart) * sizeof(T), from,
                                  static_cast<std::size_t>(u.strides[rows]) * sizeof(T),
                                  static_cast<std::size_t>(piece.run) * sizeof(T),
                                  static_cast<std::size_t>(piece.rows), stream);
    }
    for (Index r = 0; r < piece.rows; ++r) {
        const T* const row = from + r * u.strides[rows];
        for (Index c = 0; c < piece.run; ++c) to[r * apart + c] = row[c * u.strides[columns]];
    }
}

template <class T>
void EdgePlanes<T>::bring(std::span<const FieldView<const T>> u, ThreadTeam& team,
                          std::span<const Stream> streams) {
    team.parallel_for(static_cast<Index>(mine_.size()), 1, [&](Index begin, Index end, int) {
        for (Index n = begin; n < end; ++n) {
            const auto m = static_cast<std::size_t>(n);
            for (const Piece& piece : mine_[m].sent)
                pack(mine_[m], piece, u[m], streams.empty() ? Stream{} : streams[m]);
        }
    });
    transfers_->run(team, streams);
}

template class EdgePlanes<float>;
template class EdgePlanes<double>;

}  // namespace poisson3d
