// Tables of chirps (chirp.hpp) on the host.
#pragma once

#include <vector>

#include "chirp.hpp"
#include "fft_plan.hpp"
#include "poisson3d/threads.hpp"

namespace poisson3d::lines {

template <class T>
struct ChirpTables {
    Chirp<T> view;  ///< length 0: not by a chirp
    std::vector<Complex<T>> chirp, filter;
};

template <class T, class Format>
struct ChirpPlan {
    FftPlan<T, Format> plan;  ///< of FFTs of length n, whose steps are those of length m
    ChirpTables<T> tables;
};

/// Elements that an FFT of length n takes.
template <class Format>
Index chirp_padded_length(Index n);

/// `count` FFTs of length n on every line. The filter is made by an FFT of long double and rounded once; the bits
/// do not depend on the number of threads.
template <class T, class Format>
ChirpPlan<T, Format> make_chirp_plan(Index n, int count, ThreadTeam& team);

}  // namespace poisson3d::lines
