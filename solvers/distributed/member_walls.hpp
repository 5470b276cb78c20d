// Free faces of members that are closed by walls (closed_faces.hpp): a solve between walls, u = 0 there, and again
// with what it leaves there. Hosts (host_walls.hpp) and slabs on devices whose x is eliminated, with two or three
// free axes, transform f once; what is left on walls are sums over modes:
//
//     forward                                          modes of f, which stay
//     middle                                           modes of the solution between walls
//     sums over modes                                  of all, added up
//     values of free faces, and what they add          by all; of processes each has a share, and they are added up
//     middle again; backward                           to u
//
// Other members on devices (device_walls.hpp) solve twice:
//
//     solve between walls                              to a field of the plan
//     its planes next to free faces                    to all devices
//     values of these faces                            by all
//     solve again with these values                    to u
//
// Source: James, J. Comput. Phys. 25 (1977).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "found_faces.hpp"
#include "member_phases.hpp"

namespace poisson3d {

template <class T>
class MemberWalls {
public:
    using Engines = std::vector<std::unique_ptr<MemberEngine<T>>>;  ///< of my members

    virtual ~MemberWalls() = default;
    MemberWalls() = default;
    MemberWalls(const MemberWalls&) = delete;
    MemberWalls& operator=(const MemberWalls&) = delete;

    /// Once, when the way of exchanges is known.
    virtual void prepare(Way /*way*/) {}
    /// The calls of one solve, before its fields.
    virtual void begin(std::vector<Call<T>>& /*calls*/) {}
    /// A field of them.
    virtual void solve(MemberPhases<T>& phases, const std::vector<Call<T>>& calls, Index field,
                       const std::vector<Stream>& streams) = 0;

    /// What is found.
    [[nodiscard]] FoundFaces<T>& faces() const { return *faces_; }
    /// Where x is eliminated, whether f goes through the middle twice.
    [[nodiscard]] virtual bool in_modes() const noexcept = 0;
    /// In a solve of one field, of which exchanges of the middle, and those of pencils before and after, are
    /// `middle` and `rows`.
    [[nodiscard]] virtual Traffic sent_by(int member, const Traffic& middle, const Traffic& rows) const = 0;
    [[nodiscard]] virtual std::size_t bytes() const noexcept { return faces_->bytes(); }

protected:
    static Traffic sum(const Traffic& a, const Traffic& b) { return {a.messages + b.messages, a.bytes + b.bytes}; }

    mutable std::optional<FoundFaces<T>> faces_;
};

}  // namespace poisson3d
