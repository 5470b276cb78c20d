// Whether the field is rotated between the passes of mode fast.
#pragma once

#include "box_passes.hpp"
#include "launch_pass.hpp"

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

}  // namespace poisson3d::fused
