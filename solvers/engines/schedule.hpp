// The schedule: a solve as a list of passes. Data only; engines execute it.
//
//   pass 1   transform z            rotate  (x,y,z) → (y,z,x)
//   pass 2   transform x            rotate  (y,z,x) → (z,x,y)
//   pass 3   transform y · mode space · transform y back    rotate back to (y,z,x)
//   pass 4   transform x back       rotate back to (x,y,z)
//   pass 5   transform z back
//
// Between passes stands the real field in the rotated order. A pass owns its lines and nothing else; it does not
// assume that it sees all of them.
#pragma once

#include <array>
#include <string>

#include "poisson3d/grid.hpp"
#include "poisson3d/permutation.hpp"

namespace poisson3d {

enum class Direction { forward, both, backward };

/// What happens between the forward and the backward transform of the middle pass.
enum class ModeOperation { none, divide, multiply };

/// Where a pass reads or writes: the caller's fields or the two internal ones.
enum class Buffer { input, first, second, output };

struct Pass {
    Direction direction;   ///< `both`: forward, mode space, backward
    Permutation order;     ///< the axes as the pass finds them, slowest first; lines run along order[2]
    Permutation movement;  ///< rotation, rotation_back or identity_order, applied while writing
    Buffer from, to;

    [[nodiscard]] int axis() const noexcept { return order[2]; }
};

using Schedule = std::array<Pass, 5>;

/// The five passes.
constexpr Schedule make_schedule() {
    constexpr Permutation xyz = identity_order;
    constexpr Permutation yzx = permute(xyz, rotation);
    constexpr Permutation zxy = permute(yzx, rotation);
    return {{{Direction::forward, xyz, rotation, Buffer::input, Buffer::first},
             {Direction::forward, yzx, rotation, Buffer::first, Buffer::second},
             {Direction::both, zxy, rotation_back, Buffer::second, Buffer::first},
             {Direction::backward, yzx, rotation_back, Buffer::first, Buffer::second},
             {Direction::backward, xyz, identity_order, Buffer::second, Buffer::output}}};
}

/// How a pass along `axis` finds a field that nothing rotates: order[0] is the axis of its slow index, order[1] the
/// one across neighbouring lines.
constexpr Permutation order_in_place(int axis) {
    return axis == 0 ? permute(identity_order, rotation) : axis == 1 ? Permutation{0, 2, 1} : identity_order;
}

/// The same solve in place: nothing is moved, so the internal field may be the output itself. The middle axis is
/// the one that is eliminated; else x, whose samples are farthest apart. The others follow from z down.
constexpr Schedule make_schedule_in_place(int middle = 0) {
    const int first = middle == 2 ? 1 : 2;
    const int second = middle == 0 ? 1 : 0;
    const auto pass = [](Direction direction, int axis, Buffer from, Buffer to) {
        return Pass{direction, order_in_place(axis), identity_order, from, to};
    };
    return {{pass(Direction::forward, first, Buffer::input, Buffer::first),
             pass(Direction::forward, second, Buffer::first, Buffer::first),
             pass(Direction::both, middle, Buffer::first, Buffer::first),
             pass(Direction::backward, second, Buffer::first, Buffer::first),
             pass(Direction::backward, first, Buffer::first, Buffer::output)}};
}

/// The order of the axes while `longest`, x or y, is contiguous: its lines are in the middle, and rows whenever
/// they are read or written. Those of the two others, of which a block has more, turn the field on their way in and
/// out.
constexpr Permutation turned_order(int longest) {
    return {1 - longest, 2, longest};
}
constexpr Schedule make_schedule_turned(int longest) {
    const int other = 1 - longest;
    const Permutation turn = turned_order(longest);  // of x, y, z
    return {{{Direction::forward, identity_order, turn, Buffer::input, Buffer::first},
             {Direction::forward, {2, longest, other}, identity_order, Buffer::first, Buffer::first},
             {Direction::both, turn, identity_order, Buffer::first, Buffer::first},
             {Direction::backward, {2, longest, other}, identity_order, Buffer::first, Buffer::first},
             {Direction::backward, {other, longest, 2}, identity_order, Buffer::first, Buffer::output}}};
}

/// "forward", "both ways", "backward".
const char* describe(Direction direction);

/// "3 y both ways": the number, the axis' letter, the direction.
std::string describe(const Pass& pass, int number, const std::array<char, 3>& labels);

}  // namespace poisson3d
