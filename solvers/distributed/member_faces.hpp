// What the members of a plan found on the free faces of the first axis (gathered_faces.hpp), whole for all and, in
// the memory of its fields, the part of each; members on devices keep planes there until somebody asks.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "boxes.hpp"
#include "gathered_faces.hpp"
#include "member.hpp"
#include "member_memory.hpp"

namespace poisson3d {

template <class T>
class MemberFaces {
public:
    using Engines = std::vector<std::unique_ptr<MemberEngine<T>>>;  ///< of my members

    /// `own`: boxes that members have; `solved`: those in which they solve. What it is given must outlive it.
    MemberFaces(const Problem& problem, Index batch, const Decomposition& own, const Decomposition& solved,
                Transport& transport, const Engines& engines)
        : gathered_(problem, batch),
          own_(own),
          solved_(solved),
          transport_(transport),
          engines_(engines),
          on_devices_(transport.device(transport.mine().front()) >= 0),
          on_faces_(transport.mine().size()) {}

    void forget() noexcept { gathered_.forget(); }
    /// Of a field that was solved for; u_of(m) is that of my member number m.
    template <class FieldOf>
    void keep(Index field, const FieldOf& u_of) {
        for (std::size_t m = 0; m < engines_.size(); ++m)
            if (on_devices_)
                engines_[m]->keep_end_planes(u_of(m), field);
            else
                gathered_.keep(field, box(solved_, m), u_of(m));
        if (!on_devices_) gathered_.keep(field, engines_[0]->current(field));
    }

    /// Before data(), what may fail on one member alone: takes memory, and planes of `fields` fields from devices,
    /// for which it waits.
    void reserve(int threads, Index fields) {
        gathered_.reserve(threads);
        if (on_devices_ && !gathered_.found()) fetch(fields);
    }
    /// A call of all members.
    BoundaryData<T> data(const BoundaryData<T>& walls, Index fields) {
        return gathered_.data(walls, fields, transport_);
    }

    /// Of data(), the free faces that the box of my member number m touches, in place of those of `mine`.
    void take(std::size_t m, const BoundaryData<T>& whole, Index fields, Stream stream, BoundaryData<T>& mine) {
        const Box here = box(own_, m);
        for (std::size_t side = 0; side < 2; ++side) {
            FaceValues<T> face = whole.faces[0][side];
            if (!gathered_.has_end(here, static_cast<int>(side))) continue;
            face.data += here.first[1] * face.stride + here.first[2];
            if (on_devices_) {
                const Index count =
                    (fields - 1) * face.field_stride + (here.points[1] - 1) * face.stride + here.points[2];
                face.data = copied(m, side, face.data, count, stream);
            }
            mine.faces[0][side] = face;
        }
    }

    [[nodiscard]] std::size_t bytes() const noexcept { return gathered_.bytes(); }

private:
    [[nodiscard]] Box box(const Decomposition& parts, std::size_t m) const {
        return parts.box(transport_.mine()[m]);
    }

    void fetch(Index fields) {
        const Extents points = own_.points();
        Field<T> plane({1, points[1], points[2]});
        for (Index b = 0; b < fields; ++b) {
            for (std::size_t m = 0; m < engines_.size(); ++m)
                for (int side = 0; side < 2; ++side) {
                    if (!gathered_.has_end(box(solved_, m), side)) continue;
                    engines_[m]->get_end_plane(b, side, plane.data());
                    gathered_.keep_plane(b, box(solved_, m), side, FieldView<const T>(plane.view()));
                }
            gathered_.keep(b, engines_[0]->current(b));
        }
    }

    /// In the memory of a member's device. Waits for the copy.
    const T* copied(std::size_t m, std::size_t side, const T* face, Index count, Stream stream) {
        const int device = transport_.device(transport_.mine()[m]);
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
        MemberMemory<T>& there = on_faces_[m][side];
        if (there.bytes() < bytes) there = MemberMemory<T>(count, device);
        const DeviceScope scope(device);
        copy_to_device(there.data(), face, bytes, stream);
        return there.data();
    }

    GatheredFaces<T> gathered_;
    const Decomposition &own_, &solved_;
    Transport& transport_;
    const Engines& engines_;
    bool on_devices_;
    std::vector<std::array<MemberMemory<T>, 2>> on_faces_;  ///< of my members on devices, once asked for
};

}  // namespace poisson3d
