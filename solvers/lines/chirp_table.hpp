// Tables of chirps (chirp_fft.hpp) made by many threads.
#pragma once

#include "chirp_fft.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::lines {

/// The bits do not depend on the number of threads.
template <class T>
ChirpTable<T> make_chirp_table(Index n, ThreadTeam& team);

}  // namespace poisson3d::lines
