// What FFTW's planner knows while it plans for us: nothing for an estimate, so that equal plans give equal bits;
// for a measured plan what our plans measured before, in this process or in another.
//
// Wisdom that is in the planner serves estimates, too, and it is the whole process's. So ours is there only while
// we plan, and that of others only while we do not. Between processes it is kept in files of the user's cache
// directory (XDG base directory specification): $XDG_CACHE_HOME, or $HOME/.cache, poisson3d/fftw-wisdom and
// fftwf-wisdom. They are never more than a help: one that cannot be read, or that FFTW refuses, being another
// version's or another kind of processor's, counts as empty, and where none can be written none is kept.
#pragma once

#include <string>

#include "poisson3d/solver.hpp"

namespace poisson3d::host {

/// While it lives, the planner's wisdom is that of one effort. Under the lock of the planner.
template <class T>
class PlannerWisdom {
public:
    explicit PlannerWisdom(PlanEffort effort);
    ~PlannerWisdom();
    PlannerWisdom(PlannerWisdom&&) = delete;

    /// Keeps what was measured, here and in the file.
    void keep() const;

private:
    std::string others_;
};

}  // namespace poisson3d::host
