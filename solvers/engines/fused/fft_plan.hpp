// Which radices an FFT is made of, its twiddle factors, and where its modes end.
#pragma once

#include <vector>

#include "line_fft.hpp"
#include "orbit_tables.hpp"

namespace poisson3d::fused {

/// Products of 2, 3, 5, 7 only.
bool has_radices(Index length) noexcept;
/// The steps of an FFT, first to last.
std::vector<int> radices_of(Index length);

template <class T>
struct FftPlan {
    LineFft<T> fft;                      ///< tables not yet set
    std::vector<std::uint32_t> words;    ///< of all butterflies
    std::vector<Complex<T>> twiddles;    ///< in long double, rounded once
    std::vector<std::int32_t> natural;   ///< by position: its place
    std::vector<std::int32_t> reversed;  ///< … and where that mode ends (or, in time, begins)
    int pitch = 0;                       ///< elements from line to line: odd, so that lines meet different banks
};

/// For the FFTs of a line with these positions (AxisTables). All lengths must have radices.
template <class T>
FftPlan<T> make_fft_plan(const std::vector<cufft::FftBlock>& blocks, Index rows);

}  // namespace poisson3d::fused
