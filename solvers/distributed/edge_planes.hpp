// Planes across an axis, each over the box of a member, that the member wants of a field: of others' parts, and of
// its own. They stand one behind the other in its memory, dense in the order of the two other axes.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "boxes.hpp"
#include "member_memory.hpp"
#include "poisson3d/field.hpp"
#include "poisson3d/stream.hpp"
#include "transport.hpp"

namespace poisson3d {

/// The axes of planes across one: rows, and what lies in them.
constexpr std::array<std::size_t, 2> axes_of_plane(int axis) noexcept {
    return {axis == 0 ? std::size_t{1} : 0, axis == 2 ? std::size_t{1} : 2};
}

/// Plane `at` of an axis, counted in the whole grid.
struct WantedPlane {
    int member, axis;
    Index at;
};

template <class T>
class EdgePlanes {
public:
    /// `wanted`: those of all members, the same list on all.
    EdgePlanes(const std::vector<Box>& boxes, const std::vector<WantedPlane>& wanted, const Transport& transport);
    /// Once, after all members have their memory.
    void prepare(Transport& transport);

    /// From the boxes of my members, in the order of mine(); those without points may be null.
    void bring(std::span<const FieldView<const T>> u, ThreadTeam& team, std::span<const Stream> streams);

    /// One that a member of mine wanted, by its number in `wanted`.
    [[nodiscard]] T* plane(std::size_t wanted) const;

    [[nodiscard]] Index messages() const noexcept { return messages_; }  ///< between different members
    [[nodiscard]] Index elements() const noexcept { return elements_; }
    [[nodiscard]] std::size_t bytes() const noexcept;  ///< of memory

private:
    /// What one member sends of a plane: `rows` rows of `run` numbers.
    struct Piece {
        int from, to, axis;
        Extents first;  ///< in the box of the sender
        Index rows, run;
        Index sent_at;               ///< in the memory of the sender; below 0: it is the receiver
        Index plane_at, rows_apart;  ///< in that of the receiver
    };
    struct Mine {
        int member, device;
        std::vector<Piece> sent;
        MemberMemory<T> out, planes;
    };
    [[nodiscard]] const Mine* find(int member) const;
    void pack(const Mine& mine, const Piece& piece, FieldView<const T> u, Stream stream) const;

    std::vector<int> wanted_by_;
    std::vector<Index> plane_at_;  ///< of each wanted plane
    std::vector<Mine> mine_;
    std::vector<Transfer> list_;
    std::unique_ptr<Transfers> transfers_;
    Index messages_ = 0, elements_ = 0;
};

extern template class EdgePlanes<float>;
extern template class EdgePlanes<double>;

}  // namespace poisson3d
