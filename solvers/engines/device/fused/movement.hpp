// The way of a field through the passes: whether and how it is moved between them, and in which order its axes take
// their turns.
//
//     fast       rotated, in two internal fields: lines are rows whenever they are read. Where blocks have so few
//                of the longest lines that they would write short runs, these stay rows
//     standard   in one internal field, where lines are transformed as they lie
//     low        the same in u
//
// Lines with large prime factors gain little by rotation and are left where they lie in mode fast, too; so are all
// where the middle pass eliminates an axis, or where lines of any axis do not fit shared memory, one such axis in
// the middle.
//
// Along an axis of one unknown a transform is a factor: where it would be the second pass and the fourth, there is
// none, and lines of the others are counted along the other one of them.
#pragma once

#include <algorithm>
#include <array>

#include "box_passes.hpp"
#include "launch_pass.hpp"
#include "schedule.hpp"

namespace poisson3d::fused {

template <class T>
int lines_of_block(const BoxPasses<T, Compact>& passes, int a) {
    const DeviceAxis<T, Compact>& axis = passes.axis(a);
    if (!axis.has_tables()) return 1;
    return axis.shape(std::max(passes.unknowns((a + 1) % 3), passes.unknowns((a + 2) % 3))).count;
}

/// The axis of whose lines a block has the fewest.
template <class T>
int longest_lines(const BoxPasses<T, Compact>& passes) {
    int longest = 0;
    for (int a = 1; a < 3; ++a)
        if (lines_of_block(passes, a) < lines_of_block(passes, longest)) longest = a;
    return longest;
}

/// Whether all passes have kernels that rotate: those of FFTs with outer steps and without large primes.
template <class T>
bool may_rotate(const BoxPasses<T, Compact>& passes) {
    bool all = true;
    for (int a = 0; a < 3; ++a)
        all = all && passes.axis(a).has_tables() && steps_in_registers(passes.axis(a).outer());
    return all;
}

/// Whether a transform along axis `a` is a factor.
template <class T>
bool is_factor(const BoxPasses<T, Compact>& passes, int a) {
    return passes.axis(a).has_tables() && passes.unknowns(a) == 1;
}

/// Runs of 32 bytes across lines, which rotation writes, are no slower than other ways; those of 16 are.
template <class T>
Movement fastest_movement(const BoxPasses<T, Compact>& passes) {
    if (!may_rotate(passes)) return Movement::in_place;
    const int longest = longest_lines(passes);
    const int fewest = lines_of_block(passes, longest);
    for (int a = 0; a < 3; ++a)
        if (a != longest && lines_of_block(passes, a) <= fewest) return Movement::rotated;
    if (2 * fewest * static_cast<int>(sizeof(T)) >= 32) return Movement::rotated;
    return longest == 2 ? Movement::in_place : Movement::turned;
}

struct FieldWay {
    Movement movement;
    Schedule schedule;
    int longest = 0;                     ///< the axis whose lines are rows where the field is turned
    Permutation order = identity_order;  ///< of the axes where nothing is moved
    int skipped = -1;                    ///< the axis of the second and the fourth pass, if nothing is done there
};

/// No second and fourth pass, along `axis`. Beside y lines along z are counted along x.
inline void skip(int axis, FieldWay& way) {
    way.skipped = axis;
    if (axis == 1) way.schedule[0].order = way.schedule[4].order = {1, 0, 2};
}

/// In place, along z and x, where y is in modes.
inline FieldWay way_beside_modes() {
    FieldWay way{Movement::in_place, make_schedule_in_place(0)};
    skip(1, way);
    return way;
}

/// `eliminated`: an axis, or −1; `long_ones`: axes whose lines do not fit shared memory; `products`: some axes have
/// matrices.
///
/// Where y or z is eliminated, the internal field stands y, x, z, so that samples of lines along x are a row apart
/// and not a plane: pass 1 writes rows along z so, and pass 5 reads them. If z is eliminated, it goes along y and
/// writes what is far apart, and pass 4, along x, writes u as it is, where pass 5 goes on: what is far apart is
/// never read, and nobody waits for what is written.
template <class T>
FieldWay field_way(const BoxPasses<T, Compact>& passes, Memory memory, int eliminated,
                   const std::array<bool, 3>& long_ones, bool products) {
    const Movement movement = memory == Memory::fast ? fastest_movement(passes) : Movement::in_place;
    const int longest = longest_lines(passes);
    if (movement == Movement::rotated) return {movement, make_schedule(), longest};
    if (movement == Movement::turned) return {movement, make_schedule_turned(longest), longest};
    int middle = eliminated >= 0 ? eliminated : is_factor(passes, 0) ? 1 : 0;
    for (int a = 0; a < 3 && eliminated < 0; ++a)
        if (long_ones[a]) middle = a;
    FieldWay way{movement, make_schedule_in_place(middle), longest};
    if (const int second = way.schedule[1].axis(); is_factor(passes, second)) {
        skip(second, way);
    } else if (eliminated > 0 && memory != Memory::low && (eliminated == 1 || !products)) {
        way.order = {1, 0, 2};
        if (eliminated == 1) return way;
        way.schedule[2].order = way.order;
        way.schedule[3].to = way.schedule[4].from = Buffer::output;
    }
    return way;
}

}  // namespace poisson3d::fused
